/// One line that says how an activity stands, as wide as the terminal allows: state in, text out.
///
/// What matters least goes first when the line is narrow.
struct StatusLine {
    var ascii = false
    var hasColor = false

    func text(_ state: ContentState, kind: ActivityKind, width: Int) -> String {
        guard width > 0 else { return "" }
        var parts = parts(state, kind)
        // Ends with the part that must stay, which is cut if even that is too wide.
        while length(parts) > width, let last = parts.indices.dropFirst().max(by: { parts[$0].rank < parts[$1].rank }) {
            parts.remove(at: last)
        }
        // What grows takes what is left; of two, how far it is comes before how loud it is.
        let growing = parts.indices.filter { parts[$0].drawn != nil }
        for (order, index) in growing.enumerated() {
            let free = width - length(parts)
            // But not so far that those behind it tell less than they could.
            let wanted = growing[(order + 1)...].reduce(0) { $0 + max(0, parts[$1].wanted - parts[$1].text.width) }
            let share = wanted <= free ? min(free * 3 / 5, free - wanted) : free * 3 / 5
            let columns = (order == growing.count - 1 ? free : share) + parts[index].text.width
            parts[index].text = parts[index].drawn?(columns) ?? parts[index].text
        }
        var line = StyledText()
        for part in parts {
            if line.width > 0 { line.append(gap) }
            line.append(part.text)
        }
        return line.truncated(to: width).rendered(hasColor: hasColor)
    }

    private let gap = "  "

    private struct Part {
        var text: StyledText
        /// How easily it is done without: 0 never.
        var rank: Int
        /// The same in so many columns, of what can take more.
        var drawn: ((Int) -> StyledText)?
        /// Columns from which on it tells more.
        var wanted = 0
    }

    private func length(_ parts: [Part]) -> Int {
        parts.reduce(0) { $0 + $1.text.width + gap.count } - gap.count
    }

    /// In the order of the line.
    private func parts(_ state: ContentState, _ kind: ActivityKind) -> [Part] {
        let time = Quantities.clock(kind == .recording ? state.mediaTime ?? state.elapsed : state.elapsed)
        var parts = [Part(text: mark(state.phase, kind), rank: 0)]
        parts[0].text.append(" \(time)", .strong)
        func add(_ rank: Int, _ text: String?, _ style: StyledText.Style = .plain) {
            guard let text, !text.isEmpty else { return }
            parts.append(Part(text: StyledText(TerminalText.printable(text), style), rank: rank))
        }
        if state.phase != .running { add(1, state.waitingWords(kind) ?? state.phase.rawValue) }
        if let fraction = state.fraction, !state.phase.isFinal { parts.append(bar(fraction)) }
        add(3, state.fraction.map(Quantities.percent))
        add(5, state.bytesWritten.map(Quantities.bytes))
        if let rate = state.framesPerSecond, rate > 0 { add(8, "\(Quantities.rate(rate)) fps") }
        if let dropped = state.framesDropped, dropped > 0 { add(2, "\(dropped) dropped", .warning) }
        if let failed = state.failedItems, failed > 0 { add(2, "\(failed) failed", .bad) }
        if state.muted == true, !state.phase.isFinal { add(2, "muted", .warning) }
        if let levels = state.audioLevel, let loudest = levels.max() {
            if !state.phase.isFinal { parts.append(state.microphones.map(meters) ?? meter(levels)) }
            add(7, Quantities.level(loudest))
        }
        if state.waitingWords(kind) == nil { add(7, state.subtitle) }
        add(4, state.remaining.map { "\(Quantities.span($0)) left" })
        add(9, state.speed.map(Quantities.speed))
        if let space = state.spaceFor { add(rank(ofSpace: space), Quantities.space(for: space), style(ofSpace: space)) }
        add(10, state.message)
        return parts
    }

    private func mark(_ phase: ContentState.Phase, _ kind: ActivityKind) -> StyledText {
        switch phase {
        case .running: StyledText(ascii ? "*" : "●", kind == .recording ? .bad : .accent)
        case .paused, .interrupted: StyledText(ascii ? "=" : "‖", .warning)
        case .waiting, .finishing: StyledText(ascii ? "-" : "○", .accent)
        case .finished: StyledText(ascii ? "ok" : "✓", .good)
        case .failed, .cancelled: StyledText(ascii ? "x" : "✗", .bad)
        }
    }

    /// How far it is.
    private func bar(_ fraction: Double) -> Part {
        growing(rank: 3, fewest: 8, most: 32) { [ascii] columns in
            var text = StyledText("[")
            text.append(Meters.progress(fraction, columns: columns - 2, ascii: ascii), .accent)
            text.append("]")
            return text
        }
    }

    /// How loud it is.
    private func meter(_ levels: [Double]) -> Part {
        growing(rank: 6, fewest: 8, most: 46) { [ascii] in Meters.levels(levels, columns: $0, ascii: ascii) }
    }

    /// How loud each of several microphones is.
    private func meters(_ microphones: [MicrophoneLevel]) -> Part {
        var part = growing(rank: 6, fewest: 8, most: 38 * microphones.count) { [ascii] in
            Meters.levels(microphones, columns: $0, ascii: ascii)
        }
        part.wanted = Meters.fewestColumns(of: microphones)
        return part
    }

    private func growing(rank: Int, fewest: Int, most: Int, _ draw: @escaping (Int) -> StyledText) -> Part {
        Part(text: draw(fewest), rank: rank) { draw(min(max($0, fewest), most)) }
    }

    /// Said early enough to act on it.
    private func rank(ofSpace seconds: Double) -> Int { seconds < 300 ? 2 : 9 }
    private func style(ofSpace seconds: Double) -> StyledText.Style {
        seconds < 300 ? .bad : seconds < 3600 ? .warning : .plain
    }
}
