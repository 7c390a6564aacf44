import Foundation
import LiveActivity
import Testing

@Suite("The limits of a content state") struct ContentStateLimitTests {
    private func size(_ state: ContentState) throws -> Int {
        let object = try JSONSerialization.jsonObject(with: event(.update, state).line) as? [String: Any]
        return try JSONSerialization.data(
            withJSONObject: #require(object?["content-state"]), options: [.withoutEscapingSlashes]
        )
        .count
    }

    @Test(
        "Texts that are too long are shortened to fit 4 KB, the longest first",
        arguments: ["x", "ä", "\u{1}", "🎬", "\""])
    func fits(character: String) throws {
        let state = recording {
            $0.message = String(repeating: character, count: 9000)
            $0.output = "/movies/take.mov"
        }
        #expect(try size(state) <= ActivityEvent.byteLimit)
        let kept = event(.update, state).contentState
        #expect(kept.output == "/movies/take.mov")
        #expect(kept.message?.hasSuffix("…") == true)
    }

    @Test("All texts together fit as well") func allTexts() throws {
        let long = String(repeating: "y", count: 3000)
        let state = recording {
            ($0.message, $0.subtitle, $0.reason) = (long, long, long)
            ($0.currentItem, $0.thumbnail, $0.output) = (long, long, long)
        }
        #expect(try size(state) <= ActivityEvent.byteLimit)
    }

    @Test("Numbers that JSON lacks never keep an event from being written") func notFinite() throws {
        let state = recording {
            $0.fraction = .nan
            $0.elapsed = .infinity
            $0.remaining = -.infinity
            $0.audioLevel = [-.infinity, -20]
            $0.speed = .nan
        }
        let read = try ActivityEvent(line: event(.update, state).line).contentState
        #expect(read.fraction == nil)
        #expect(read.remaining == nil)
        #expect(read.audioLevel == [ContentState.silence, -20])
    }
}
