import Encoding
import Foundation
import MovieFiles
import SystemPackage

/// Where an export is written until it is complete and good: "NAME.part.EXT" in the folder of its name.
struct TemporaryOutput: Sendable {
    let destination: MovieDestination
    let path: FilePath

    /// Finds a name that is free. A part that is there already belongs to another, so it is never written over.
    ///
    /// - Throws: ``ExportError`` if all are taken.
    init(for destination: MovieDestination) throws(ExportError) {
        self.destination = destination
        guard let path = destination.freePartialPath else {
            throw ExportError(
                .unsuitable, "There are too many unfinished parts beside \(destination.path.displayName); remove them.")
        }
        self.path = path
    }

    /// Makes sure that the file is on the disk, and gives it its name in one step.
    ///
    /// - Throws: ``ExportError`` if the name was taken meanwhile or the disk refuses; the file is then gone.
    func commit() throws(ExportError) {
        if let failure = synchronize() ?? move() {
            remove()
            let name = destination.path.displayName
            throw failure == .fileExists
                ? ExportError(
                    .unsuitable, "\(name) exists already; choose another name, or replace it with --overwrite.")
                : ExportError(.encoderFailed, "\(name) cannot be completed: \(failure).")
        }
    }

    func remove() { path.removeFile() }

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
