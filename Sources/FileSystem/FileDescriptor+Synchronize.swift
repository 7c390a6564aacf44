import Foundation
package import SystemPackage

extension FileDescriptor {
    /// Returns when everything written so far is on the disk.
    ///
    /// - Throws: why it may not be whole there. A pipe or a file system without this call has nothing to put on a disk.
    package func synchronize() throws(Errno) {
        while fdatasync(rawValue) != 0 {
            if errno == EINVAL || errno == EROFS { return }
            guard errno == EINTR else { throw Errno(rawValue: errno) }
        }
    }
}
