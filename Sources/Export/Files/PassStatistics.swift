import Foundation
import SystemPackage

/// A hidden folder for what an encoder's first pass tells its second one: a file whose name the encoder chooses around ours.
///
/// Its holder has the kernel's lock on it, which opens when a process dies; what a killed one has left is taken away by the
/// next that comes to the same folder.
final class PassStatistics: Sendable {
    private let path: FilePath
    private let folder: FileDescriptor

    private static let prefix = ".rushes-passes-"

    /// - Parameter place: beside the output, as an hour of pictures can take a gigabyte.
    /// - Throws: ``ExportError`` if the place takes no folder.
    init(in place: FilePath) throws(ExportError) {
        Self.removeLeftovers(in: place)
        while true {
            let path = place.appending(Self.prefix + UUID().uuidString)
            guard path.withPlatformString({ mkdir($0, 0o700) }) == 0, let folder = Self.open(path) else {
                let reason = Errno(rawValue: errno)
                throw ExportError(
                    reason == .noSpace ? .diskFull : .encoderFailed,
                    "\(place.displayName) takes no folder for the first pass: \(reason).")
            }
            // On a file system without locks nobody has one, and the folder is left alone.
            _ = Self.lock(folder)
            // Before that, another could take it for a leftover.
            if Self.isThere(folder) {
                (self.path, self.folder) = (path, folder)
                return
            }
            try? folder.close()
        }
    }

    deinit { try? folder.close() }

    /// A path of ASCII letters without a colon, whatever the output's folder is called, as long as this object lives.
    var location: String { "/proc/self/fd/\(folder.rawValue)/statistics" }

    var isWritten: Bool { access(location, R_OK) == 0 }

    /// Takes the folder away, with all that is in it.
    func remove() { Self.remove(path) }

    private static func removeLeftovers(in place: FilePath) {
        for name in FolderListing.names(in: place) where name.string.hasPrefix(prefix) {
            let path = place.appending(name)
            guard let folder = open(path) else { continue }
            if lock(folder) { remove(path) }
            try? folder.close()
        }
    }

    private static func open(_ path: FilePath) -> FileDescriptor? {
        try? FileDescriptor.open(path, .readOnly, options: [.directory, .noFollow, .closeOnExec])
    }

    private static func lock(_ folder: FileDescriptor) -> Bool { flock(folder.rawValue, LOCK_EX | LOCK_NB) == 0 }

    private static func isThere(_ folder: FileDescriptor) -> Bool {
        var status = stat()
        return fstat(folder.rawValue, &status) == 0 && status.st_nlink > 0
    }

    private static func remove(_ folder: FilePath) {
        for name in FolderListing.names(in: folder) { _ = folder.appending(name).withPlatformString { unlink($0) } }
        _ = folder.withPlatformString { rmdir($0) }
    }
}
