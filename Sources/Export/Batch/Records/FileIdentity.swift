import Foundation
package import SystemPackage

/// What tells a file from another of its name, and from itself after a change.
package struct FileIdentity: Codable, Sendable, Hashable {
    /// Bytes.
    package let size: Int64
    /// Nanoseconds since 1970, of the last change to its contents.
    package let modified: Int64
    /// The file's number in its file system.
    package let inode: UInt64

    /// - Returns: `nil` where there is no file. Symbolic links are followed.
    package init?(_ path: FilePath) {
        var status = stat()
        guard path.withPlatformString({ stat($0, &status) }) == 0 else { return nil }
        size = Int64(status.st_size)
        modified = Int64(status.st_mtim.tv_sec) * 1_000_000_000 + Int64(status.st_mtim.tv_nsec)
        inode = UInt64(status.st_ino)
    }
}
