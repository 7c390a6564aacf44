import Foundation
package import SystemPackage

/// What stands at a path, as far as writing a movie there is concerned. Symbolic links are followed.
struct FileStatus {
    let isFolder: Bool
    let isRegularFile: Bool

    /// - Returns: `nil` if nothing is there.
    init?(_ path: FilePath) {
        var status = stat()
        guard path.withPlatformString({ stat($0, &status) }) == 0 else { return nil }
        isFolder = status.st_mode & S_IFMT == S_IFDIR
        isRegularFile = status.st_mode & S_IFMT == S_IFREG
    }
}

func fileExists(_ path: FilePath) -> Bool { FileStatus(path) != nil }

/// Whether anything has the name, be it a link to nothing.
func isTaken(_ path: FilePath) -> Bool {
    var status = stat()
    return path.withPlatformString { lstat($0, &status) } == 0
}

/// Bytes that the name of a file may have in a folder.
func longestName(in folder: FilePath) -> Int {
    var status = statvfs()
    // What the system takes; some file systems take less.
    let most = 255
    guard folder.withPlatformString({ statvfs($0, &status) }) == 0, status.f_namemax > 0 else { return most }
    return min(most, Int(clamping: status.f_namemax))
}

/// Why the system does not even look for a file of that name, as where the whole path is too long; `nil` if it does.
func nameRefusal(_ path: FilePath) -> Errno? {
    var status = stat()
    guard path.withPlatformString({ lstat($0, &status) }) != 0, errno != ENOENT else { return nil }
    return Errno(rawValue: errno)
}

func isLink(_ path: FilePath) -> Bool {
    var status = stat()
    return path.withPlatformString { lstat($0, &status) } == 0 && status.st_mode & S_IFMT == S_IFLNK
}

/// Why no file can be created in a folder, or `nil` if one can.
///
/// It is tried with a file that has no name and is gone at once: permissions alone do not tell of a disk that is mounted
/// read-only, of quotas and of system folders.
func writeRefusal(_ folder: FilePath) -> Errno? {
    guard folder.withPlatformString({ access($0, W_OK | X_OK) }) == 0 else { return Errno(rawValue: errno) }
    let descriptor = folder.withPlatformString { open($0, unnamedFile | O_WRONLY | O_CLOEXEC, 0o600) }
    guard descriptor < 0 else {
        close(descriptor)
        return nil
    }
    let reason = Errno(rawValue: errno)
    // Network and FUSE file systems need not know unnamed files; there the permissions have to do. A file system without
    // any room at all is the kernel's own.
    var status = statvfs()
    let hasRoom = folder.withPlatformString { statvfs($0, &status) } != 0 || status.f_blocks > 0
    return hasRoom && [.notSupported, .isDirectory, .invalidArgument].contains(reason) ? nil : reason
}

/// O_TMPFILE, a macro that Swift does not import: its own bit together with O_DIRECTORY.
private let unnamedFile: CInt = 0o20_000_000 | O_DIRECTORY

/// Bytes that an ordinary user may still write where the path stands, or `nil` if the system does not say.
package func freeSpace(_ path: FilePath) -> Int64? {
    var status = statvfs()
    guard path.withPlatformString({ statvfs($0, &status) }) == 0 else { return nil }
    return Int64(clamping: status.f_bavail) * Int64(clamping: status.f_frsize)
}

/// Puts a file on its disk and closes it.
///
/// - Returns: why it may not be whole there: networks and file systems of other programs tell some errors only now.
func putAway(_ descriptor: FileDescriptor, synchronizing: Bool = true) -> Errno? {
    var reason: Errno?
    while synchronizing, fdatasync(descriptor.rawValue) != 0 {
        if errno == EINTR { continue }
        // A file system without this call has nothing to put on a disk.
        if errno != EINVAL, errno != EROFS { reason = Errno(rawValue: errno) }
        break
    }
    do { try descriptor.close() } catch { reason = reason ?? error as? Errno ?? .ioError }
    return reason
}

/// Without a frame or an audio there is no movie.
let nothingRecorded = MovieEncodingError(.nothingRecorded, "Nothing was recorded, so there is no file.")
