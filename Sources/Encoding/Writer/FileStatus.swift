import Foundation
public import SystemPackage

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

func isWritable(_ folder: FilePath) -> Bool { folder.withPlatformString { access($0, W_OK | X_OK) } == 0 }

/// Bytes that an ordinary user may still write where the path stands, or `nil` if the system does not say.
public func freeSpace(_ path: FilePath) -> Int64? {
    var status = statvfs()
    guard path.withPlatformString({ statvfs($0, &status) }) == 0 else { return nil }
    return Int64(clamping: status.f_bavail) * Int64(clamping: status.f_frsize)
}

func removeFile(_ path: FilePath) { _ = path.withPlatformString { unlink($0) } }

func synchronize(_ descriptor: FileDescriptor) { _ = fdatasync(descriptor.rawValue) }
