import Foundation

/// Lines for programs on standard output, words for people on standard error.
///
/// A reader that went away (`rushes … | head`) or a full disk under a log never ends the work: what cannot be written is
/// left out.
enum StandardStreams {
    /// Call once before the first write: a closed pipe is then an error of the write, not the end of the process.
    static func ignoreClosedPipes() { signal(SIGPIPE, SIG_IGN) }

    static func printResult(_ line: String) { write(line + "\n", to: STDOUT_FILENO) }
    static func printNote(_ line: String) { write(line + "\n", to: STDERR_FILENO) }

    static func write(_ text: String, to descriptor: Int32) {
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let written = rest.withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }
            if written < 0 {
                if errno == EINTR { continue }
                return
            }
            rest = rest.dropFirst(written)
        }
    }
}
