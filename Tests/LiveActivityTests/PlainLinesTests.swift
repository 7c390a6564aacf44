import Foundation
import Testing

@testable import LiveActivity

@Suite("Plain lines") struct PlainLinesTests {
    @Test("Lines come at growing intervals") func growing() {
        var schedule = PlainSchedule()
        let times = (0...300).filter { schedule.line(for: event(at: Double($0))) != nil }
        #expect(times == [0, 2, 4, 8, 16, 32, 60, 120, 180, 240, 300])
    }

    @Test("They come while a clock that was set back catches up, too") func clockSetBack() {
        var schedule = PlainSchedule()
        let times = (0...60).filter { second in
            schedule.line(for: event(at: 0, recording { $0.elapsed = Double(second) })) != nil
        }
        #expect(times == [0, 2, 4, 8, 16, 32, 60])
    }

    @Test("A change of phase, a message and the end are said at once") func news() {
        var schedule = PlainSchedule()
        #expect(schedule.line(for: event(.start)) != nil)
        #expect(schedule.line(for: event(at: 0.5)) == nil)
        #expect(schedule.line(for: event(at: 0.6, recording { $0.phase = .paused })) != nil)
        #expect(schedule.line(for: event(at: 0.7, recording { ($0.phase, $0.message) = (.paused, "why") })) != nil)
        #expect(schedule.line(for: event(at: 0.8, recording { ($0.phase, $0.message) = (.paused, "why") })) == nil)
        #expect(schedule.line(for: event(.end, at: 0.9, recording { $0.phase = .finished })) != nil)
    }

    @Test("A message that stays is said once, and again when it comes again") func messageOnce() {
        var schedule = PlainSchedule()
        func line(_ time: Double, _ message: String?) -> String? {
            schedule.line(for: event(at: time, recording { $0.message = message }))
        }
        _ = line(0, nil)
        #expect(line(0.5, "one failed")?.hasSuffix(", one failed") == true)
        #expect(line(2, "one failed")?.contains("one failed") == false)
        #expect(line(2.5, "another failed")?.hasSuffix(", another failed") == true)
        #expect(line(3, nil)?.contains("failed") == false)
        #expect(line(3.5, "one failed")?.hasSuffix(", one failed") == true)
    }

    @Test("Hours of silence are followed by one line, not by many") func gap() {
        var schedule = PlainSchedule()
        _ = schedule.line(for: event(at: 0))
        #expect(schedule.line(for: event(at: 10_000)) != nil)
        #expect(schedule.line(for: event(at: 10_001)) == nil)
    }

    @Test("A line has all that a person asks for, and stays one line") func text() {
        let state = recording { ($0.framesDropped, $0.message) = (3, "low\nlight") }
        #expect(
            PlainSchedule.text(event(.update, state))
                == "recording running, 1:23, 48.2 MB, -18 dB, 3 frames dropped, low light")
    }

    @Test("A look at levels does not wait for a recording") func levelsOnly() {
        let state = recording {
            ($0.phase, $0.subtitle, $0.mediaTime, $0.bytesWritten) = (.waiting, "levels only", nil, nil)
        }
        #expect(PlainSchedule.text(event(.update, state)) == "levels only, 1:23, -18 dB")
        let line = StatusLine(ascii: true).text(state, kind: .recording, width: 79)
        #expect(line.contains("levels only") && !line.contains("waiting"), "\(line)")
    }

    @Test("Lines of several activities have their titles, and intervals of their own") func named() throws {
        var ends: [Int32] = [0, 0]
        try #require(pipe(&ends) == 0)
        let lines = PlainLines(Terminal(ends[1], isTerminal: false, environment: [:]), named: true)
        for (id, second) in [("a", 0.0), ("b", 1), ("a", 1.5), ("b", 2.5), ("a", 2)] {
            lines.show(
                event(second < 1.2 ? .start : .update, at: second, attributes: ActivityAttributes(title: id), of: id))
        }
        lines.show(event(.end, at: 9, of: "a"))
        close(ends[1])
        var bytes = [UInt8](repeating: 0, count: 4096)
        let count = read(ends[0], &bytes, bytes.count)
        close(ends[0])
        let text = String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
        #expect(text.split(separator: "\n").map { $0.prefix(2) } == ["a:", "b:", "a:", "a:"])
    }
}
