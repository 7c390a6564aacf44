import GStreamer
import MediaTypes
import TestSupport
import Testing

@testable import Capture

@Suite struct FrameSequenceTests {
    private static let frame = MediaTime(seconds: 1.0 / 24)

    /// A frame of a camera at 24: its place, how much later it comes, in frames, and its number.
    private struct Frame {
        var place: Int
        var late = 0.0
        var number: UInt64?
        var opening = 0
    }

    /// What a recording of a camera is told to miss that gives these frames and was running for some time.
    private func missing(_ frames: [Frame], duration: MediaTime = frame) -> Int {
        var selector = FrameSelector(frameDuration: duration)
        var timeline = RecordingTimeline(requested: .zero, startsWithVideo: true)
        for frame in frames {
            let time = MediaTime.second + MediaTime(seconds: (Double(frame.place) + frame.late) * Self.frame.seconds)
            _ = selector.decide(
                time: time, number: frame.number.map { FrameNumber(opening: frame.opening, value: $0) },
                timeline: &timeline)
        }
        selector.finish(nil)
        return selector.missing
    }

    private func numbered(_ places: Range<Int>, from first: UInt64 = 70) -> [Frame] {
        places.map { Frame(place: $0, number: first + UInt64($0)) }
    }

    @Test func `frames that are late for good are none that were lost`() {
        let late = numbered(0..<872).map { Frame(place: $0.place, late: $0.place < 300 ? 0 : 2, number: $0.number) }
        #expect(missing(late) == 0)
        // By their times alone they look like two of them.
        #expect(missing(late.map { Frame(place: $0.place, late: $0.late) }) == 2)
    }

    @Test func `a camera that stands still and counts on from there owes what it did not give`() {
        let still = numbered(0..<100) + (148..<300).map { Frame(place: $0, number: 70 + UInt64($0) - 48) }
        #expect(missing(still) == 48)
        // What only was held up comes behind it, and is all there.
        let held = numbered(0..<300).map { frame in
            let late = (100..<148).contains(frame.place) ? Double(148 - frame.place) * 0.98 : 0
            return Frame(place: frame.place, late: late, number: frame.number)
        }
        #expect(missing(held) == 0)
        // One that was opened anew has its loss told.
        let (first, second) = (
            numbered(0..<100), (148..<300).map { Frame(place: $0, number: UInt64($0) - 148, opening: 1) }
        )
        #expect(missing(first + second) == 0)
    }

    @Test(arguments: [[3], [0, 1], [400, 401, 402, 500], Array(100..<160)])
    func `each number that is left out is a lost frame`(lost: [Int]) {
        // The first of a recording has none before it.
        let expected = lost.filter { $0 > 1 }.count
        #expect(missing(numbered(0..<872).filter { !lost.contains($0.place) }) == expected)
    }

    @Test(arguments: 1...5 as ClosedRange<UInt64>)
    func `frames are lost and late at once, and only the lost are counted`(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        var (frames, lost, held) = ([Frame](), 0, 0.0)
        for frame in numbered(0..<2000) {
            if frame.place > 20, random.uniform() < 0.05 {
                lost += 1
                continue
            }
            // What holds one frame up holds up the next ones too, until its time is over.
            held = random.uniform() < 0.03 ? random.uniform() * 20 : max(0, held - 1)
            frames.append(Frame(place: frame.place, late: held + random.uniform() * 0.1, number: frame.number))
        }
        if let last = frames.last, frames.count + lost < 2000 { Issue.record("ends at \(last.place)") }
        #expect(missing(frames) == lost)
    }

    @Test func `a camera that slows down in the dark loses nothing`() {
        let dark = (0..<300).map { Frame(place: $0 < 100 ? $0 : 100 + ($0 - 100) * 3, number: UInt64($0)) }
        #expect(missing(dark) == 0)
    }

    @Test(arguments: [24_000.0 / 1001, 24, 24.02])
    func `a camera that promises another rate than it gives loses nothing`(promised: Double) {
        #expect(missing(numbered(0..<5000), duration: MediaTime(seconds: 1 / promised)) == 0)
    }

    @Test func `a driver that counts fields, or from another number on, loses nothing`() {
        #expect(missing((0..<200).map { Frame(place: $0, number: UInt64(2 * $0)) }) == 0)
        let fields = (0..<200).filter { $0 != 100 }.map { Frame(place: $0, number: UInt64(2 * $0)) }
        #expect(missing(fields) == 1)
        #expect(missing(numbered(0..<100) + numbered(100..<200, from: 9000)) == 0)
        let again = (100..<200).map { Frame(place: $0, number: UInt64($0 - 100)) }
        #expect(missing(numbered(0..<100) + again) == 0)
    }

    @Test func `of a driver that counts nothing the times are asked`() {
        let constant = (0..<200).filter { $0 != 100 }.map { Frame(place: $0, number: 0) }
        #expect(missing(constant) == 1)
        let fits = (0..<200).filter { $0 != 100 }.map { Frame(place: $0, number: UInt64($0 * $0)) }
        #expect(missing(fits) == 1)
    }

    @Test func `another camera counts by itself, and pauses lose nothing`() {
        var selector = FrameSelector(frameDuration: Self.frame)
        var timeline = RecordingTimeline(requested: .zero, startsWithVideo: true)
        func give(_ places: Range<Int>, opening: Int = 0, from first: UInt64 = 0) {
            for place in places {
                _ = selector.decide(
                    time: .second + place * Self.frame,
                    number: FrameNumber(opening: opening, value: first + UInt64(place)), timeline: &timeline)
            }
        }
        give(0..<100)
        give(100..<200, opening: 1, from: 5000)
        #expect(selector.missing == 0)
        let pauses = timeline.pause(at: .second + 200 * Self.frame)
        #expect(pauses)
        give(200..<300, opening: 1, from: 5000)
        let resumes = timeline.resume(at: .second + 300 * Self.frame)
        #expect(resumes)
        give(300..<400, opening: 1, from: 5000)
        give(402..<500, opening: 1, from: 5000)
        #expect(selector.missing == 2)
    }
}
