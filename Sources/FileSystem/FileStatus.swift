import Foundation
package import SystemPackage

/// What stands at a path. Symbolic links are followed.
package struct FileStatus {
    package let isFolder: Bool
    package let isRegularFile: Bool
    /// In bytes.
    package let size: Int64
    /// The disk's number.
    package let device: UInt64
    fileprivate let inode: UInt64
    fileprivate let owner: uid_t
    fileprivate let isSticky: Bool

    /// - Returns: `nil` if nothing is there.
    package init?(_ path: FilePath) {
        var status = stat()
        guard path.withPlatformString({ stat($0, &status) }) == 0 else { return nil }
        isFolder = status.st_mode & S_IFMT == S_IFDIR
        (owner, isSticky) = (status.st_uid, status.st_mode & S_ISVTX != 0)
        isRegularFile = status.st_mode & S_IFMT == S_IFREG
        size = Int64(status.st_size)
        (device, inode) = (UInt64(status.st_dev), UInt64(status.st_ino))
    }
}

/// What a path can be for a file that is to be made.
extension FilePath {
    /// Whether both lead to one file, symbolic links followed.
    package func isSameFile(as other: FilePath) -> Bool {
        guard let one = FileStatus(self), let two = FileStatus(other) else { return false }
        return one.inode == two.inode && one.device == two.device
    }

    /// Whether anything has the name, be it a link to nothing.
    package var isTaken: Bool { linkStatus(self) != nil }

    /// Whether it is a symbolic link itself.
    package var isLink: Bool { linkStatus(self).map { $0.st_mode & S_IFMT == S_IFLNK } ?? false }

    /// Why the system does not even look for a file of that name, as where the whole path is too long; `nil` if it does.
    package var nameRefusal: Errno? {
        guard linkStatus(self) == nil, errno != ENOENT else { return nil }
        return Errno(rawValue: errno)
    }

    /// Bytes that the name of a file may have in this folder.
    package var longestName: Int {
        var status = statvfs()
        // What the system takes; some file systems take less.
        let most = 255
        guard withPlatformString({ statvfs($0, &status) }) == 0, status.f_namemax > 0 else { return most }
        return min(most, Int(clamping: status.f_namemax))
    }

    /// Why no file can be created in this folder, or `nil` if one can.
    ///
    /// It is tried with a file that has no name and is gone at once: permissions alone do not tell of a disk that is mounted
    /// read-only, of quotas and of system folders.
    package var writeRefusal: Errno? {
        guard withPlatformString({ access($0, W_OK | X_OK) }) == 0 else { return Errno(rawValue: errno) }
        let descriptor = withPlatformString { open($0, unnamedFileFlag | O_WRONLY | O_CLOEXEC, 0o600) }
        guard descriptor < 0 else {
            close(descriptor)
            return nil
        }
        let reason = Errno(rawValue: errno)
        // Network and FUSE file systems need not know unnamed files; there the permissions have to do. A file system
        // without any room at all is the kernel's own.
        var status = statvfs()
        let hasSpace = withPlatformString { statvfs($0, &status) } != 0 || status.f_blocks > 0
        return hasSpace && [.notSupported, .isDirectory, .invalidArgument].contains(reason) ? nil : reason
    }

    /// Whether it is another's file in a sticky folder (`/tmp`), where nobody but its owner and the folder's may give its name to another.
    package var isKeptByStickyFolder: Bool {
        let place = removingLastComponent().isEmpty ? FilePath(".") : removingLastComponent()
        guard geteuid() != 0, let file = FileStatus(self), let folder = FileStatus(place), folder.isSticky else {
            return false
        }
        return ![file.owner, folder.owner].contains(geteuid())
    }
}

/// Of what has the name itself, not of what that leads to; `nil`, and why in `errno`, where that cannot be told.
private func linkStatus(_ path: FilePath) -> stat? {
    var status = stat()
    return path.withPlatformString { lstat($0, &status) } == 0 ? status : nil
}
