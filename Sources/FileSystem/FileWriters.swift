import Foundation
package import SystemPackage
import Threads

/// Programs that have a file open for writing, also those that know nothing of our locks.
package enum FileWriters {
    /// Whether there is one now, as the kernel knows by its leases (`F_SETLEASE` in fcntl(2)). Blocks for no longer than
    /// opening the file does.
    ///
    /// - Returns: `nil` where nobody can tell: on file systems without leases, and where the file is another user's.
    package static func isWritten(_ path: FilePath) -> Bool? { hasWriter(path, within: .zero) }

    /// The same, asked again for as long as ``timeout``.
    package static func isStillWritten(_ path: FilePath) -> Bool? { hasWriter(path, within: timeout) }

    /// A program that a writer has just started holds its files and locks for a moment, and so may one that is ending; on a busy machine that
    /// is more than one second.
    package static let timeout = Duration.seconds(3)

    /// The kernel gives a read lease only where nobody writes. It is given back at once: only the answer is wanted.
    private static func hasWriter(_ path: FilePath, within limit: Duration) -> Bool? {
        let options: FileDescriptor.OpenOptions = [.closeOnExec, .nonBlocking]
        guard let descriptor = try? FileDescriptor.open(path, .readOnly, options: options) else { return nil }
        defer { try? descriptor.close() }
        // Whoever opens the file in this moment has the kernel tell us so, by a signal that is ignored unless asked for.
        _ = fcntl(descriptor.rawValue, setSignal, SIGURG)
        var isWritten: Bool? = true
        _ = TimeLimit(limit).wait(every: .milliseconds(20)) {
            if fcntl(descriptor.rawValue, setLease, Int32(F_RDLCK)) == 0 {
                _ = fcntl(descriptor.rawValue, setLease, Int32(F_UNLCK))
                isWritten = false
            } else if errno != EAGAIN {
                isWritten = nil
            }
            return isWritten != true
        }
        return isWritten
    }

    /// `F_SETSIG` and `F_SETLEASE` of `fcntl.h`, which Swift's Glibc module leaves out.
    private static let setSignal: Int32 = 10
    private static let setLease: Int32 = 1024
}
