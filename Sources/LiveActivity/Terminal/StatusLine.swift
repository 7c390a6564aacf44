/// One line that says how an activity stands, as wide as the terminal allows: state in, text out.
///
/// What matters least goes first when the line is narrow.
struct StatusLine {
    var ascii = false

    func text(_ state: ContentState, kind: ActivityKind, width: Int) -> String {
        guard width > 0 else { return "" }
        var parts = parts(state, kind)
        // Ends with the part that must stay, which is cut if even that is too wide.
        while length(parts) > width, let last = parts.indices.dropFirst().max(by: { parts[$0].rank < parts[$1].rank }) {
            parts.remove(at: last)
        }
        let meter = meter(state, columns: width - length(parts))
        let texts = parts.map(\.text)
        return TerminalText.truncated(
            ([texts.first ?? ""] + (meter.map { [$0] } ?? []) + texts.dropFirst()).joined(separator: gap), to: width)
    }

    private let gap = "  "

    private struct Part {
        var text: String
        /// How easily it is done without: 0 never.
        var rank: Int
    }

    private func length(_ parts: [Part]) -> Int {
        parts.reduce(0) { $0 + TerminalText.width($1.text) + gap.count } - gap.count
    }

    /// In the order of the line.
    private func parts(_ state: ContentState, _ kind: ActivityKind) -> [Part] {
        let time = Quantities.clock(kind == .recording ? state.mediaTime ?? state.elapsed : state.elapsed)
        var parts = [Part(text: "\(mark(state.phase)) \(time)", rank: 0)]
        func add(_ rank: Int, _ text: String?) {
            if let text, !text.isEmpty { parts.append(Part(text: TerminalText.printable(text), rank: rank)) }
        }
        if state.phase != .running { add(1, state.phase.rawValue) }
        add(3, state.fraction.map(Quantities.percent))
        add(5, state.audioLevel?.max().map(Quantities.level))
        add(4, state.bytesWritten.map(Quantities.bytes))
        if let dropped = state.framesDropped, dropped > 0 { add(2, "\(dropped) dropped") }
        if let failed = state.failedItems, failed > 0 { add(2, "\(failed) failed") }
        add(6, state.subtitle)
        add(7, state.remaining.map { "\(Quantities.span($0)) left" })
        add(8, state.speed.map { "\(Quantities.decimals($0, 1))x" })
        // Said early enough to act on it, and not before.
        if let space = state.spaceFor, space < 3600 {
            add(space < 300 ? 2 : 8, "disk full in \(Quantities.span(space))")
        }
        add(9, state.message)
        return parts
    }

    private func mark(_ phase: ContentState.Phase) -> String {
        switch phase {
        case .running: ascii ? "*" : "●"
        case .paused, .interrupted: ascii ? "=" : "‖"
        case .waiting, .finishing: ascii ? "-" : "○"
        case .finished: ascii ? "ok" : "✓"
        case .failed, .cancelled: ascii ? "x" : "✗"
        }
    }

    /// How far, or how loud where nobody knows how far, in what room the words leave.
    private func meter(_ state: ContentState, columns room: Int) -> String? {
        let columns = min(room - gap.count - 2, 30)
        guard columns >= 6, !state.phase.isFinal else { return nil }
        let bar: String
        if let fraction = state.fraction {
            bar = Meters.progress(fraction, columns: columns, ascii: ascii)
        } else if let level = state.audioLevel, !level.isEmpty {
            bar = Meters.level(level, columns: columns, ascii: ascii)
        } else {
            return nil
        }
        return "[\(bar)]"
    }
}
