import Errors
import FileSystem
import Foundation
import MovieFiles
package import SystemPackage

/// The hidden folder beside the outputs in which a batch keeps what it is to do and what became of it.
///
///     .rushes-batch/manifest.json     what is to be done, in order
///     .rushes-batch/items/KEY.json    what became of each output so far
///     .rushes-batch/items/KEY.N       who makes the attempt N at it, while that is under way
///     .rushes-batch/work/KEY.N/       what is being written; nothing of it is left when the batch has ended
///     .rushes-batch/lock              who works on it
///     .rushes-batch/slurm/            what was handed to a cluster
///
/// Each file appears under its name when it is complete and on the disk, so a reader sees the old state or the new one,
/// also after a power cut. Each item has a file of its own: the cost of a change does not grow with the batch, and
/// processes that do single items do not wait for each other.
package struct BatchFolder: Sendable, Hashable {
    /// Where the outputs are.
    package let outputs: FilePath
    /// The hidden folder's own name.
    package static let name = ".rushes-batch"

    /// - Parameter outputs: the folder of the outputs; a relative one lies in the current folder.
    package init(outputs: FilePath) { self.outputs = outputs.rooted }

    /// - Parameter path: a manifest, its folder, or the folder of the outputs.
    package init(containing path: FilePath) {
        let path = path.rooted
        if path.lastComponent?.string == "manifest.json" {
            outputs = path.removingLastComponent().removingLastComponent()
        } else {
            outputs = path.lastComponent?.string == Self.name ? path.removingLastComponent() : path
        }
    }

    var path: FilePath { outputs.appending(Self.name) }
    /// The file that says what is to be done.
    package var manifest: FilePath { path.appending(Self.manifestName) }

    static let (items, work) = ("items", "work")
    static let manifestName = "manifest.json"
    private static let lockName = "lock"

    /// Makes what is missing of it.
    ///
    /// - Throws: ``RushesError`` where that cannot be, and for a symbolic link or another user's folder.
    func prepare() throws(RushesError) {
        try makeOutputs()
        do throws(Errno) { try make(Self.name, in: FolderDescriptor(outputs)) } catch {
            throw RushesError("\(path.wireText) cannot be created", error)
        }
        let folder = try existing()
        for name in [Self.items, Self.work] {
            do throws(Errno) { try make(name, in: folder) } catch {
                throw RushesError("\(path.appending(name).wireText) cannot be created", error)
            }
            _ = try self.folder(name, in: folder)
        }
    }

    /// Where the outputs are, or the nearest folder around that exists.
    var existingOutputs: FilePath {
        var folder = outputs
        while FileStatus(folder) == nil, !folder.isLink, folder.lastComponent != nil { folder.removeLastComponent() }
        return folder
    }

    /// Makes the outputs' folder, and those around it, where they are missing.
    private func makeOutputs() throws(RushesError) {
        guard FileStatus(outputs) == nil else { return }
        do throws(Errno) { try outputs.makeFolders() } catch {
            throw RushesError(
                .notWritable, on: outputs.string, "The folder \(outputs.wireText) cannot be created: \(error).",
                underlying: error)
        }
    }

    func make(_ name: String, in folder: FolderDescriptor) throws(Errno) {
        do throws(Errno) { try folder.makeFolder(name) } catch { if error != .fileExists { throw error } }
    }

    /// Looks whether a batch can work here, as far as that can be known before; what is not there yet can be made.
    ///
    /// - Throws: ``RushesError`` for a symbolic link and for another user's folder: they could lead anywhere.
    func check() throws(RushesError) {
        guard let folder = try opened() else { return }
        for name in [Self.items, Self.work] {
            guard let component = FilePath.Component(name), folder.status(component) != nil else { continue }
            _ = try self.folder(name, in: folder)
        }
    }

    /// The hidden folder itself; `nil` where there is none.
    func opened() throws(RushesError) -> FolderDescriptor? {
        let folder: FolderDescriptor
        do throws(Errno) { folder = try FolderDescriptor(outputs).folder(Self.name) } catch {
            guard error != .noSuchFileOrDirectory else { return nil }
            throw refusal(path, error)
        }
        guard folder.isOwn else {
            throw RushesError(
                .badInput, "\(path.wireText) belongs to another user; choose another folder for the outputs.")
        }
        return folder
    }

    func existing() throws(RushesError) -> FolderDescriptor {
        guard let folder = try opened() else {
            throw RushesError("\(path.wireText) cannot be opened", .noSuchFileOrDirectory)
        }
        return folder
    }

    /// One of the folders in it.
    func folder(_ name: String, in folder: FolderDescriptor? = nil) throws(RushesError) -> FolderDescriptor {
        let outer = if let folder { folder } else { try existing() }
        do throws(Errno) {
            let inner = try outer.folder(name)
            guard inner.owner == outer.owner else { throw .notPermitted }
            return inner
        } catch { throw refusal(path.appending(name), error) }
    }

    private func refusal(_ path: FilePath, _ reason: Errno) -> RushesError {
        switch reason {
        case .notDirectory:
            RushesError(
                .badInput,
                "\(path.wireText) is a link or a file, and a batch keeps its records in a folder; remove it, or choose "
                    + "another folder for the outputs.")
        default: RushesError("\(path.wireText) cannot be opened", reason)
        }
    }

    /// - Throws: ``RushesError`` where it cannot be opened.
    func openLock() throws(RushesError) -> BatchLock {
        let folder = try existing()
        do throws(Errno) {
            return try BatchLock(folder.file(Self.lockName, O_RDWR | O_CREAT, permissions: 0o660))
        } catch {
            throw RushesError("\(path.appending(Self.lockName).wireText) cannot be opened", error)
        }
    }

    static func text(_ key: UInt64) -> String { String(key, radix: 16) }
}
