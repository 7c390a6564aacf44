import Testing

@testable import LiveActivity

@Suite("The bar's bytes") struct TerminalBarTests {
    private func drawing(draws: Bool = false) -> Drawing {
        Drawing(line: StatusLine(ascii: true), drawsProgress: draws)
    }

    @Test("A line is drawn over the one before, and not again when it says the same") func overwrites() {
        var drawing = drawing()
        let first = drawing.show(event(), columns: 20)
        #expect(first == "\r* 1:23  48.2 MB\u{1B}[K")
        #expect(drawing.show(event(at: 1), columns: 20) == "")
        #expect(drawing.show(event(at: 2, recording(after: 84)), columns: 20) == "\r* 1:24  48.2 MB\u{1B}[K")
    }

    @Test("The last column stays free") func lastColumn() {
        var drawing = drawing()
        #expect(drawing.show(event(), columns: 15) == "\r* 1:23\u{1B}[K")
        #expect(drawing.show(event(.update, recording(after: 1)), columns: 0) == "\r\u{1B}[K")
    }

    @Test("The end takes the line away; what was never drawn is not taken away") func end() {
        var drawing = drawing()
        #expect(drawing.clear() == "")
        _ = drawing.show(event(), columns: 80)
        #expect(drawing.show(event(.end), columns: 80) == "\r\u{1B}[K")
        #expect(drawing.clear() == "")
    }

    @Test("A message is printed above the bar, which stays") func above() {
        var drawing = drawing()
        _ = drawing.show(event(), columns: 10)
        #expect(drawing.above("disk\u{1B}c\nslow") == "\r\u{1B}[Kdisk c\nslow\n* 1:23")
    }

    @Test("The tab shows progress by OSC 9;4, repeats it, and is cleared") func tab() {
        func tab(_ text: String) -> String {
            text.split(separator: "\u{1B}").first { $0.hasPrefix("]") }.map { String($0.dropFirst()) } ?? ""
        }
        var drawing = drawing(draws: true)
        #expect(tab(drawing.show(event(), columns: 80)) == "9;4;3;0")
        #expect(tab(drawing.show(event(at: 1), columns: 80)) == "")
        #expect(tab(drawing.show(event(at: 6), columns: 80)) == "9;4;3;0")
        #expect(tab(drawing.show(event(at: 6, recording { $0.fraction = 0.5 }), columns: 80)) == "9;4;1;50")
        #expect(tab(drawing.show(event(at: 6, recording { $0.phase = .paused }), columns: 80)) == "9;4;4;0")
        #expect(tab(drawing.show(event(.end, at: 7), columns: 80)) == "9;4;0;0")
    }

    @Test("Several activities have a line each, with their titles, redrawn in their place") func several() {
        var drawing = drawing()
        let (a, b) = (ActivityAttributes(title: "a.mov"), ActivityAttributes(title: "b\u{1B}.mov"))
        #expect(
            drawing.show(event(.start, attributes: a, of: "a"), columns: 40)
                == "\r* 1:23  48.2 MB  ||||||||||....  -18 dB\u{1B}[K")
        #expect(
            drawing.show(event(.start, attributes: b, of: "b"), columns: 40)
                == "\ra.mov  * 1:23  48.2 MB  ||||||||||.....\u{1B}[K\nb .mov  * 1:23  48.2 MB  ||||||||||....\u{1B}[K"
        )
        #expect(drawing.show(event(at: 1, of: "b"), columns: 40) == "")
        #expect(
            drawing.show(event(at: 2, recording(after: 84), of: "b"), columns: 40)
                == "\u{1B}[1A\ra.mov  * 1:23  48.2 MB  ||||||||||.....\u{1B}[K\nb .mov  * 1:24  48.2 MB  ||||||||||....\u{1B}[K"
        )
        #expect(
            drawing.above("news")
                == "\u{1B}[1A\r\u{1B}[Jnews\na.mov  * 1:23  48.2 MB  ||||||||||.....\nb .mov  * 1:24  48.2 MB  ||||||||||...."
        )
        #expect(drawing.show(event(.end, of: "a"), columns: 15) == "\u{1B}[1A\r* 1:24\u{1B}[K\u{1B}[J")
        #expect(drawing.show(event(.end, of: "b"), columns: 15) == "\r\u{1B}[K")
    }

    @Test("The most relevant come first; what does not fit the window is counted") func many() {
        var drawing = drawing()
        for index in 0..<9 {
            _ = drawing.show(
                event(
                    .start, at: Double(index), attributes: ActivityAttributes(title: "\(index)"), of: "\(index)",
                    relevance: index == 8 ? 1 : nil), columns: 20, rows: 5)
        }
        let all = drawing.show(event(at: 9, recording(after: 84), of: "8", relevance: 1), columns: 20, rows: 5)
        #expect(
            all.split(separator: "\n").map { $0.prefix { $0 != "\u{1B}" } }.suffix(3)
                == ["0  * 1:23  48.2 MB", "1  * 1:23  48.2 MB", "and 6 more"])
        #expect(all.hasPrefix("\u{1B}[3A\r8  * 1:24  48.2 MB"))
    }

    @Test("A window that shrinks to nothing is drawn in all the same", arguments: [0, 1, 2, 3])
    func nothing(size: Int) {
        var drawing = drawing()
        for id in ["a", "b", "c"] { _ = drawing.show(event(.start, of: id), columns: 80) }
        let bytes = drawing.show(event(at: 1, recording(after: 84), of: "a"), columns: size, rows: size)
        for line in bytes.split(separator: "\n") {
            let text = line.replacing(/\u{1B}\[[0-9]*[AKJ]|\r/, with: "")
            #expect(TerminalText.width(String(text)) <= max(0, size - 1))
        }
        #expect(bytes.filter { $0 == "\n" }.count <= max(0, size - 2))
        _ = drawing.show(event(.end, of: "a"), columns: size, rows: size)
    }
}
