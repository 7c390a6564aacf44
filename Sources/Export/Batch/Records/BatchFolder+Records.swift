import Errors
import FileSystem
import MovieFiles
import SystemPackage

/// What is to be done, and what became of it.
extension BatchFolder {
    func record(of item: BatchItem) -> BatchRecord? { record(of: item.key) }

    func record(of key: UInt64) -> BatchRecord? {
        guard let items = try? folder(Self.items) else { return nil }
        return try? AtomicJSONFile.read(Self.recordName(key), in: items)
    }

    /// - Throws: ``RushesError``, `diskFull` where there is no room.
    func write(_ record: BatchRecord, of item: BatchItem) throws(RushesError) {
        let items = try folder(Self.items)
        do throws(Errno) { try AtomicJSONFile.write(record, to: Self.recordName(item.key), in: items) } catch {
            throw RushesError("\(path.appending(Self.items).wireText) cannot be written", error)
        }
    }

    func removeRecord(of item: BatchItem) {
        guard let items = try? folder(Self.items), let name = FilePath.Component(Self.recordName(item.key)) else {
            return
        }
        items.removeFile(name)
    }

    static func recordName(_ key: UInt64) -> String { "\(text(key)).json" }

    func readManifest() throws(RushesError) -> BatchManifest {
        let folder = try opened()
        let manifest: BatchManifest
        do {
            guard let folder else { throw Errno.noSuchFileOrDirectory }
            manifest = try AtomicJSONFile.read(Self.manifestName, in: folder)
        } catch {
            throw RushesError(
                .badInput, on: outputs.string,
                "\(outputs.wireText) holds no batch; begin one with \(Term.newBatch).")
        }
        guard manifest.version == BatchManifest.currentVersion else {
            throw RushesError(
                .badInput, "\(self.manifest.wireText) is of another version of Rushes; start the batch again.")
        }
        do { try manifest.settings.checkRanges() } catch {
            throw RushesError(.badInput, "\(self.manifest.wireText) is damaged: \(error)")
        }
        return manifest
    }

    func write(_ manifest: BatchManifest) throws(RushesError) {
        let folder = try existing()
        do throws(Errno) { try AtomicJSONFile.write(manifest, to: Self.manifestName, in: folder) } catch {
            throw RushesError("\(self.manifest.wireText) cannot be written", error)
        }
    }
}
