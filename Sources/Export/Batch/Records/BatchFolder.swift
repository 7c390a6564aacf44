import Foundation
import MovieFiles
public import SystemPackage

/// The hidden folder beside the outputs in which a batch keeps what it is to do and what became of it.
///
///     .rushes-batch/manifest.json     what is to be done, in order
///     .rushes-batch/items/KEY.json    what became of each output so far
///     .rushes-batch/work/KEY/         what is being written; nothing of it is left when the batch has ended
///     .rushes-batch/lock              who works on it
///
/// Each file appears under its name when it is complete and on the disk, so a reader sees the old state or the new one,
/// also after a power cut. Each item has a file of its own: the cost of a change does not grow with the batch, and
/// processes that do single items do not wait for each other.
public struct BatchFolder: Sendable, Hashable {
    /// Where the outputs are.
    public let outputs: FilePath
    /// The hidden folder's own name.
    public static let name = ".rushes-batch"

    /// - Parameter outputs: the folder of the outputs; a relative one lies in the current folder.
    public init(outputs: FilePath) { self.outputs = outputs.rooted }

    /// - Parameter path: a manifest, its folder, or the folder of the outputs.
    public init(containing path: FilePath) {
        let path = path.rooted
        if path.lastComponent?.string == "manifest.json" {
            outputs = path.removingLastComponent().removingLastComponent()
        } else {
            outputs = path.lastComponent?.string == Self.name ? path.removingLastComponent() : path
        }
    }

    var path: FilePath { outputs.appending(Self.name) }
    /// The file that says what is to be done.
    public var manifest: FilePath { path.appending("manifest.json") }
    var lock: FilePath { path.appending("lock") }
    private var items: FilePath { path.appending("items") }
    private var work: FilePath { path.appending("work") }

    /// - Throws: ``ExportError`` where the folder cannot be made.
    func prepare() throws(ExportError) {
        for folder in [path, items, work] {
            let result = folder.withPlatformString { mkdir($0, 0o755) }
            guard result != 0, errno != EEXIST else { continue }
            throw ExportError("\(folder.wireText) cannot be made", Errno(rawValue: errno))
        }
    }

    func workFolder(of item: BatchItem) -> FilePath { work.appending(Self.text(item.key)) }

    /// Takes away what an item's export has left.
    func removeWork(of item: BatchItem) {
        FolderListing.remove(workFolder(of: item))
    }

    /// Takes away what exports have left that were killed: only for who works alone.
    func removeAllWork(but kept: Set<UInt64>) {
        let names = Set(kept.map(Self.text))
        for name in FolderListing.names(in: work) where !names.contains(name.string) {
            FolderListing.remove(work.appending(name))
        }
    }

    func record(of item: BatchItem) -> BatchRecord? { try? LastingFile.read(recordPath(item)) }

    /// - Throws: ``ExportError``, `diskFull` where there is no room.
    func write(_ record: BatchRecord, of item: BatchItem) throws(ExportError) {
        try LastingFile.write(record, to: recordPath(item))
    }

    func removeRecord(of item: BatchItem) { recordPath(item).removeFile() }

    private func recordPath(_ item: BatchItem) -> FilePath { items.appending("\(Self.text(item.key)).json") }

    func readManifest() throws(ExportError) -> BatchManifest {
        let manifest: BatchManifest
        do { manifest = try LastingFile.read(self.manifest) } catch {
            throw ExportError(
                .badInput,
                "\(outputs.wireText) holds no batch; begin one with 'rushes transcode' or 'rushes batch plan'.")
        }
        guard manifest.version == BatchManifest.currentVersion else {
            throw ExportError(
                .badInput, "\(self.manifest.wireText) is of another version of Rushes; begin the batch anew.")
        }
        return manifest
    }

    func write(_ manifest: BatchManifest) throws(ExportError) { try LastingFile.write(manifest, to: self.manifest) }

    private static func text(_ key: UInt64) -> String { String(key, radix: 16) }
}
