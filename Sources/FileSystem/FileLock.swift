import Foundation
package import SystemPackage
import Threads

/// Advisory locks (flock(2)). They belong to the open file and end with it, also when its process dies.
package enum FileLock: Sendable {
    /// Any number beside each other.
    case shared
    /// One, and no shared ones beside it.
    case exclusive

    /// What became of asking for a lock.
    package enum Answer: Equatable {
        case taken
        /// Another has one that excludes it.
        case isHeld
        /// There can be none, as on file systems that know no locks.
        case refused(Errno)
    }

    /// Asks once, and does not wait.
    package func ask(_ descriptor: FileDescriptor) -> Answer {
        let operation = self == .shared ? LOCK_SH : LOCK_EX
        while flock(descriptor.rawValue, operation | LOCK_NB) != 0 {
            if errno == EWOULDBLOCK { return .isHeld }
            if errno != EINTR { return .refused(Errno(rawValue: errno)) }
        }
        return .taken
    }

    /// Waits for its turn.
    ///
    /// - Parameter limit: no longer than this: a holder may have been stopped.
    /// - Throws: `resourceTemporarilyUnavailable` if the turn did not come; why there can be no lock.
    package func wait(for descriptor: FileDescriptor, within limit: Duration) throws(Errno) {
        let isTaken = try TimeLimit(limit).wait(every: .milliseconds(5)) { () throws(Errno) in
            switch ask(descriptor) {
            case .taken: return true
            case .refused(let reason): throw reason
            case .isHeld: return false
            }
        }
        if !isTaken { throw .resourceTemporarilyUnavailable }
    }

    /// Gives it back; no lock is no fault.
    package static func release(_ descriptor: FileDescriptor) { _ = flock(descriptor.rawValue, LOCK_UN) }
}
