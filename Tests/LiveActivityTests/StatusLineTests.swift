import Testing

@testable import LiveActivity

@Suite("The line of the bar") struct StatusLineTests {
    struct Case: Sendable, CustomTestStringConvertible {
        var width: Int
        var text: String
        var state = recording()
        var kind = ActivityKind.recording
        var ascii = false
        var testDescription: String { "\(width): \(text)" }
    }

    @Test(
        "A state at a width is this text",
        arguments: [
            Case(width: 80, text: "● 1:23  [█████████████████████·········]  -18 dB  48.2 MB"),
            Case(width: 50, text: "● 1:23  [████████████████·······]  -18 dB  48.2 MB"),
            Case(width: 30, text: "● 1:23  -18 dB  48.2 MB"),
            Case(width: 16, text: "● 1:23  48.2 MB"),
            Case(width: 10, text: "● 1:23"),
            Case(width: 4, text: "● 1…"),
            Case(width: 1, text: "…"),
            Case(width: 0, text: ""),
            Case(
                width: 60, text: "* 1:23  [#####################.........]  -18 dB  48.2 MB", ascii: true),
            Case(
                width: 60, text: "● 1:23  -18 dB  48.2 MB  3 dropped  disk full in 45 s",
                state: recording { ($0.framesDropped, $0.spaceFor) = (3, 45) }),
            Case(width: 24, text: "● 1:23  3 dropped", state: recording { $0.framesDropped = 3 }),
            Case(
                width: 60, text: "‖ 1:23  [··········]  paused  silent  48.2 MB  be right back",
                state: recording { ($0.phase, $0.audioLevel, $0.message) = (.paused, [-200], "be right back") }),
            Case(
                width: 80, text: "● 0:09  [█████████▉       ]  58.7 %  1 failed  Exporting 47/80  2 min left  3.5x",
                state: {
                    var state = ContentState(phase: .running, fraction: 0.587, elapsed: 9.9)
                    (state.subtitle, state.failedItems, state.remaining, state.speed) = (
                        "Exporting 47/80", 1, 130, 3.46
                    )
                    return state
                }(), kind: .batch),
            Case(width: 40, text: "✓ 1:23  finished  -18 dB  48.2 MB", state: recording { $0.phase = .finished }),
        ])
    func text(_ expected: Case) {
        let text = StatusLine(ascii: expected.ascii).text(expected.state, kind: expected.kind, width: expected.width)
        #expect(text == expected.text)
    }

    @Test("No width is ever exceeded, whatever the words") func neverWider() {
        let state = recording {
            ($0.message, $0.subtitle) = ("映画を録画しています 🎬🎬", "e\u{301}e\u{301}")
            ($0.fraction, $0.remaining, $0.spaceFor, $0.framesDropped) = (0.5, 1e12, 1, 99_999)
        }
        for width in 0...200 {
            #expect(TerminalText.width(StatusLine().text(state, kind: .batch, width: width)) <= width)
        }
    }

    @Test("Two channels share a row") func stereo() {
        #expect(Meters.level([-30, -45], columns: 8, ascii: false) == "██▀▀····")
        #expect(Meters.level([-45, -30], columns: 8, ascii: false) == "██▄▄····")
        #expect(Meters.level([-60, 0, -60], columns: 4, ascii: false) == "████")
        #expect(Meters.level([.nan, .infinity], columns: 4, ascii: false) == "▄▄▄▄")
        #expect(Meters.level([], columns: 4, ascii: false) == "")
    }

    @Test("A bar ends full and begins empty") func progress() {
        #expect(Meters.progress(0, columns: 4, ascii: false) == "    ")
        #expect(Meters.progress(0.5, columns: 3, ascii: false) == "█▌ ")
        #expect(Meters.progress(1, columns: 4, ascii: false) == "████")
        #expect(Meters.progress(0.999, columns: 4, ascii: true) == "###.")
    }
}
