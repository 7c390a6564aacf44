import Foundation
package import SystemPackage

/// Folders for one user's eyes.
package enum PrivateFolder {
    /// Makes the folder, and those above it that are missing, with mode 0700, as the XDG base directories are to be made.
    /// The folder itself gets that mode also where it is there already; those above it stay as they are.
    ///
    /// - Throws: `Errno`, `notPermitted` for another user's folder, and for a link that another user made.
    package static func create(_ path: FilePath) throws {
        if try isMade(path) { return }
        var link = stat()
        guard path.withPlatformString({ lstat($0, &link) }) == 0, link.st_uid == geteuid() else {
            throw Errno.notPermitted
        }
        let folder = try FolderDescriptor(path)
        guard folder.owner == geteuid() else { throw Errno.notPermitted }
        // Somebody may have made it with a wider mode.
        if folder.mode & 0o777 != 0o700 { fchmod(folder.descriptor.rawValue, 0o700) }
    }

    /// Whether the folder had to be made.
    private static func isMade(_ path: FilePath) throws -> Bool {
        if make(path) { return true }
        if errno == ENOENT, !path.components.isEmpty {
            _ = try isMade(path.removingLastComponent())
            if make(path) { return true }
        }
        guard errno == EEXIST else { throw Errno(rawValue: errno) }
        return false
    }

    private static func make(_ path: FilePath) -> Bool { path.withPlatformString { mkdir($0, 0o700) } == 0 }
}
