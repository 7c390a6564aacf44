import Foundation
import Testing

@testable import LiveActivity

@Suite("Terminals and styles") struct TerminalTests {
    private func terminal(_ environment: [String: String], isTerminal: Bool = true) -> Terminal {
        Terminal(2, isTerminal: isTerminal, environment: environment)
    }

    @Test(
        "Only terminals known to draw OSC 9;4 get it",
        arguments: [
            ([:], false), (["TERM_PROGRAM": "ghostty"], true), (["TERM_PROGRAM": "iTerm.app"], false),
            (["TERM_FEATURES": "T3LrMSc7P"], true), (["TERM_FEATURES": "T3LrPaMSc7"], false),
            (["WT_SESSION": "1"], true),
            (["VTE_VERSION": "7002"], false), (["VTE_VERSION": "8000"], true), (["PTYXIS_VERSION": "48.1"], true),
            (["ConEmuANSI": "OFF"], false), (["TERM": "dumb", "TERM_PROGRAM": "WezTerm"], false),
        ] as [([String: String], Bool)])
    func drawsProgress(environment: [String: String], draws: Bool) {
        #expect(terminal(environment).drawsProgress == draws)
        #expect(!terminal(environment, isTerminal: false).drawsProgress)
    }

    @Test("Without a UTF-8 locale only ASCII is drawn") func locale() {
        #expect(terminal([:]).isASCII)
        #expect(terminal(["LANG": "C"]).isASCII)
        #expect(!terminal(["LANG": "C.UTF-8"]).isASCII)
        #expect(terminal(["LC_ALL": "C", "LANG": "de_DE.utf8"]).isASCII)
    }

    @Test("Colors are for terminals, and for who has not said no") func colors() {
        #expect(terminal([:]).hasColor && terminal(["NO_COLOR": ""]).hasColor)
        #expect(!terminal(["NO_COLOR": "1"]).hasColor && !terminal(["TERM": "dumb"]).hasColor)
        #expect(!terminal([:], isTerminal: false).hasColor)
    }

    @Test("A bar is drawn on a terminal only") func styles() {
        let (yes, no) = (terminal([:]), terminal([:], isTerminal: false))
        #expect(ProgressStyle.auto.resolved(on: yes) == .bar)
        #expect(ProgressStyle.auto.resolved(on: no) == .plain)
        #expect(ProgressStyle.bar.resolved(on: no) == .plain)
        #expect(ProgressStyle.bar.resolved(on: terminal(["TERM": "dumb"])) == .plain)
        #expect(ProgressStyle.plain.resolved(on: yes) == .plain)
        #expect(ProgressStyle.none.resolved(on: yes) == .none)
    }

    @Test("A pseudo-terminal's width is asked anew each time, and the bar leaves its line empty") func pseudoTerminal()
        throws
    {
        var (main, side): (Int32, Int32) = (-1, -1)
        var size = winsize(ws_row: 24, ws_col: 40, ws_xpixel: 0, ws_ypixel: 0)
        try #require(openpty(&main, &side, nil, nil, &size) == 0)
        defer { close(main) }
        let pty = Terminal(side, isTerminal: true, environment: ["LANG": "C.UTF-8", "TERM_PROGRAM": "ghostty"])
        #expect(pty.size?.columns == 40 && pty.size?.rows == 24)
        let bar = TerminalBar(pty)
        bar.show(event())
        size.ws_col = 12
        #expect(ioctl(main, UInt(TIOCSWINSZ), &size) == 0)
        bar.show(event())
        bar.show(event(.end))
        // The main side then reads all that was written, and after it an end.
        close(side)
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 4096)
        while case let count = read(main, &chunk, chunk.count), count > 0 { bytes += chunk.prefix(count) }
        let text = String(decoding: bytes, as: UTF8.self)
        #expect(text.contains("48.2 MB"))
        #expect(text.contains("\r\u{1B}[31m●\u{1B}[0m\u{1B}[1m 1:23\u{1B}[0m\u{1B}[K"))
        #expect(text.hasSuffix("\r\u{1B}[K\u{1B}]9;4;0;0\u{1B}\\"))
    }

    @Test("A reader that has gone does not stop the writer") func closedPipe() throws {
        var ends: [Int32] = [0, 0]
        try #require(pipe(&ends) == 0)
        close(ends[0])
        signal(SIGPIPE, SIG_IGN)
        defer { close(ends[1]) }
        #expect(!Terminal(ends[1], isTerminal: false, environment: [:]).write("x".utf8))
        ActivityReporter.json(on: ends[1]).show(event())
    }
}
