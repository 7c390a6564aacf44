import Encoding
import Foundation
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
        let name = destination.path.stem ?? "movie"
        let ending = destination.path.extension ?? "mov"
        for number in 1...999 {
            let part = number == 1 ? "part" : "part\(number)"
            let path = destination.path.removingLastComponent().appending("\(name).\(part).\(ending)")
            var status = stat()
            if path.withPlatformString({ lstat($0, &status) }) != 0 {
                self.path = path
                return
            }
        }
        throw ExportError(
            .unsuitable, "There are too many unfinished parts beside \(destination.path.displayName); remove them.")
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

    func remove() { _ = path.withPlatformString { unlink($0) } }

    private func synchronize() -> Errno? {
        guard let file = try? FileDescriptor.open(path, .readWrite, options: .closeOnExec) else { return .ioError }
        defer { try? file.close() }
        return fsync(file.rawValue) == 0 ? nil : Errno(rawValue: errno)
    }

    private func move() -> Errno? {
        let result = path.withPlatformString { source in
            destination.path.withPlatformString { target in
                if destination.replacesExisting { return rename(source, target) }
                // A link refuses a name that somebody took meanwhile, which a rename would not.
                if link(source, target) == 0 { return unlink(source) }
                return errno == EEXIST ? -1 : rename(source, target)
            }
        }
        guard result == 0 else { return Errno(rawValue: errno) }
        // The name itself lies in the folder, which has to reach the disk too.
        if let folder = try? FileDescriptor.open(destination.folder, .readOnly, options: [.directory, .closeOnExec]) {
            fsync(folder.rawValue)
            try? folder.close()
        }
        return nil
    }
}
