import Foundation
import Threads

/// A program that goes on when this one ends, with nothing of this one's: no terminal, no output, no open file.
enum DetachedProcess {
    /// - Parameter arguments: with the name it is to see first.
    /// - Returns: whether it was started.
    static func start(_ program: String, _ arguments: [String]) -> Bool {
        // A pipe that it held open would keep its reader waiting: rushes record --json | jq.
        for name in (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? [] {
            if let descriptor = Int32(name), descriptor > 2 { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
        }
        return (try? NewProcess.start(program, arguments, .session)) != nil
    }
}
