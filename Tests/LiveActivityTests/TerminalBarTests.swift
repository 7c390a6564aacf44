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
}
