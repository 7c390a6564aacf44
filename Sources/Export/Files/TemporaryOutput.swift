import Encoding
import Errors
import FileSystem
import Foundation
import MovieFiles
import SystemPackage
import Threads

/// Where an export is written until it is complete and good: a file without a name in the folder of its name, made when
/// writing begins. So nothing is left of an export that fails or is killed, and two to one place have nothing in common.
final class TemporaryOutput: Sendable {
    let destination: MovieDestination
    private let current = Locked<UnfinishedFile?>(nil)

    /// Nothing is created yet.
    init(for destination: MovieDestination) { self.destination = destination }

    /// What is written, as often as it takes; it is created when it is first asked for.
    ///
    /// - Throws: ``RushesError`` if the folder takes no file.
    func file() throws(RushesError) -> UnfinishedFile {
        try current.withLock { file throws(RushesError) in
            if let file { return file }
            let new = try makeFile()
            file = new
            return new
        }
    }

    /// Writes another file of what is written, which takes its place if anything is in it.
    ///
    /// - Throws: ``RushesError`` if the folder takes no file; what the closure throws.
    func replace(_ body: (_ old: FileDescriptor, _ new: FileDescriptor) throws -> Void) throws {
        let (old, new) = (try file(), try makeFile())
        try old.withDescriptor { old in try new.withDescriptor { try body(old, $0) } }
        if try new.withDescriptor({ try $0.seek(offset: 0, from: .end) }) > 0 { current.withLock { $0 = new } }
    }

    /// Of what is written, in bytes.
    ///
    /// - Throws: ``RushesError`` if the folder takes no file; `Errno`.
    func size() throws -> Int64 { try file().withDescriptor { try $0.seek(offset: 0, from: .end) } }

    /// Makes sure that the file is on the disk, and gives it its name in one step.
    ///
    /// - Throws: ``RushesError`` if the name was taken meanwhile or the disk refuses; the file is then gone.
    func commit() throws(RushesError) {
        let file = try file()
        defer { release() }
        let name = destination.path.displayName
        // A take that took the name meanwhile is worth more than an export, which can be made again.
        guard !destination.isBeingWritten else {
            throw RushesError(.invalidSettings, "\(name) is being written by another program; choose another name.")
        }
        do throws(Errno) {
            try file.withDescriptor { descriptor throws(Errno) in try descriptor.synchronize() }
            try file.commit(to: destination.path, replacing: destination.replacesExisting)
        } catch {
            throw error == .fileExists
                ? RushesError(
                    .fileExists, on: destination.path.string,
                    "\(name) already exists; choose another name, or \(Term.overwriting).")
                : RushesError(
                    .writeFailed, on: destination.path.string, "\(name) cannot be completed: \(error).",
                    underlying: error)
        }
        // The name itself lies in the folder, which has to reach the disk too.
        destination.folder.synchronizeFolder()
    }

    /// Throws away what is written. Its space on the disk is free from then on, whoever still holds the file for a while.
    func remove() {
        empty()
        release()
    }

    /// It has its name, or none.
    private func release() { current.withLock { $0 = nil } }

    /// Throws away what is written, to be written anew.
    func empty() { current.withLock { $0?.empty() } }

    private func makeFile() throws(RushesError) -> UnfinishedFile {
        do { return try UnfinishedFile(in: destination.folder) } catch {
            throw RushesError("\(destination.folder.displayName) takes no file", error)
        }
    }
}

extension UnnamedFile {
    /// One for what an export keeps meanwhile.
    ///
    /// - Throws: ``RushesError`` if the folder takes no file.
    convenience init(forExportIn folder: FilePath) throws(RushesError) {
        do { try self.init(in: folder) } catch {
            throw RushesError(.encoderFailed, "\(folder.displayName) cannot take a temporary file: \(error).")
        }
    }
}
