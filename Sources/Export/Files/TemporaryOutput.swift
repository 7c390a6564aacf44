import Encoding
import Foundation
import MovieFiles
import SystemPackage

/// Where an export is written until it is complete and good: "NAME.part.EXT" in the folder of its name. The name is taken at
/// once, so that another export to the same place takes another.
struct TemporaryOutput: Sendable {
    let destination: MovieDestination
    /// What is written, as often as it takes.
    let part: MovieDestination
    private let isOurs: Bool

    /// Takes a name that is free. A part that is there already belongs to another, so it is never written over.
    ///
    /// - Throws: ``EncodingError`` if all are taken, or no file can be created.
    init(for destination: MovieDestination) throws(EncodingError) {
        self.destination = destination
        part = try destination.reservePartial()
        isOurs = true
    }

    /// One that is only to be shown: no file is created.
    init(showing destination: MovieDestination) {
        (self.destination, part, isOurs) = (destination, MovieDestination(destination.partialPath()), false)
    }

    var path: FilePath { part.path }

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

    func remove() { if isOurs { path.removeFile() } }

    /// Throws away what is written, and keeps the name.
    func empty() { if isOurs { _ = path.withPlatformString { truncate($0, 0) } } }

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
