import Errors
import FileSystem
import MovieFiles
import SystemPackage

/// What exports write until it is complete.
extension BatchFolder {
    /// Makes the folder in which an attempt at an item writes, empty but for what is not Rushes': one that was overtaken, and does not know
    /// it yet, has a folder of its own.
    ///
    /// - Returns: what was made: where the folders are anybody's, its name may lead elsewhere by the time something is written.
    /// - Throws: ``RushesError`` where it cannot be made.
    func makeWork(of item: BatchItem, _ attempt: Int) throws(RushesError) -> FolderDescriptor {
        let work = try folder(Self.work)
        let name = Self.name(item.key, attempt)
        if let component = FilePath.Component(name) { Leftovers.removeWork(component, in: work) }
        do throws(Errno) {
            try make(name, in: work)
            return try existing(name, in: work)
        } catch {
            throw RushesError("\(path.appending(Self.work).appending(name).wireText) cannot be created", error)
        }
    }

    /// That of an attempt before; `nil` where there is none, and where it is a link or another user's.
    func work(of item: BatchItem, _ attempt: Int) -> FolderDescriptor? {
        guard let work = try? folder(Self.work) else { return nil }
        return try? existing(Self.name(item.key, attempt), in: work)
    }

    private func existing(_ name: String, in work: FolderDescriptor) throws(Errno) -> FolderDescriptor {
        let folder = try work.folder(name)
        guard folder.owner == work.owner else { throw .notPermitted }
        return folder
    }

    /// Makes the folders below that of the outputs in which an item's output is to lie.
    ///
    /// - Throws: ``RushesError`` where that cannot be, and for a symbolic link: it could lead anywhere.
    func makeFolder(of item: BatchItem) throws(RushesError) {
        for folder in folders(of: item) {
            if folder.isLink {
                throw RushesError(
                    .badInput, "\(folder.wireText) is a link; remove it, or choose another folder for the outputs.")
            }
            do throws(Errno) { try folder.makeFolders() } catch {
                throw RushesError("The folder \(folder.wireText) cannot be created", error)
            }
        }
    }

    /// Puts the name of an item's output on the disk.
    func synchronizeFolders(of item: BatchItem) {
        for folder in [outputs] + folders(of: item) { folder.synchronizeFolder() }
    }

    private func folders(of item: BatchItem) -> [FilePath] {
        var folder = outputs
        return item.name.removingLastComponent().components.map {
            folder.append($0)
            return folder
        }
    }

    /// Takes away what an attempt at an item has left.
    func removeWork(of item: BatchItem, _ attempt: Int) {
        guard let work = try? folder(Self.work), let name = FilePath.Component(Self.name(item.key, attempt)) else {
            return
        }
        Leftovers.removeWork(name, in: work)
    }

    /// Takes away what exports have left that were killed: only for who works alone.
    ///
    /// - Parameter kept: names of work folders that stay.
    func removeAllWork(but kept: Set<String>) {
        guard let work = try? folder(Self.work) else { return }
        for name in work.names where !kept.contains(name.string) {
            // As this type writes them, and as it did before attempts had numbers; no other way.
            let isPlain = UInt64(name.string, radix: 16).map { Self.text($0) == name.string } ?? false
            guard isPlain || Self.numbered(name.string) != nil else { continue }
            Leftovers.removeWork(name, in: work)
        }
    }
}
