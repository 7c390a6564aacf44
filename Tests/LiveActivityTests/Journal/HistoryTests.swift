import FileSystem
import Foundation
import SystemPackage
import Testing

@testable import LiveActivity

@Suite("The history", .timeLimit(.minutes(10))) struct HistoryTests {
    private let fixture: JournalFixture
    private var history: ActivityHistory { fixture.folder.history }

    init() throws {
        fixture = try JournalFixture()
        try fixture.folder.create()
    }

    private func ended(_ id: String, age: Double = 1) -> ActivityRecord {
        let end = ActivityEvent.update(id, age: age, phase: .finished)
        return ActivityRecord(
            attributes: ActivityAttributes(title: "\(id).mov"), last: end, startDate: end.timestamp - 60)
    }

    /// Without a file sync for each line.
    private func write(_ records: [ActivityRecord]) throws {
        try AtomicFile.replace(history.path, with: records.reduce(into: Data()) { $0 += $1.line })
    }

    @Test("What is appended is read back, the latest last") func order() throws {
        try history.append([ended("a")])
        try history.append([ended("b"), ended("c")])
        #expect(try history.tail(9).map(\.id) == ["a", "b", "c"])
        #expect(try history.tail(2).map(\.id) == ["b", "c"])
        #expect(try history.known(of: ["b", "c", "d"]) == ["b", "c"])
    }

    @Test("Of ten thousand the latest are listed, newest first") func long() throws {
        try write((0..<10_000).map { ended("\($0)", age: 10_000 - Double($0)) })
        #expect(try history.tail(3).map(\.id) == ["9997", "9998", "9999"])
        #expect(try history.tail(.max).count == 10_000)
        #expect(try fixture.journal.activities().map(\.id) == (9900..<10_000).reversed().map { "\($0)" })
    }

    @Test("After thirty days an activity is forgotten") func expiry() throws {
        try write([ended("old", age: 31 * 86400), ended("new", age: 29 * 86400)])
        #expect(try fixture.journal.activities().map(\.id) == ["new"])
    }

    @Test("A line that a power cut broke off is passed over, and swallows no other") func broken() throws {
        try history.append([ended("a")])
        let whole = try AtomicFile.read(history.path)
        try AtomicFile.replace(history.path, with: whole + ended("b").line.prefix(100))
        try history.append([ended("c")])
        #expect(try history.tail(9).map(\.id) == ["a", "c"])
    }

    @Test("A history that has grown too large loses its older half, and followers nothing") func halved() throws {
        var history = history
        try write((0..<100).map { ended("\($0)") })
        var cursor = HistoryCursor(history)
        #expect(cursor.news().isEmpty)
        history.capacity = 20_000
        try history.append([ended("last")])
        let kept = try history.tail(.max).map(\.id)
        #expect(kept.count > 10 && kept.count < 60)
        #expect(kept.suffix(2) == ["99", "last"])
        #expect(cursor.news().last?.id == "last")
        #expect(cursor.news().isEmpty)
    }

    @Test("A follower reads each line once, when it is whole") func cursor() throws {
        var cursor = HistoryCursor(history)
        #expect(cursor.news().isEmpty)
        try history.append([ended("a")])
        #expect(cursor.news().map(\.id) == ["a"])
        let file = try FileDescriptor.open(history.path, .writeOnly, options: .append)
        let line = Array(ended("b").line)
        try file.writeAll(line[..<50])
        #expect(cursor.news().isEmpty)
        try file.writeAll(line[50...])
        #expect(cursor.news().map(\.id) == ["b"])
        try file.close()
    }

    @Test("A line is the last event with its attributes, and reads as an event too") func form() throws {
        let record = ended("a")
        let object = try #require(try JSONSerialization.jsonObject(with: record.line) as? [String: Any])
        #expect(object["event"] as? String == "end")
        #expect((object["attributes"] as? [String: Any])?["title"] as? String == "a.mov")
        #expect(object["start-date"] is Double)
        #expect(try ActivityEvent(line: record.line).contentState == record.last.contentState)
        #expect(try JSONDecoder().decode(ActivityRecord.self, from: record.line).line == record.line)
    }
}
