package import Foundation
package import SystemPackage

/// A folder by its descriptor: what is done in it is done there, wherever its name leads meanwhile. No symbolic link in it
/// is followed.
package final class FolderDescriptor: Sendable {
    package let descriptor: FileDescriptor
    /// The user that the folder belongs to.
    package let owner: uid_t
    /// Its kind and permissions when it was opened.
    package let mode: mode_t

    /// - Parameter path: as the person named it; links on the way are the person's own.
    /// - Throws: `noSuchFileOrDirectory`; `notDirectory`; why it cannot be opened.
    package convenience init(_ path: FilePath) throws(Errno) {
        try self.init(path.withPlatformString { openat(AT_FDCWD, $0, Self.reading, 0) })
    }

    /// - Parameter descriptor: as `openat` returns it.
    private init(_ descriptor: Int32) throws(Errno) {
        guard descriptor >= 0 else { throw Errno(rawValue: errno) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else {
            let reason = Errno(rawValue: errno)
            close(descriptor)
            throw reason
        }
        self.descriptor = FileDescriptor(rawValue: descriptor)
        (owner, mode) = (status.st_uid, status.st_mode)
    }

    deinit { try? descriptor.close() }

    private static let reading = O_RDONLY | O_DIRECTORY | O_CLOEXEC

    /// A path that leads to it as long as this object lives, wherever its name leads meanwhile.
    package var location: FilePath { FilePath("/proc/self/fd/\(descriptor.rawValue)") }

    /// The same for other processes of this user.
    package var locationForOthers: FilePath { FilePath("/proc/\(getpid())/fd/\(descriptor.rawValue)") }

    /// A folder in it.
    ///
    /// - Throws: `noSuchFileOrDirectory`; `notDirectory` for a symbolic link too, wherever that leads.
    package func folder(_ name: String) throws(Errno) -> FolderDescriptor {
        try FolderDescriptor(openat(descriptor.rawValue, name, Self.reading | O_NOFOLLOW, 0))
    }

    /// - Throws: `fileExists` where anything has the name.
    package func makeFolder(_ name: String, permissions: mode_t = 0o755) throws(Errno) {
        guard mkdirat(descriptor.rawValue, name, permissions) == 0 else { throw Errno(rawValue: errno) }
    }

    /// Opens a file, and nothing else that may have the name: a link, or a pipe that would hold up its reader.
    ///
    /// - Parameter flags: as for open(2).
    /// - Throws: `tooManySymbolicLinkLevels` for a link; `invalidArgument` for what is no file.
    package func file(_ name: String, _ flags: Int32, permissions: mode_t = 0o644) throws(Errno) -> FileDescriptor {
        let number = openat(descriptor.rawValue, name, flags | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, permissions)
        guard number >= 0 else { throw Errno(rawValue: errno) }
        var status = stat()
        guard fstat(number, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            close(number)
            throw .invalidArgument
        }
        return FileDescriptor(rawValue: number)
    }

    /// Of what has the name itself; `nil` where nothing has it.
    package func status(_ name: FilePath.Component) -> stat? {
        var status = stat()
        let result = FilePath(root: nil, [name]).withPlatformString {
            fstatat(descriptor.rawValue, $0, &status, AT_SYMLINK_NOFOLLOW)
        }
        return result == 0 ? status : nil
    }

    /// Gives a file in it another name in it; what had that name goes.
    package func rename(_ name: FilePath.Component, to other: FilePath.Component) throws(Errno) {
        let result = FilePath(root: nil, [name]).withPlatformString { name in
            FilePath(root: nil, [other]).withPlatformString {
                renameat(descriptor.rawValue, name, descriptor.rawValue, $0)
            }
        }
        guard result == 0 else { throw Errno(rawValue: errno) }
    }

    /// Takes a name away, if it is there; a link goes itself, and what it leads to stays.
    package func removeFile(_ name: FilePath.Component) { remove(name, 0) }

    /// Takes an empty folder away.
    package func removeFolder(_ name: FilePath.Component) { remove(name, AT_REMOVEDIR) }

    private func remove(_ name: FilePath.Component, _ flags: Int32) {
        _ = FilePath(root: nil, [name]).withPlatformString { unlinkat(descriptor.rawValue, $0, flags) }
    }

    /// Puts the names in it on the disk: they last only when that is done.
    package func synchronize() { fsync(descriptor.rawValue) }
}
