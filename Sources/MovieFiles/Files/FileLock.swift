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
        throw Self.isWritten
    }

    static func release(_ descriptor: FileDescriptor) {
        _ = flock(descriptor.rawValue, LOCK_UN)
    }

    /// Finds out whether another program has the file open for writing, one that knows nothing of our locks.
    ///
    /// The kernel gives a read lease (`fcntl_setlease` in fcntl(2)) only where nobody has. It is given back at once: only the
    /// answer is wanted. Who may not ask, or a file system that cannot tell, gets no answer, and then the file counts as
    /// free.
    ///
    /// - Throws: `unsupported` where somebody writes the file.
    static func expectNoWriter(_ path: FilePath) throws(MovieFileError) {
        if hasWriter(path, attempts: attempts) == true { throw isWritten }
    }

    /// The same as an answer: `nil` where nobody can tell.
    static func hasWriter(_ path: FilePath, attempts: Int) -> Bool? {
        let options: FileDescriptor.OpenOptions = [.closeOnExec, .nonBlocking]
        guard let descriptor = try? FileDescriptor.open(path, .readOnly, options: options) else { return nil }
        defer { try? descriptor.close() }
        // Whoever opens the file in this moment has the kernel tell us so, by a signal that is ignored unless asked for.
        _ = fcntl(descriptor.rawValue, setSignal, SIGURG)
        for attempt in 1...attempts {
            if fcntl(descriptor.rawValue, setLease, Int32(F_RDLCK)) == 0 {
                _ = fcntl(descriptor.rawValue, setLease, Int32(F_UNLCK))
                return false
            }
            guard errno == EAGAIN else { return nil }
            if attempt < attempts { usleep(pauseInMicroseconds) }
        }
        return true
    }

    /// A program that a writer has just started holds its parent's files open for a moment, and so may one that is ending.
    static let attempts = 5
    private static let pauseInMicroseconds: UInt32 = 20_000

    /// `F_SETSIG` and `F_SETLEASE` of `fcntl.h`, which Swift's Glibc module leaves out.
    private static let setSignal: Int32 = 10
    private static let setLease: Int32 = 1024

    private static var isWritten: MovieFileError {
        .unsupported(reason: "another program has it open for writing; wait until that has ended")
    }
}
