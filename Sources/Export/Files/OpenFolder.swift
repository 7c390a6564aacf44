import Foundation
import SystemPackage

/// A folder by its descriptor: what is done in it is done there, wherever its name leads meanwhile. No symbolic link in it
/// is followed.
final class OpenFolder: Sendable {
    let descriptor: FileDescriptor
    /// Of the user that the folder belongs to.
    let owner: uid_t

    /// - Parameter path: as the person named it; links on the way are the person's own.
    /// - Throws: `noSuchFileOrDirectory`; `notDirectory`; why it cannot be opened.
    convenience init(_ path: FilePath) throws(Errno) {
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
        owner = status.st_uid
    }

    deinit { try? descriptor.close() }

    private static let reading = O_RDONLY | O_DIRECTORY | O_CLOEXEC

    /// A folder in it.
    ///
    /// - Throws: `noSuchFileOrDirectory`; `notDirectory` for a symbolic link too, wherever that leads.
    func folder(_ name: String) throws(Errno) -> OpenFolder {
        try OpenFolder(openat(descriptor.rawValue, name, Self.reading | O_NOFOLLOW, 0))
    }

    /// - Throws: `fileExists` where anything has the name.
    func makeFolder(_ name: String, permissions: mode_t = 0o755) throws(Errno) {
        guard mkdirat(descriptor.rawValue, name, permissions) == 0 else { throw Errno(rawValue: errno) }
    }

    /// Opens a file, and nothing else that may have the name: a link, or a pipe that would hold up its reader.
    ///
    /// - Parameter flags: as for open(2).
    /// - Throws: `tooManySymbolicLinkLevels` for a link; `invalidArgument` for what is no file.
    func file(_ name: String, _ flags: Int32, permissions: mode_t = 0o644) throws(Errno) -> FileDescriptor {
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
    func status(_ name: FilePath.Component) -> stat? {
        var status = stat()
        let result = FilePath(root: nil, [name]).withPlatformString {
            fstatat(descriptor.rawValue, $0, &status, AT_SYMLINK_NOFOLLOW)
        }
        return result == 0 ? status : nil
    }

    /// In the file system's order; none where the folder cannot be read.
    var names: [FilePath.Component] {
        // A listing moves its descriptor's place, so it gets one of its own.
        let number = openat(descriptor.rawValue, ".", Self.reading, 0)
        guard number >= 0 else { return [] }
        guard let stream = fdopendir(number) else {
            close(number)
            return []
        }
        return FolderListing.names(takenFrom: stream)
    }

    /// Gives a file in it another name in it; what had that name goes.
    func rename(_ name: String, to other: String) throws(Errno) {
        guard renameat(descriptor.rawValue, name, descriptor.rawValue, other) == 0 else {
            throw Errno(rawValue: errno)
        }
    }

    /// Takes a name away, if it is there; a link goes itself, and what it leads to stays.
    func removeFile(_ name: FilePath.Component) { remove(name, 0) }

    /// Takes an empty folder away.
    func removeFolder(_ name: FilePath.Component) { remove(name, AT_REMOVEDIR) }

    private func remove(_ name: FilePath.Component, _ flags: Int32) {
        _ = FilePath(root: nil, [name]).withPlatformString { unlinkat(descriptor.rawValue, $0, flags) }
    }

    /// Puts the names in it on the disk.
    func synchronize() { fsync(descriptor.rawValue) }
}
