import Threads
import Foundation

/// Shows activities on a terminal, a line for each that is drawn again with each event and gone at its end.
package final class TerminalBar: Sendable {
    private let terminal: Terminal
    private let drawing: Locked<Drawing>

    /// The bar that was begun last: there is one line to write to.
    private static let latest = Locked<TerminalBar?>(nil)

    /// - Parameter named: whether each line begins with the activity's title, even where there is only one.
    package init(_ terminal: Terminal = Terminal(), named: Bool = false) {
        self.terminal = terminal
        drawing = Locked(
            Drawing(
                line: StatusLine(ascii: terminal.isASCII, hasColor: terminal.hasColor),
                drawsProgress: terminal.drawsProgress, named: named))
    }

    /// Prints a line on standard error, above the bars if any are drawn there. False where none are, and then nothing is
    /// printed.
    package static func printAbove(_ text: String) -> Bool {
        guard let bar = latest.withLock({ $0 }) else { return false }
        return bar.drawing.withLock { drawing in
            guard drawing.isDrawn else { return false }
            return bar.terminal.write(drawing.above(text).utf8)
        }
    }

    /// Draws what the event says; an end takes the activity's line away. In the background nothing is drawn.
    package func show(_ event: ActivityEvent) {
        if terminal.descriptor == STDERR_FILENO { Self.latest.withLock { $0 = self } }
        drawing.withLock { drawing in
            guard terminal.isInForeground else { return drawing.note(event) }
            let size = terminal.size
            _ = terminal.write(drawing.show(event, columns: size?.columns ?? 80, rows: size?.rows ?? 24).utf8)
        }
    }

    /// Prints a line above the bars.
    package func print(_ text: String) {
        drawing.withLock { drawing in _ = terminal.write(drawing.above(text).utf8) }
    }

    /// Takes the lines away and leaves the terminal as it was; for every way out of the program.
    package func clear() {
        drawing.withLock { drawing in _ = terminal.write(drawing.clear().utf8) }
    }
}

/// The bytes of the bars, without the terminal.
struct Drawing {
    let line: StatusLine
    let named: Bool
    private var shown = ShownActivities()
    private var drawn: [String] = []
    private var tab: TabProgress
    var isDrawn: Bool { !drawn.isEmpty }

    init(line: StatusLine, drawsProgress: Bool, named: Bool = false) {
        self.line = line
        self.named = named
        tab = TabProgress(isDrawn: drawsProgress)
    }

    mutating func show(_ event: ActivityEvent, columns: Int, rows: Int = 24) -> String {
        shown.take(event)
        guard let first = shown.all.first else { return clear() }
        // The last column stays free: a character there makes some terminals begin a new line. So does the last row, lest
        // what lies above it scroll away with each drawing.
        let lines = lines(width: columns - 1, limit: max(1, rows - 1))
        defer { drawn = lines }
        return (lines == drawn ? "" : replaced(by: lines)) + tab.show(first.event, at: event.timestamp)
    }

    /// Takes the event in, and what is drawn as somebody else's by now.
    mutating func note(_ event: ActivityEvent) {
        shown.take(event)
        drawn = []
    }

    mutating func above(_ text: String) -> String {
        let safe = text.split(separator: "\n", omittingEmptySubsequences: false).map {
            TerminalText.printable(String($0))
        }
        return erased + safe.joined(separator: "\n") + "\n" + drawn.joined(separator: "\n")
    }

    mutating func clear() -> String {
        defer { drawn = [] }
        return (drawn.isEmpty ? "" : erased) + tab.clear()
    }

    private func lines(width: Int, limit: Int) -> [String] {
        let isNamed = named || shown.all.count > 1
        let all = shown.all
        let fitting = all.count > limit ? all.prefix(limit - 1) : all[...]
        let lines = fitting.map { one in
            let name = isNamed && width > 6 ? TerminalText.truncated(one.title, to: min(28, width / 3)) + "  " : ""
            let rest = max(0, width - TerminalText.width(name))
            return name + line.text(one.event.contentState, kind: one.event.kind, width: rest)
        }
        guard fitting.count < all.count else { return lines }
        return lines + [TerminalText.truncated("and \(all.count - fitting.count) more", to: max(0, width))]
    }

    /// Back to the first line that is drawn.
    private var top: String { (drawn.count > 1 ? "\u{1B}[\(drawn.count - 1)A" : "") + "\r" }

    private var erased: String { top + (drawn.count > 1 ? "\u{1B}[J" : "\u{1B}[K") }

    private func replaced(by lines: [String]) -> String {
        top + lines.map { $0 + "\u{1B}[K" }.joined(separator: "\n") + (lines.count < drawn.count ? "\u{1B}[J" : "")
    }
}
