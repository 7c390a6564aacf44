import Testing

@testable import LiveActivity

@Suite("Numbers for people") struct QuantitiesTests {
    @Test(
        "Bytes have three digits and a decimal unit",
        arguments: [
            (0, "0 B"), (-5, "0 B"), (999, "999 B"), (1000, "1.00 kB"), (9_994, "9.99 kB"), (9_995, "10.0 kB"),
            (48_200_000, "48.2 MB"), (99_949_999, "99.9 MB"), (999_499_999, "999 MB"), (999_500_000, "1.00 GB"),
            (Int64.max, "9.22 EB"),
        ] as [(Int64, String)])
    func bytes(count: Int64, text: String) { #expect(Quantities.bytes(count) == text) }

    @Test(
        "A clock shows hours only when there are any",
        arguments: [
            (0, "0:00"), (7.99, "0:07"), (754, "12:34"), (3723, "1:02:03"), (360_000, "100:00:00"), (-1, "0:00"),
            (.nan, "0:00"), (.infinity, "0:00"),
        ])
    func clock(seconds: Double, text: String) { #expect(Quantities.clock(seconds) == text) }

    @Test(
        "A span has one or two units",
        arguments: [
            (45, "45 s"), (99.4, "99 s"), (99.6, "2 min"), (720, "12 min"), (3579, "60 min"), (5400, "1 h 30 min"),
            (7210, "2 h"), (12_000, "3 h 20 min"), (800_000, "9 days"), (.nan, "0 s"), (1e300, "11574074074 days"),
        ])
    func span(seconds: Double, text: String) { #expect(Quantities.span(seconds) == text) }

    @Test(
        "A disk has space for no longer than it lasts",
        arguments: [
            (45.9, "space for 45 s"), (3540, "space for 59 min"), (8400, "space for 2 h"), (2e5, "space for 2 days"),
            (1e9, nil),
        ])
    func space(seconds: Double, text: String?) { #expect(Quantities.space(for: seconds) == text) }

    @Test("Levels and parts", arguments: [(-18.4, "-18 dB"), (0, "0 dB"), (-0.2, "0 dB"), (-200, "silent")])
    func level(decibels: Double, text: String) { #expect(Quantities.level(decibels) == text) }

    @Test("A percentage has one decimal and stays between its ends") func percent() {
        #expect(Quantities.percent(0.2345) == "23.5%")
        #expect(Quantities.percent(7) == "100.0%")
    }

    @Test("What steers a terminal does not get through") func printable() {
        #expect(TerminalText.printable("a\u{1B}[2Jb\r\n\u{202E}c\u{9B}") == "a [2Jb   c ")
        #expect(TerminalText.width("映e\u{301}🎬x") == 6)
        #expect(TerminalText.truncated("映画", to: 3) == "映…")
    }

    @Test("Lines break between words, and what is longer than a line stays whole") func wrapped() {
        func lines(_ text: String, _ columns: Int, indent: Int = 0) -> [Substring] {
            TerminalText.wrapped(text, to: columns, indent: indent).split(separator: "\n")
        }
        #expect(lines("Recording take.mov until Ctrl-C", 18) == ["Recording take.mov", "until Ctrl-C"])
        #expect(lines("Recording take.mov until Ctrl-C", 17) == ["Recording", "take.mov until", "Ctrl-C"])
        #expect(lines("see /home/me/a-long-name.mov now", 10) == ["see", "/home/me/a-long-name.mov", "now"])
        #expect(lines("  a b  c  d", 5, indent: 2) == ["  a b", "  c ", "  d"])
        #expect(lines("映画 映画", 8) == ["映画", "映画"])
        #expect(TerminalText.wrapped("", to: 5) == "")
        // A number and its unit stay together, and other words do not.
        #expect(lines("take.mov: 5.7 MB, 2 tracks", 14) == ["take.mov:", "5.7 MB, 2", "tracks"])
    }
}
