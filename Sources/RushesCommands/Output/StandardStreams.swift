import Foundation
import LiveActivity
import SystemPackage
import Threads

/// Lines for programs on standard output, words for people on standard error.
///
/// A reader that went away (`rushes … | head`) or a full disk under a log never ends the work: what cannot be written is
/// left out.
enum StandardStreams {
    /// Call once before anything is opened. A closed pipe, or a file that grows beyond the shell's limit (ulimit -f), is then
    /// an error of the write, not the end of the process; and a stream that was closed by the caller (`2>&-`) is nothing, not
    /// the number that the movie's file is given next.
    static func prepare() {
        signal(SIGPIPE, SIG_IGN)
        signal(SIGXFSZ, SIG_IGN)
        for descriptor in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO] where fcntl(descriptor, F_GETFD) < 0 {
            // The lowest free number, which is this one.
            _ = open("/dev/null", O_RDWR)
        }
    }

    private static let refused = Locked<Errno?>(nil)
    /// Why a result could not be written, other than that nobody reads it any more: a disk that is full, say.
    static var refusal: Errno? { refused.withLock { $0 } }

    static func printResult(_ line: String) { printResult(Array((line + "\n").utf8)) }

    private static func printResult(_ bytes: some Collection<UInt8>) {
        if !write(bytes, to: STDOUT_FILENO), errno != EPIPE {
            let reason = Errno(rawValue: errno)
            refused.withLock { $0 = reason }
        }
    }

    /// Events for programs, a line each.
    static let events = ActivityReporter { printResult($0.line) }

    /// Lets the process open as many files as it may, as far as a batch can need them; each export holds some twenty. Where
    /// none is left, not only the next file fails: libraries end the process, or wait for ever.
    static func allowManyFiles() {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0, limit.rlim_cur < manyFiles else {
            return
        }
        limit.rlim_cur = min(limit.rlim_max, manyFiles)
        _ = setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    }

    private static let manyFiles: rlim_t = 4096

    /// On a line of its own, above a bar that is drawn.
    static func printNote(_ line: String) {
        let line = Sentence.printable(line)
        if !TerminalBar.printAbove(line) { write(line + "\n", to: STDERR_FILENO) }
    }
    /// What GStreamer says to developers, in as many lines as it likes.
    static func printDetails(_ text: String) { write(text + "\n", to: STDERR_FILENO) }

    static func write(_ text: String, to descriptor: Int32) { write(Array(text.utf8), to: descriptor) }

    /// False once nobody reads any more.
    @discardableResult
    static func write(_ bytes: some Collection<UInt8>, to descriptor: Int32) -> Bool {
        var rest = Array(bytes)[...]
        while !rest.isEmpty {
            let written = rest.withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }
            if written < 0 {
                if errno == EINTR { continue }
                return false
            }
            rest = rest.dropFirst(written)
        }
        return true
    }
}
