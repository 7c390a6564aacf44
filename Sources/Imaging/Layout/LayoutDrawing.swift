import MediaTypes

/// Draws layouts with characters.
package enum LayoutDrawing {
    /// Characters across and down; one is twice as high as wide, so that is 16:9.
    private static let (columns, rows) = (32, 9)

    /// All kinds of layout, each with its text and what it looks like with two cameras (grid: with four), in two columns.
    package static func help() -> String {
        let shown: [(String, Int)] = [
            ("bottom-right", 2), ("top-left,size=40%", 2), ("side-by-side", 2), ("side-by-side,fill", 2),
            ("stacked", 2),
            ("grid", 4), ("grid", 3), ("bottom-left", 3), ("main-only", 2), ("inset-only", 2),
            ("x=10%,y=50%,width=30%", 2),
            ("x=60%,y=0,width=40%,height=100%,fill", 2),
        ]
        let blocks = shown.compactMap { text, count in
            (try? Layout(text)).map {
                [text + (count > 2 ? " (\(count) cameras)" : "")] + drawing(of: $0, cameras: count)
            }
        }
        return stride(from: 0, to: blocks.count, by: 2).map { index in
            let (left, right) = (blocks[index], index + 1 < blocks.count ? blocks[index + 1] : [])
            return left.indices.map { row in
                let other = row < right.count ? right[row] : ""
                return other.isEmpty ? left[row] : left[row].padded(to: columns + 6) + other
            }.joined(separator: "\n")
        }.joined(separator: "\n\n")
    }

    /// The frame of a layout in lines of text; cameras are numbered from 1, the main one first. Nothing where it cannot be.
    package static func drawing(of layout: Layout, cameras: Int) -> [String] {
        let output = VideoSize(1920, 1080)
        let feeds = [VideoSize](repeating: output, count: cameras)
        guard let places = try? layout.placements(in: output, feeds: feeds) else { return [] }
        var canvas = Canvas(columns: columns, rows: rows)
        canvas.draw(0..<columns, 0..<rows, "")
        for place in places {
            let (x, y) = (place.rectangle.x, place.rectangle.y)
            canvas.draw(
                characters(x..<place.rectangle.right, of: output.width, columns, atLeast: 5),
                characters(y..<place.rectangle.bottom, of: output.height, rows, atLeast: 3), "\(place.feed + 1)")
        }
        return canvas.lines
    }

    /// What does not reach the output's edge does not touch it here either.
    private static func characters(_ pixels: Range<Int>, of whole: Int, _ count: Int, atLeast least: Int) -> Range<Int>
    {
        func scaled(_ pixel: Int) -> Int { Int((Double(pixel) / Double(whole) * Double(count)).rounded()) }
        let limits = (pixels.lowerBound > 0 ? 1 : 0)..<(pixels.upperBound < whole ? count - 1 : count)
        let upper = min(max(scaled(pixels.upperBound), limits.lowerBound + least), limits.upperBound)
        return max(min(scaled(pixels.lowerBound), upper - least), limits.lowerBound)..<upper
    }
}

/// Lines that meet each other, and words.
private struct Canvas {
    /// Where lines go from the middle of a character: up, down, left and right, as bits.
    private static let lines: [Character] = [
        " ", "╵", "╷", "│", "╴", "┘", "┐", "┤", "╶", "└", "┌", "├", "─", "┴", "┬", "┼",
    ]
    private static let (up, down, left, right) = (1, 2, 4, 8)

    private var bits: [[Int]]
    private var words: [[Character?]]

    init(columns: Int, rows: Int) {
        bits = [[Int]](repeating: [Int](repeating: 0, count: columns), count: rows)
        words = [[Character?]](repeating: [Character?](repeating: nil, count: columns), count: rows)
    }

    var lines: [String] {
        zip(bits, words).map { bits, words in String(zip(bits, words).map { $1 ?? Self.lines[$0] }) }
    }

    /// A box with a word in its middle; what is behind is gone.
    mutating func draw(_ columns: Range<Int>, _ rows: Range<Int>, _ word: String) {
        for y in rows {
            for x in columns {
                let (first, last) = (x == columns.lowerBound, x == columns.upperBound - 1)
                let (top, bottom) = (y == rows.lowerBound, y == rows.upperBound - 1)
                words[y][x] = nil
                guard first || last || top || bottom else {
                    bits[y][x] = 0
                    continue
                }
                if first || last { bits[y][x] |= (top ? 0 : Self.up) | (bottom ? 0 : Self.down) }
                if top || bottom { bits[y][x] |= (first ? 0 : Self.left) | (last ? 0 : Self.right) }
            }
        }
        let start = (columns.lowerBound + columns.upperBound - word.count) / 2
        for (index, character) in word.enumerated() {
            words[(rows.lowerBound + rows.upperBound) / 2][start + index] = character
        }
    }
}

extension String {
    fileprivate func padded(to count: Int) -> String {
        self + String(repeating: " ", count: max(count - self.count, 1))
    }
}
