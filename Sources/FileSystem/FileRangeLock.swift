import Foundation
package import SystemPackage
import Threads

/// Locks on single bytes of one file, which need not have them ("open file description locks", fcntl(2)).
///
/// The kernel opens them when their holder dies. They hold between the machines of a network file system too.
package final class FileRangeLock: Sendable {
    private let file: FileDescriptor

    /// - Parameter file: open for reading and writing; it is closed with this.
    package init(_ file: FileDescriptor) { self.file = file }

    deinit { try? file.close() }

    /// Asks once, and does not wait. False where another holds it.
    package func take(_ place: UInt64, _ lock: FileLock = .exclusive) throws(Errno) -> Bool {
        guard !set(place, lock == .shared ? F_RDLCK : F_WRLCK) else { return true }
        let reason = Errno(rawValue: errno)
        guard reason == .resourceTemporarilyUnavailable || reason == .permissionDenied else { throw reason }
        return false
    }

    /// Asks until its turn comes, but no longer than a moment. A program that was just started from this process holds what its
    /// parent held until it runs. Blocks its thread. False where another holds it.
    package func takeSoon(_ place: UInt64, _ lock: FileLock = .exclusive) throws(Errno) -> Bool {
        try TimeLimit(.milliseconds(500)).wait { () throws(Errno) in try take(place, lock) }
    }

    /// Gives it back.
    package func release(_ place: UInt64) { _ = set(place, F_UNLCK) }

    private func set(_ place: UInt64, _ type: Int32) -> Bool {
        var range = flock()
        range.l_type = Int16(type)
        range.l_whence = Int16(SEEK_SET)
        range.l_start = off_t(clamping: place)
        range.l_len = 1
        return fcntl(file.rawValue, Self.setOwnLock, &range) == 0
    }

    /// `F_OFD_SETLK` of `fcntl.h`, which Swift's Glibc module leaves out.
    private static let setOwnLock: Int32 = 37
}
