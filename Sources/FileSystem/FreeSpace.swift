import Foundation
package import SystemPackage

/// Bytes that an ordinary user may still write where the path stands, or `nil` if the system does not say.
package func freeSpace(_ path: FilePath) -> Int64? {
    var status = statvfs()
    return path.withPlatformString { statvfs($0, &status) } == 0 ? status.free : nil
}

/// The same of the disk that an open file lies on.
package func freeSpace(_ file: FileDescriptor) -> Int64? {
    var status = statvfs()
    return fstatvfs(file.rawValue, &status) == 0 ? status.free : nil
}

extension statvfs {
    fileprivate var free: Int64 { Int64(clamping: f_bavail) * Int64(clamping: f_frsize) }
}
