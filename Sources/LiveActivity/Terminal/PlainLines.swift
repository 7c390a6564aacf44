import Threads
import Foundation

/// Shows activities as plain lines, for a log or a pipe: at growing intervals, and whenever something changes.
package final class PlainLines: Sendable {
    private let terminal: Terminal
    private let named: Bool
    private let schedules = Locked<[String: (title: String, schedule: PlainSchedule)]>([:])

    /// - Parameter named: whether each line begins with the activity's title.
    package init(_ terminal: Terminal = Terminal(), named: Bool = false) {
        self.terminal = terminal
        self.named = named
    }

    /// Writes a line, if the event is worth one.
    package func show(_ event: ActivityEvent) {
        schedules.withLock { schedules in
            var one = schedules[event.id] ?? (event.attributes?.title ?? event.kind.rawValue, PlainSchedule())
            if let line = one.schedule.line(for: event) {
                let name = named ? TerminalText.printable(one.title) + ": " : ""
                _ = terminal.write((name + line + "\n").utf8)
            }
            schedules[event.id] = event.event == .end ? nil : one
        }
    }
}

/// Which events become a line: after 2, 4, 8, 16 and 32 seconds, then once a minute; and each change of phase or message.
struct PlainSchedule {
    private var last: (timestamp: Date, elapsed: TimeInterval)?
    /// Seconds since the first event.
    private var time = 0.0
    private var next = 2.0
    private var phase: ContentState.Phase?
    private var message: String?

    mutating func line(for event: ActivityEvent) -> String? {
        let state = event.contentState
        if let last {
            // Timestamps stand still while a clock that was set back catches up.
            time += max(0, event.timestamp.timeIntervalSince(last.timestamp), state.elapsed - last.elapsed)
        }
        last = (event.timestamp, state.elapsed)
        let isDue = time >= next
        while time >= next { next = next < 60 ? min(next * 2, 60) : next + 60 }
        let isSaid = state.message == message
        let isNews = state.phase != phase || !isSaid || event.event == .end
        (phase, message) = (state.phase, state.message)
        // In a log that is read from its beginning a message is said once.
        return isDue || isNews ? PlainSchedule.text(event, withMessage: !isSaid) : nil
    }

    /// Such as "recording running, 0:16, 48.2 MB, -18 dB, 3 frames dropped".
    static func text(_ event: ActivityEvent, withMessage: Bool = true) -> String {
        let state = event.contentState
        let time = event.kind == .recording ? state.mediaTime ?? state.elapsed : state.elapsed
        let waiting = state.waitingWords(event.kind)
        var parts = [waiting ?? "\(event.kind.rawValue) \(state.phase.rawValue)", Quantities.clock(time)]
        // What is over has no part that is done, and is not loud.
        if let fraction = state.fraction, state.phase != .finished { parts.append(Quantities.percent(fraction)) }
        if waiting == nil, let subtitle = state.subtitle { parts.append(subtitle) }
        if let bytes = state.bytesWritten { parts.append(Quantities.bytes(bytes)) }
        if let level = state.audioLevel?.max(), !state.phase.isFinal { parts.append(Quantities.level(level)) }
        if let dropped = state.framesDropped, dropped > 0 {
            parts.append("\(dropped) \(dropped == 1 ? "frame" : "frames") dropped")
        }
        if let failed = state.failedItems, failed > 0 { parts.append("\(failed) failed") }
        if let remaining = state.remaining { parts.append("\(Quantities.span(remaining)) left") }
        if withMessage, let message = state.message { parts.append(message) }
        return TerminalText.printable(parts.joined(separator: ", "))
    }
}

extension ContentState {
    /// What is done meanwhile where a recording has not begun and something else is to be seen than that it waits, such as "levels only".
    func waitingWords(_ kind: ActivityKind) -> String? { kind == .recording && phase == .waiting ? subtitle : nil }
}

extension ActivityEvent {
    /// How the activity stands, in one line for people: "recording running, 0:16, 48.2 MB, -18 dB".
    package var summary: String { PlainSchedule.text(self) }
}
