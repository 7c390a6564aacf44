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
            Case(width: 80, text: "● 1:23  48.2 MB  L ▮▮▮▮▮▮▮▮▮▮▮▮▮▮▯▯▯▯▯▯  R ▮▮▮▮▮▮▮▮▮▮▮▮▮▮▯▯▯▯▯▯  -18 dB"),
            Case(width: 50, text: "● 1:23  48.2 MB  L ▮▮▮▮▮▮▯▯▯  R ▮▮▮▮▮▮▯▯▯  -18 dB"),
            Case(width: 40, text: "● 1:23  48.2 MB  ▮▮▮▮▮▮▮▮▮▮▯▯▯▯▯  -18 dB"),
            Case(width: 30, text: "● 1:23  48.2 MB  ▮▮▮▮▮▮▮▮▮▯▯▯▯"),
            Case(width: 16, text: "● 1:23  48.2 MB"),
            Case(width: 10, text: "● 1:23"),
            Case(width: 4, text: "● 1…"),
            Case(width: 1, text: "…"),
            Case(width: 0, text: ""),
            Case(width: 40, text: "* 1:23  48.2 MB  ||||||||||.....  -18 dB", ascii: true),
            Case(
                width: 90,
                text: "● 1:23  48.2 MB  30 fps  L ▮▮▮▮▮▮▮▮▮▮▮▮▮▯▯▯▯▯  R ▮▮▮▮▮▮▮▮▮▮▮▮▯▯▯▯▯▯  -18 dB  space for 2 h",
                state: recording { ($0.framesPerSecond, $0.spaceFor) = (29.97, 8400) }),
            Case(
                width: 60, text: "● 1:23  48.2 MB  3 dropped  ▮▮▮▮▮▮▯▯  -18 dB  space for 45 s",
                state: recording { ($0.framesDropped, $0.spaceFor) = (3, 45) }),
            Case(width: 24, text: "● 1:23  3 dropped", state: recording { $0.framesDropped = 3 }),
            Case(
                width: 60, text: "‖ 1:23  paused  48.2 MB  ▯▯▯▯▯▯▯▯▯▯▯▯  silent  be right back",
                state: recording { ($0.phase, $0.audioLevel, $0.message) = (.paused, [-200], "be right back") }),
            Case(
                width: 80, text: "● 1:23  [██████▍         ]  40.0%  48.2 MB  ▮▮▮▮▮▮▮▮▮▮▮▯▯▯▯▯  -18 dB  2 min left",
                state: recording { ($0.fraction, $0.remaining) = (0.4, 124) }),
            Case(
                width: 80, text: "● 0:09  [██████████▌       ]  58.7%  1 failed  Exporting 47/80  2 min left  3.5x",
                state: {
                    var state = ContentState(phase: .running, fraction: 0.587, elapsed: 9.9)
                    (state.subtitle, state.failedItems, state.remaining, state.speed) = (
                        "Exporting 47/80", 1, 130, 3.46
                    )
                    return state
                }(), kind: .batch),
            Case(width: 40, text: "✓ 1:23  finished  48.2 MB  -18 dB", state: recording { $0.phase = .finished }),
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

    @Test("A meter of enough columns shows both channels, else the loudest of all") func channels() {
        func text(_ levels: [Double], _ columns: Int) -> String {
            Meters.levels(levels, columns: columns, ascii: false).text
        }
        #expect(text([-30, -45], 22) == "L ▮▮▮▮▯▯▯▯  R ▮▮▯▯▯▯▯▯")
        #expect(text([-30, -45], 21) == "▮▮▮▮▮▮▮▮▮▮▯▯▯▯▯▯▯▯▯▯")
        #expect(text([-60, 0, -60], 4) == "▮▮▮▮")
        #expect(text([.nan], 4) == "▯▯▯▯" && text([.infinity], 4) == "▮▮▮▮" && text([], 2) == "▯▯")
    }

    @Test("Of several microphones each has its name and its meter, where there is space for them") func microphones() {
        var desk = MicrophoneLevel(name: "Desk", level: -30, muted: false)
        let guest = MicrophoneLevel(name: "Røde NT-USB of the guest", level: -45, muted: false)
        func text(_ columns: Int) -> String { Meters.levels([desk, guest], columns: columns, ascii: false).text }
        #expect(text(76) == "Desk ▮▮▮▮▮▮▮▮▮▮▯▯▯▯▯▯▯▯▯▯  Røde NT-USB of … ▮▮▮▮▮▯▯▯▯▯▯▯▯▯▯▯▯▯▯▯")
        #expect(text(32) == "Desk ▮▮▮▮▮▯▯▯▯▯  Røde … ▮▮▯▯▯▯▯▯")
        #expect(text(31) == "▮▮▮▮▮▮▮▮▮▮▯▯▯▯▯▯▯▯▯▯")
        for columns in 0...90 { #expect(TerminalText.width(text(columns)) <= columns) }
        let limited = recording {
            ($0.fraction, $0.remaining, $0.framesPerSecond) = (0.4, 124, 30)
            $0.microphones = [desk, guest]
        }
        let line = StatusLine().text(limited, kind: .recording, width: 100)
        #expect(line.contains("Desk ▮") && line.contains("Røde … ▮") && TerminalText.width(line) <= 100, "\(line)")
        desk.muted = true
        #expect(text(32) == "Desk muted  Røde … ▮▮▯▯▯▯▯▯" && text(20) == "▮▮▮▮▮▯▯▯▯▯▯▯▯▯▯▯▯▯▯▯")
    }

    @Test("A level is green, then yellow, then red") func colors() {
        func drawn(_ level: Double) -> String {
            Meters.level(level, columns: 20, ascii: true).rendered(hasColor: true).replacing("\u{1B}", with: "^")
        }
        #expect(drawn(-30) == "^[32m||||||||||^[0m^[2m..........^[0m")
        #expect(drawn(-12) == "^[32m|||||||||||||^[0m^[33m|||^[0m^[2m....^[0m")
        #expect(drawn(0) == "^[32m|||||||||||||^[0m^[33m||||^[0m^[31m|||^[0m")
    }

    @Test("Colors take no columns, and none are left behind") func colored() {
        let state = recording { ($0.fraction, $0.framesDropped) = (0.5, 3) }
        for width in 0...120 {
            let plain = StatusLine().text(state, kind: .recording, width: width)
            let colored = StatusLine(hasColor: true).text(state, kind: .recording, width: width)
            #expect(colored.replacing(/\u{1B}\[[0-9]+m/, with: "") == plain)
            #expect(colored.isEmpty || !colored.contains("\u{1B}") || colored.matches(of: /\u{1B}\[0m/).count > 0)
        }
    }

    @Test("A bar ends full and begins empty") func progress() {
        #expect(Meters.progress(0, columns: 4, ascii: false) == "    ")
        #expect(Meters.progress(0.5, columns: 3, ascii: false) == "█▌ ")
        #expect(Meters.progress(1, columns: 4, ascii: false) == "████")
        #expect(Meters.progress(0.999, columns: 4, ascii: true) == "###.")
    }
}
