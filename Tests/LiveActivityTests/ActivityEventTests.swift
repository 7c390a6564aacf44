import Foundation
import LiveActivity
import Testing

@Suite("The wire form of events") struct ActivityEventTests {
    private func json(_ event: ActivityEvent) throws -> [String: Any] {
        try #require(try JSONSerialization.jsonObject(with: event.line) as? [String: Any])
    }

    @Test("An event is one line of JSON, ended by a line break, slashes as they are") func oneLine() throws {
        let state = recording {
            $0.output = "/tmp/a/b.mov"; $0.message = "first\nsecond"
        }
        let text = String(decoding: event(.update, state).line, as: UTF8.self)
        #expect(text.hasSuffix("}\n"))
        #expect(text.filter { $0 == "\n" }.count == 1)
        #expect(text.contains(#""output":"/tmp/a/b.mov""#))
    }

    @Test("Keys stand in the same order each time, and times have milliseconds") func stable() {
        let text = String(decoding: event().line, as: UTF8.self)
        #expect(
            text == """
                {"content-state":{"audioLevel":[-18.2,-18.4],"bytesWritten":48200000,"elapsed":83,"fileIsGood":null,\
                "fraction":null,"framesDropped":0,"mediaDuration":null,"mediaTime":83,"phase":"running","remaining":null,\
                "spaceFor":null},"event":"update","id":"A1","kind":"recording","seq":17,"timestamp":1789000000.123,"v":1}

                """)
    }

    @Test("A start has the attributes; their parent is null when there is none") func start() throws {
        let attributes = ActivityAttributes(title: "take", output: "take.mov", inputs: ["cam"], pid: 42)
        let object = try json(event(.start, attributes: attributes))
        let written = try #require(object["attributes"] as? [String: Any])
        #expect(Set(written.keys) == ["title", "output", "inputs", "parent", "pid"])
        #expect(written["parent"] is NSNull)
        #expect(written["pid"] as? Int == 42)
    }

    @Test("Attributes come with a start only") func attributesOnce() throws {
        let attributes = ActivityAttributes(title: "take")
        for kind in [ActivityEvent.Event.update, .end] {
            #expect(try json(event(kind, attributes: attributes))["attributes"] == nil)
        }
    }

    @Test("A batch's attributes carry the number of inputs and the first few") func batch() {
        let attributes = ActivityAttributes(title: "batch", inputs: (1...200).map { "\($0).mov" })
        #expect(attributes.inputs == ["1.mov", "2.mov", "3.mov"])
        #expect(attributes.inputCount == 200)
        #expect(attributes.isWithinLimit)
        #expect(!ActivityAttributes(title: String(repeating: "x", count: 5000)).isWithinLimit)
    }

    @Test("Each optional that readers look for is null, not missing")
    func nulls() throws {
        let state = try #require(try json(event(.update, ContentState()))["content-state"] as? [String: Any])
        for key in ["fraction", "remaining", "mediaDuration", "audioLevel", "fileIsGood", "spaceFor"] {
            #expect(state[key] is NSNull, "\(key)")
        }
    }

    @Test("Dates are seconds since 1970") func dates() throws {
        let full = ActivityEvent(
            sequence: 1, id: "A", event: .end, kind: .batch, timestamp: Date(timeIntervalSince1970: 1),
            contentState: ContentState(phase: .finished, fraction: 1), staleDate: Date(timeIntervalSince1970: 2.5),
            relevanceScore: 3, dismissalDate: Date(timeIntervalSince1970: 4))
        let object = try json(full)
        #expect(object["stale-date"] as? Double == 2.5)
        #expect(object["relevance-score"] as? Double == 3)
        #expect(object["dismissal-date"] as? Double == 4)
    }

    @Test("What is written is read back") func roundTrip() throws {
        var state = recording {
            $0.fileIsGood = true; $0.itemUnit = .files; $0.spaceFor = 12
        }
        state.fraction = 0.235
        let written = event(.start, state, attributes: ActivityAttributes(title: "ä/\"", parent: "B"))
        #expect(try ActivityEvent(line: written.line).line == written.line)
    }

    @Test("A line of another version, and one that is no JSON, are refused") func refused() {
        let text = String(decoding: event().line, as: UTF8.self).replacing("\"v\":1", with: "\"v\":2")
        #expect(throws: DecodingError.self) { try ActivityEvent(line: Data(text.utf8)) }
        #expect(throws: DecodingError.self) { try ActivityEvent(line: Data("{".utf8)) }
    }

    @Test("A line without the keys that may be null is read") func lenient() throws {
        let text = """
            {"v":1,"seq":1,"id":"A","event":"update","kind":"transcode","timestamp":1,
             "content-state":{"phase":"running","elapsed":2}}
            """
        #expect(try ActivityEvent(line: Data(text.utf8)).contentState == ContentState(phase: .running, elapsed: 2))
    }
}
