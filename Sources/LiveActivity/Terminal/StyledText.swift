/// Text whose parts have a color each, for a terminal.
package struct StyledText: Sendable {
    /// What a part says by its color; the terminal's own colors, so that it is read on dark and on light.
    package enum Style: String, Sendable {
        case plain = ""
        case strong = "1"
        case faint = "2"
        case bad = "31"
        case good = "32"
        case warning = "33"
        case accent = "36"
    }

    private(set) var parts: [(text: String, style: Style)] = []

    package init(_ text: String = "", _ style: Style = .plain) { append(text, style) }

    package mutating func append(_ text: String, _ style: Style = .plain) {
        if !text.isEmpty { parts.append((text, style)) }
    }

    package mutating func append(_ other: StyledText) { parts += other.parts }

    /// Without colors.
    var text: String { parts.map(\.text).joined() }
    /// In columns of a terminal.
    var width: Int { parts.reduce(0) { $0 + TerminalText.width($1.text) } }

    /// What is written to the terminal.
    package func rendered(hasColor: Bool) -> String {
        guard hasColor else { return text }
        return parts.map { $0.style == .plain ? $0.text : "\u{1B}[\($0.style.rawValue)m\($0.text)\u{1B}[0m" }.joined()
    }

    /// As much as fits, with "…" where something is missing.
    func truncated(to columns: Int) -> StyledText {
        guard width > columns else { return self }
        guard columns > 0 else { return StyledText() }
        var result = StyledText()
        for part in parts {
            let text = TerminalText.prefix(part.text, columns: columns - 1 - result.width)
            result.append(text, part.style)
            if text != part.text { break }
        }
        result.append("…")
        return result
    }
}
