import Foundation
package import SystemPackage

/// Which file it is, as it was last written, whatever name it has.
///
/// A device and an inode alone do not tell: ext4 gives a new file the inode of the one that was deleted just before.
package struct FileIdentity: Sendable, Hashable {
    private let device: dev_t
    private let inode: ino_t
    private let size: off_t
    private let modified: [Int]

    /// - Returns: `nil` unless an ordinary file has the name itself.
    package init?(_ path: FilePath) {
        var status = stat()
        guard path.withPlatformString({ lstat($0, &status) }) == 0, status.st_mode & S_IFMT == S_IFREG else {
            return nil
        }
        (device, inode, size) = (status.st_dev, status.st_ino, status.st_size)
        modified = [status.st_mtim.tv_sec, status.st_mtim.tv_nsec]
    }

    /// Deletes the file if it still has that name; what somebody else put there, or wrote to, stays.
    ///
    /// - Returns: whether it was there.
    /// - Throws: why it cannot be deleted.
    package func remove(_ path: FilePath) throws(Errno) -> Bool {
        guard Self(path) == self else { return false }
        guard path.withPlatformString({ unlink($0) }) == 0 else { throw Errno(rawValue: errno) }
        return true
    }
}
