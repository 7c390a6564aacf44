import Dispatch
import Foundation
import LiveActivity
import Threads

/// Lines for people on their way to standard error. Who stops to read them (Ctrl-S, a pager, a log reader that hangs, a connection that
/// is gone) keeps no work from going on: what cannot be written at once is written by a thread of its own, later or never.
final class Notes: Sendable {
    private struct State {
        var waiting: [String] = []
        var isWriting = false
        var leftOut = 0
        /// Whether a terminal was waited for in vain.
        var isLate = false
    }
    private let descriptor: Int32
    /// One whose other end has stopped may say that it takes something, and wait in the middle of it.
    private let isTerminal: Bool
    private let state = Locked(State())
    private let writer = DispatchQueue(label: "rushes-notes")

    init(on descriptor: Int32) { (self.descriptor, isTerminal) = (descriptor, isatty(descriptor) == 1) }

    /// Writes a line, above a bar that is drawn, behind all that came before it. Waits for a terminal that has stopped a tenth of a
    /// second, once, so that what is printed next comes behind it; and for nothing else.
    func write(_ line: String) {
        if add(line), isTerminal, !state.withLock({ $0.isLate }) {
            let isLate = !hasWritten(within: .milliseconds(100))
            state.withLock { $0.isLate = isLate }
        }
    }

    /// Whether it is still to be written.
    private func add(_ line: String) -> Bool {
        let isNow = state.withLock { state -> Bool in
            // A pipe that takes something takes all of a line that fits.
            if !isTerminal, !state.isWriting, line.utf8.count < Int(PIPE_BUF), isWritable { return true }
            if state.waiting.count < Self.most { state.waiting.append(line) } else { state.leftOut += 1 }
            if !state.isWriting {
                state.isWriting = true
                writer.async { self.writeWaiting() }
            }
            return false
        }
        if isNow { put(line) }
        return !isNow
    }

    /// Waits until all is written, but not longer than this for who does not read: call before the process ends.
    func finish(within limit: Duration) {
        if state.withLock({ $0.isWriting }) { _ = hasWritten(within: limit) }
    }

    private func hasWritten(within limit: Duration) -> Bool {
        let isDone = AsyncSignal()
        writer.async { isDone.fire() }
        return isDone.waitOnThread(within: limit)
    }

    /// Lines that wait; a recording says a few in an hour.
    private static let most = 1000

    private func writeWaiting() {
        while let lines = next() { for line in lines { put(line) } }
    }

    private func next() -> [String]? {
        state.withLock { state in
            defer { (state.waiting, state.leftOut) = ([], 0) }
            state.isWriting = !state.waiting.isEmpty
            guard state.isWriting else { return nil }
            return state.waiting
                + (state.leftOut > 0 ? ["rushes: \(state.leftOut) more lines could not be shown."] : [])
        }
    }

    private func put(_ line: String) {
        if !TerminalBar.printAbove(line) { StandardStreams.write(line + "\n", to: descriptor) }
    }

    private var isWritable: Bool {
        var output = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        // Where nobody reads any more a write fails at once.
        return poll(&output, 1, 0) > 0
    }
}
