import CFileSpace
import Foundation
package import SystemPackage

/// Bytes that an ordinary user may still write where the path stands, or `nil` if the system does not say.
package func freeSpace(_ path: FilePath) -> Int64? {
    var status = statvfs()
    return path.withPlatformString { statvfs($0, &status) } == 0 ? status.free : nil
}

/// Bytes that the disk holds on which the path stands, or `nil` if the system does not say.
package func diskSize(_ path: FilePath) -> Int64? {
    var status = statvfs()
    guard path.withPlatformString({ statvfs($0, &status) }) == 0, status.f_blocks > 0 else { return nil }
    let (size, isTooLarge) = Int64(clamping: status.f_blocks).multipliedReportingOverflow(
        by: Int64(clamping: status.f_frsize))
    return isTooLarge ? nil : size
}

/// What is free on the disk that an open file lies on, likewise.
package func freeSpace(_ file: FileDescriptor) -> Int64? {
    var status = statvfs()
    return fstatvfs(file.rawValue, &status) == 0 ? status.free : nil
}

extension statvfs {
    fileprivate var free: Int64 { Int64(clamping: f_bavail) * Int64(clamping: f_frsize) }
}

/// How many bytes a file in a folder can have at most, by the shell's limit (`ulimit -f`) or as FAT knows no more; `nil` if nothing is
/// known to limit it. Blocks as long as the disk does.
package func largestFile(in folder: FilePath) -> Int64? {
    var limit = rlimit()
    let isLimited =
        getrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit) == 0 && limit.rlim_cur < rlim_t(Int64.max)
    let fat: Int64? = folder.withPlatformString { rushes_is_on_fat($0) } != 0 ? (1 << 32) - 1 : nil
    return [isLimited ? Int64(limit.rlim_cur) : nil, fat].compactMap(\.self).min()
}
