/// Bars of characters: how loud, how far.
enum Meters {
    /// The quietest level that the meter shows, in decibels.
    static let floor = -60.0

    /// The level of one or two channels in one row: "▀" is the first channel, "▄" the second, "█" both. Of more channels the
    /// loudest counts.
    static func level(_ decibels: [Double], columns: Int, ascii: Bool) -> String {
        guard let loudest = decibels.max(), columns > 0 else { return "" }
        let pair = decibels.count == 2 && !ascii ? decibels : [loudest, loudest]
        let cells = pair.map { lit($0, of: columns) }
        return String(
            (0..<columns).map { column -> Character in
                switch (column < cells[0], column < cells[1]) {
                case (true, true): ascii ? "#" : "█"
                case (true, false): "▀"
                case (false, true): "▄"
                case (false, false): ascii ? "." : "·"
                }
            })
    }

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
