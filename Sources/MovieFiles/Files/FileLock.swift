import Foundation
import SystemPackage

/// Advisory locks that keep a movie from being edited while it is recorded.
///
/// They belong to the open file and end with it, also when its process dies.
enum FileLock {
    case shared, exclusive

    /// Locks a file as far as its file system can do that.
    ///
    /// - Throws: `unsupported` where another program has locked it.
    func acquire(_ descriptor: FileDescriptor) throws(MovieFileError) {
        let operation = self == .shared ? LOCK_SH : LOCK_EX
        guard flock(descriptor.rawValue, operation | LOCK_NB) != 0, errno == EWOULDBLOCK else { return }
        throw .unsupported(reason: "another program is writing it; wait until that has ended")
    }

    static func release(_ descriptor: FileDescriptor) {
        _ = flock(descriptor.rawValue, LOCK_UN)
    }
}
