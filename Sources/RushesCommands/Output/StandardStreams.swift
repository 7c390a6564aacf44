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

    /// Ends the process once nobody reads standard output any more: for work that is done for its reader alone, and that may
    /// have nothing to write for hours.
    static func endWithReader() {
        OwnThread.run("rushes-reader") {
            // Asked for nothing, it tells of errors and the other side's end.
            var output = pollfd(fd: STDOUT_FILENO, events: 0, revents: 0)
            while poll(&output, 1, -1) <= 0 { guard errno == EINTR else { return } }
            if output.revents & Int16(POLLERR | POLLHUP) != 0 { _exit(0) }
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

    /// How many it may open, where that is less than the libraries need for the smallest work: they end the process when they
    /// get none.
    static var shortageOfFiles: String? {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0, limit.rlim_cur < fewestFiles else {
            return nil
        }
        return "Only \(limit.rlim_cur) files may be open at once, and \(fewestFiles) are needed; "
            + "raise the limit (ulimit -n)."
    }

    private static let fewestFiles: rlim_t = 64

    private static let notes = Notes(on: STDERR_FILENO)

    /// On a line of its own, above a bar that is drawn. A terminal gets lines that break between words. Who does not read
    /// keeps nobody waiting (``Notes``).
    static func printNote(_ line: String) { notes.write(wrapped(Sentence.printable(line), for: STDERR_FILENO)) }

    /// Call before the process ends: gives who reads slowly two seconds for the last lines.
    static func finishNotes() { notes.finish(within: .seconds(2)) }

    /// The same for an answer that a person reads, without colors where a program does.
    ///
    /// - Parameters:
    ///   - mark: what the line begins with, in a color where the terminal has it.
    ///   - indent: columns before what does not fit the first line.
    static func printText(_ line: String, mark: (text: String, style: StyledText.Style)? = nil, indent: Int = 0) {
        let text = wrapped((mark?.text ?? "") + Sentence.printable(line), for: STDOUT_FILENO, indent: indent)
        guard let mark else { return printResult(text) }
        let begin = StyledText(mark.text, mark.style).rendered(hasColor: Terminal(STDOUT_FILENO).hasColor)
        printResult(begin + text.dropFirst(mark.text.count))
    }

    private static let narrowest = 24

    private static func wrapped(_ line: String, for descriptor: Int32, indent: Int = 0) -> String {
        let terminal = Terminal(descriptor)
        guard terminal.isTerminal, let columns = terminal.size?.columns else { return line }
        // A column that is too narrow to be read gives way to whole lines.
        return TerminalText.wrapped(line, to: columns, indent: columns - indent < narrowest ? min(indent, 4) : indent)
    }

    /// What GStreamer says to developers, in as many lines as it likes.
    static func printDetails(_ text: String) { notes.write(text) }

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

extension ActivityEvent {
    /// For where the message is said in a sentence of its own.
    var withoutMessage: ActivityEvent {
        var state = contentState
        state.message = nil
        return ActivityEvent(
            sequence: sequence, id: id, event: event, kind: kind, timestamp: timestamp, attributes: attributes,
            contentState: state, staleDate: staleDate, relevanceScore: relevanceScore, dismissalDate: dismissalDate)
    }
}
