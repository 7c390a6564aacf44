import Encoding
import Foundation
import MovieFiles
import SystemPackage
import Threads

/// Where an export is written until it is complete and good: "NAME.part.EXT" in the folder of its name. The name is taken at
/// once, so that another export to the same place takes another.
final class TemporaryOutput: Sendable {
    let destination: MovieDestination
    private let state: Locked<(part: MovieDestination, isOurs: Bool)>

    /// Takes a name that is free. A part that is there already belongs to another, so it is never written over.
    ///
    /// - Throws: ``EncodingError`` if all are taken, or no file can be created.
    init(for destination: MovieDestination) throws(EncodingError) {
        self.destination = destination
        state = Locked((try destination.reservePartial(), true))
    }

    /// One that is only to be shown: no file is created.
    init(showing destination: MovieDestination) {
        self.destination = destination
        state = Locked((MovieDestination(destination.partialPath()), false))
    }

    /// What is written, as often as it takes.
    var part: MovieDestination { state.withLock { $0.part } }
    var path: FilePath { part.path }

    /// Takes a name anew, after ``remove()``.
    ///
    /// - Throws: ``EncodingError`` as the beginning.
    func take() throws(EncodingError) {
        let part = try destination.reservePartial()
        state.withLock { $0 = (part, true) }
    }

    /// Makes sure that the file is on the disk, and gives it its name in one step.
    ///
    /// - Throws: ``ExportError`` if the name was taken meanwhile or the disk refuses; the file is then gone.
    func commit() throws(ExportError) {
        // A take that took the name meanwhile is worth more than an export, which can be made again.
        guard !destination.isBeingWritten else {
            remove()
            throw ExportError(
                .unsuitable, "\(destination.path.displayName) is being written by another program; choose another name."
            )
        }
        if let failure = synchronize() ?? move() {
            remove()
            let name = destination.path.displayName
            throw failure == .fileExists
                ? ExportError(
                    .unsuitable, "\(name) exists already; choose another name, or replace it with --overwrite.")
                : ExportError(.encoderFailed, "\(name) cannot be completed: \(failure).")
        }
    }

    /// Throws away what is written, and gives the name back.
    func remove() {
        state.withLock { state in
            if state.isOurs { state.part.path.removeFile() }
            state.isOurs = false
        }
    }

    /// Throws away what is written, and keeps the name.
    func empty() {
        state.withLock { if $0.isOurs { _ = $0.part.path.withPlatformString { truncate($0, 0) } } }
    }

    private func synchronize() -> Errno? {
        guard let file = try? FileDescriptor.open(path, .readWrite, options: .closeOnExec) else { return .ioError }
        defer { try? file.close() }
        return fsync(file.rawValue) == 0 ? nil : Errno(rawValue: errno)
    }

    private func move() -> Errno? {
        do { try path.moveFile(to: destination.path, replacing: destination.replacesExisting) } catch { return error }
        // The name itself lies in the folder, which has to reach the disk too.
        destination.folder.synchronizeFolder()
        return nil
    }
}
