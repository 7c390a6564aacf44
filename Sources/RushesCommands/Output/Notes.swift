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
    }
    private let descriptor: Int32
    private let state = Locked(State())
    private let writer = DispatchQueue(label: "rushes-notes")

    init(on descriptor: Int32) { self.descriptor = descriptor }

    /// Writes a line, above a bar that is drawn, behind all that came before it. Never waits.
    func write(_ line: String) {
        let isNow = state.withLock { state -> Bool in
            // As long as it fits, a pipe or a terminal that takes something takes all of it.
            if !state.isWriting, line.utf8.count < Int(PIPE_BUF), isWritable { return true }
            if state.waiting.count < Self.most { state.waiting.append(line) } else { state.leftOut += 1 }
            if !state.isWriting {
                state.isWriting = true
                writer.async { self.writeWaiting() }
            }
            return false
        }
        if isNow { put(line) }
    }

    /// Waits until all is written, but not longer than the seconds for who does not read: call before the process ends.
    func finish(within seconds: Double) {
        guard state.withLock({ $0.isWriting }) else { return }
        let isDone = DispatchSemaphore(value: 0)
        writer.async { isDone.signal() }
        _ = isDone.wait(timeout: .now() + seconds)
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
