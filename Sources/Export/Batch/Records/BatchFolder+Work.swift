import Errors
import FileSystem
import MovieFiles
import SystemPackage

/// What exports write until it is complete.
extension BatchFolder {
    /// Where an item's export writes.
    func workFolder(of item: BatchItem) -> FilePath { path.appending(Self.work).appending(Self.text(item.key)) }

    /// Makes an item's work folder, empty but for what is not Rushes'.
    ///
    /// - Throws: ``RushesError`` where it cannot be made.
    func makeWork(of item: BatchItem) throws(RushesError) {
        let work = try folder(Self.work)
        let name = Self.text(item.key)
        if let component = FilePath.Component(name) { Leftovers.removeWork(component, in: work) }
        do throws(Errno) {
            try make(name, in: work)
            guard try work.folder(name).owner == work.owner else { throw .notPermitted }
        } catch { throw RushesError("\(workFolder(of: item).wireText) cannot be made", error) }
    }

    /// Takes away what an item's export has left.
    func removeWork(of item: BatchItem) {
        guard let work = try? folder(Self.work), let name = FilePath.Component(Self.text(item.key)) else { return }
        Leftovers.removeWork(name, in: work)
    }

    /// Takes away what exports have left that were killed: only for who works alone.
    func removeAllWork(but kept: Set<UInt64>) {
        guard let work = try? folder(Self.work) else { return }
        for name in work.names {
            // As this type writes them, and no other way.
            guard let key = UInt64(name.string, radix: 16), Self.text(key) == name.string, !kept.contains(key) else {
                continue
            }
            Leftovers.removeWork(name, in: work)
        }
    }
}
