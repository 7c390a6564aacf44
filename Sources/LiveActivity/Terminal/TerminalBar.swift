import Threads
import Foundation

/// Shows an activity as one line of a terminal that is drawn again with each event, and gone at the end.
public final class TerminalBar: Sendable {
    private let terminal: Terminal
    private let drawing: Locked<Drawing>

    public init(_ terminal: Terminal = Terminal()) {
        self.terminal = terminal
        drawing = Locked(Drawing(line: StatusLine(ascii: terminal.isASCII), drawsProgress: terminal.drawsProgress))
    }

    /// Draws what the event says; an end takes the line away.
    public func show(_ event: ActivityEvent) {
        drawing.withLock { drawing in
            let columns = terminal.columns ?? 80
            _ = terminal.write(drawing.show(event, columns: columns).utf8)
        }
    }

    /// Prints a line above the bar.
    public func print(_ text: String) {
        drawing.withLock { drawing in _ = terminal.write(drawing.above(text).utf8) }
    }

    /// Takes the line away and leaves the terminal as it was; for every way out of the program.
    public func clear() {
        drawing.withLock { drawing in _ = terminal.write(drawing.clear().utf8) }
    }
}

/// The bytes of the bar, without the terminal.
struct Drawing {
    let line: StatusLine
    let drawsProgress: Bool
    private var drawn = ""
    private var progress = Progress.none
    private var progressTime = Date.distantPast

    init(line: StatusLine, drawsProgress: Bool) {
        self.line = line
        self.drawsProgress = drawsProgress
    }

    /// The tab's progress as OSC 9;4 numbers it.
    private enum Progress: Equatable {
        case none, indeterminate
        case value(Int)
        case error(Int)
        case paused(Int)

        var sequence: String {
            let (state, value) =
                switch self {
                case .none: (0, 0)
                case .value(let percent): (1, percent)
                case .error(let percent): (2, percent)
                case .indeterminate: (3, 0)
                case .paused(let percent): (4, percent)
                }
            // Ended by ST: VTE ignores the sequence with BEL.
            return "\u{1B}]9;4;\(state);\(value)\u{1B}\\"
        }
    }

    mutating func show(_ event: ActivityEvent, columns: Int) -> String {
        guard event.event != .end else { return clear() }
        // The last column stays free: a character there makes some terminals begin a new line.
        let text = line.text(event.contentState, kind: event.kind, width: columns - 1)
        defer { drawn = text }
        let bar = text == drawn ? "" : "\r\(text)\u{1B}[K"
        return bar + tab(event)
    }

    mutating func above(_ text: String) -> String {
        let safe = text.split(separator: "\n", omittingEmptySubsequences: false).map {
            TerminalText.printable(String($0))
        }
        return "\r\u{1B}[K" + safe.joined(separator: "\n") + "\n" + drawn
    }

    mutating func clear() -> String {
        defer { (drawn, progress) = ("", .none) }
        return (drawn.isEmpty ? "" : "\r\u{1B}[K") + (progress == .none ? "" : Progress.none.sequence)
    }

    private mutating func tab(_ event: ActivityEvent) -> String {
        guard drawsProgress else { return "" }
        let percent = event.contentState.fraction.map { Int($0 * 100) }
        let now: Progress =
            switch event.contentState.phase {
            case .paused, .interrupted: .paused(percent ?? 0)
            case .failed: .error(percent ?? 100)
            default: percent.map { .value($0) } ?? .indeterminate
            }
        // Some terminals drop what is not repeated for 15 seconds.
        guard now != progress || event.timestamp.timeIntervalSince(progressTime) >= 5 else { return "" }
        (progress, progressTime) = (now, event.timestamp)
        return now.sequence
    }
}
