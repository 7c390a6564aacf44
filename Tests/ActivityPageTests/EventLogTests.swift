import Foundation
import LiveActivity
import Testing

@testable import ActivityPage

@Suite struct EventLogTests {
    private var log = EventLog(name: "a")

    private func sequences(_ chunk: EventLog.Chunk) -> [Int] {
        String(decoding: chunk.bytes, as: UTF8.self).split(separator: "\n").filter { $0.hasPrefix("data: ") }
            .compactMap { try? ActivityEvent(line: Data($0.dropFirst(6).utf8)) }.map(\.sequence)
    }

    @Test mutating func `a reader that keeps up gets every event once`() {
        let export = Export("one")
        _ = log.append(export.start(), now: Date())
        var read = sequences(log.read(after: nil))
        var number = log.newest
        for done in 1...40 {
            _ = log.append(export.update(done), now: Date())
            let chunk = log.read(after: number)
            number = chunk.number
            read += sequences(chunk)
        }
        #expect(read == Array(1...41))
        #expect(log.read(after: number).bytes.isEmpty)
    }

    @Test mutating func `a reader that slept gets the start and the last event of each activity, in order`() {
        let (long, short) = (Export("long"), Export("short"))
        _ = log.append(long.start(), now: Date())
        let asleep = log.newest
        _ = log.append(short.start(), now: Date())
        for done in 1...200 { _ = log.append(long.update(done % 199), now: Date()) }
        _ = log.append(short.end(), now: Date())
        for done in 1...200 { _ = log.append(long.update(done % 199), now: Date()) }
        // The long one's start it has; the short one's start and end it missed; no update in between.
        #expect(sequences(log.read(after: asleep)) == [1, 2, 401])
        #expect(sequences(log.read(after: nil)) == [1, 1, 2, 401])
    }

    @Test mutating func `what it keeps does not grow with the number of events`() {
        let export = Export("one")
        _ = log.append(export.start(), now: Date())
        for _ in 0..<5000 { _ = log.append(export.update(7), now: Date()) }
        #expect(log.read(after: 1).bytes.count < 1200)
        #expect(sequences(log.read(after: log.newest - EventLog.longestReplay)).count == EventLog.longestReplay)
    }

    @Test mutating func `old news is none`() {
        let export = Export("one")
        let (start, update, end) = (export.start(), export.update(3), export.end())
        let late = export.update(4)
        let answers = [start, start, update, start, end, late].map { event in log.append(event, now: Date()) }
        #expect(answers == [true, false, true, false, true, false])
    }

    @Test mutating func `an id of another server, and one from the future, mean nothing`() {
        _ = log.append(Export("one").start(), now: Date())
        #expect(log.number(inID: "a-1") == 1)
        for id in ["b-1", "a-2", "a--1", "a", "", "a-1-1", "1"] { #expect(log.number(inID: id) == nil, "\(id)") }
    }

    @Test mutating func `ended activities go at their dismissal date, without one after four hours`() {
        let (soon, later) = (Export("soon"), Export("later"))
        let now = Date()
        _ = log.append(soon.end(dismissed: now + 60), now: now)
        _ = log.append(later.end(), now: now)
        log.prune(now: now + 59)
        #expect(log.known.keys.sorted() == ["later", "soon"])
        log.prune(now: now + 61)
        #expect(log.known.keys.sorted() == ["later"])
        log.prune(now: now + 4 * 3600 + 60)
        #expect(log.known.isEmpty)
        #expect(log.append(Export("gone").end(dismissed: now - 1), now: now) == false)
    }

    @Test mutating func `of very many ended activities the newest are kept`() {
        for number in 0..<EventLog.mostEnded + 50 { _ = log.append(Export("\(number)").end(), now: Date()) }
        #expect(log.known.count == EventLog.mostEnded)
        #expect(log.known["\(EventLog.mostEnded + 49)"] != nil)
        #expect(log.known["0"] == nil)
    }
}
