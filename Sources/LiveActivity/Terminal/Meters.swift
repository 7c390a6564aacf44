/// Rows of characters: how loud, how far.
package enum Meters {
    /// The quietest level that the meter shows, in decibels.
    static let floor = -60.0
    /// From these on a level is loud, and nearly too loud: the marks of OBS Studio's meter.
    private static let (loud, tooLoud) = (-20.0, -9.0)

    /// The level of one channel in segments: green, then yellow, then red.
    package static func level(_ decibels: Double, columns: Int, ascii: Bool) -> StyledText {
        guard columns > 0 else { return StyledText() }
        let lit = lit(decibels, of: columns)
        let (first, second) = (Self.lit(loud, of: columns), Self.lit(tooLoud, of: columns))
        var text = StyledText()
        func add(_ range: Range<Int>, _ style: StyledText.Style) {
            text.append(String(repeating: ascii ? "|" : "▮", count: range.clamped(to: 0..<lit).count), style)
        }
        add(0..<first, .good)
        add(first..<second, .warning)
        add(second..<columns, .bad)
        text.append(String(repeating: ascii ? "." : "▯", count: columns - lit), .faint)
        return text
    }

    /// Of two channels one meter each, where there is space for them to be read; else the loudest of all.
    package static func levels(_ decibels: [Double], columns: Int, ascii: Bool) -> StyledText {
        let own = min((columns - 6) / 2, mostColumns)
        guard decibels.count == 2, own >= fewestColumns else {
            return level(decibels.max() ?? floor, columns: min(columns, mostColumns), ascii: ascii)
        }
        var text = StyledText("L ")
        text.append(level(decibels[0], columns: own, ascii: ascii))
        text.append("  R ")
        text.append(level(decibels[1], columns: own, ascii: ascii))
        return text
    }

    /// Of several microphones one meter each behind its name; the loudest of all where there is no space for that.
    package static func levels(_ microphones: [MicrophoneLevel], columns: Int, ascii: Bool) -> StyledText {
        let gaps = 2 * (microphones.count - 1)
        let own = (columns - gaps) / max(1, microphones.count)
        guard columns >= fewestColumns(of: microphones) else {
            let loudest = microphones.lazy.filter { !$0.muted }.compactMap(\.level).max()
            return level(loudest ?? floor, columns: min(columns, mostColumns), ascii: ascii)
        }
        var text = StyledText()
        for (index, microphone) in microphones.enumerated() {
            if index > 0 { text.append("  ") }
            let name = StyledText(TerminalText.printable(microphone.name))
                .truncated(to: max(shortestName, min(longestName, own - 1 - mostColumns)))
            text.append(name)
            text.append(" ")
            let meter = min(own - name.width - 1, mostColumns)
            if microphone.muted {
                text.append("muted", .warning)
            } else {
                text.append(level(microphone.level ?? floor, columns: meter, ascii: ascii))
            }
        }
        return text
    }

    /// From so many columns on each has its own.
    static func fewestColumns(of microphones: [MicrophoneLevel]) -> Int {
        microphones.count * (shortestName + 1 + fewestColumns + 2) - 2
    }

    /// Columns of a microphone's name.
    private static let (shortestName, longestName) = (6, 16)

    /// A segment is then three decibels.
    private static let mostColumns = 20
    private static let fewestColumns = 8

    /// The part of the work that is done, to an eighth of a column.
    static func progress(_ fraction: Double, columns: Int, ascii: Bool) -> String {
        guard columns > 0 else { return "" }
        let steps = ascii ? 1 : 8
        let done = Int((min(max(fraction, 0), 1) * Double(columns * steps)).rounded(.down))
        let full = String(repeating: ascii ? "#" : "█", count: done / steps)
        let part = done % steps == 0 ? "" : ["▏", "▎", "▍", "▌", "▋", "▊", "▉"][done % steps - 1]
        return full + part + String(repeating: ascii ? "." : " ", count: columns - full.count - part.count)
    }

    /// The position of a level on a row of columns.
    private static func lit(_ decibels: Double, of columns: Int) -> Int {
        guard decibels.isFinite else { return decibels > 0 ? columns : 0 }
        let part = (min(max(decibels, floor), 0) - floor) / -floor
        return Int((part * Double(columns)).rounded())
    }
}
