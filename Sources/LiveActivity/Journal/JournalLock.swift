import Foundation
import SystemPackage

/// Lets one process at a time move what ended into the history. The kernel opens it when its holder dies.
struct JournalLock: Sendable {
    let path: FilePath

    /// Waits two seconds at most for its turn: its holder may have been stopped.
    ///
    /// - Throws: `Errno`: `resourceTemporarilyUnavailable` if the turn did not come, else why the file cannot be opened.
    func withLock<Value>(_ body: () throws -> Value) throws -> Value {
        let file = try FileDescriptor.open(
            path, .readWrite, options: [.create, .closeOnExec], permissions: .ownerReadWrite)
        return try file.closeAfter {
            let end = Date().addingTimeInterval(2)
            while flock(file.rawValue, LOCK_EX | LOCK_NB) != 0 {
                guard errno == EWOULDBLOCK || errno == EINTR else { throw Errno(rawValue: errno) }
                guard Date() < end else { throw Errno.resourceTemporarilyUnavailable }
                usleep(5000)
            }
            return try body()
        }
    }
}
