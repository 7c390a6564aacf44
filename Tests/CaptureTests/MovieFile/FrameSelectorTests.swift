import GStreamer
import TestSupport
import Testing

@testable import Capture

@Suite struct FrameSelectorTests {
    static let frame: MediaTime = 33_333_333

    /// The times in the movie of the frames that pass.
    private func passed(_ selector: FrameSelector, _ times: [MediaTime], timeline: RecordingTimeline) -> [MediaTime] {
        var (selector, timeline) = (selector, timeline)
        var passed: [MediaTime] = []
        for time in times {
            switch selector.decide(time: time, timeline: &timeline) {
            case .skip, .lose, .wait: break
            case .pass(let time, _): passed.append(time)
            case .end: return passed
            }
        }
        Issue.record("the end was not found")
        return passed
    }

    @Test(arguments: 1...20 as ClosedRange<UInt64>, [5.0, 10])
    func `ten seconds at 30 are 300 frames whichever way the stamps lean`(seed: UInt64, jitter: Double) {
        var random = SeededRandom(seed: seed)
        let times = (0..<400).map { (index: Int) -> MediaTime in
            let lean = MediaTime(seconds: (random.uniform() * 2 - 1) * jitter / 1000)
            return MediaTime.second + index * Self.frame + lean
        }
        let limited = RecordingTimeline(requested: 0, startsWithVideo: true, maximumDuration: 10 * .second)
        #expect(passed(FrameSelector(frameDuration: Self.frame), times, timeline: limited).count == 300)
    }

    @Test func `the worst stamps that are ten milliseconds off make 300 frames too`() {
        let limited = RecordingTimeline(requested: 0, startsWithVideo: true, maximumDuration: 10 * .second)
        for (first, others) in [(10, -10), (-10, 10), (0, 10), (10, 10)] as [(Int, Int)] {
            let times = (0..<400).map { (index: Int) -> MediaTime in
                let lean = index == 0 ? first : index % 2 == 0 ? others : -others
                return MediaTime.second + index * Self.frame + lean * .millisecond
            }
            #expect(passed(FrameSelector(frameDuration: Self.frame), times, timeline: limited).count == 300)
        }
    }

    @Test(arguments: [0.99, 0.9999, 1.0001, 1.01])
    func `a camera that is faster or slower than promised is cut at the time, not at a count`(speed: Double) {
        let times = (0..<400).map { MediaTime.second + MediaTime(seconds: Double($0) * Self.frame.seconds / speed) }
        let limited = RecordingTimeline(requested: 0, startsWithVideo: true, maximumDuration: 10 * .second)
        let count = passed(FrameSelector(frameDuration: Self.frame), times, timeline: limited).count
        #expect(abs(Double(count) - 300 * speed) <= 1)
    }

    @Test func `frames keep their own times in the movie, from zero on`() {
        var timeline = RecordingTimeline(requested: 500, startsWithVideo: true)
        var selector = FrameSelector(frameDuration: 100)
        #expect(selector.decide(time: 499, timeline: &timeline) == .skip)
        #expect(timeline.start == nil)
        #expect(selector.decide(time: 520, timeline: &timeline) == .pass(0, duration: 100))
        #expect(timeline.start == 520)
        #expect(selector.decide(time: 633, timeline: &timeline) == .pass(113, duration: 100))
        #expect(selector.decide(time: 700, duration: 90, timeline: &timeline) == .pass(180, duration: 90))
    }

    @Test func `frames that were held up and come at once keep their order, each with a time of its own`() {
        var timeline = RecordingTimeline(requested: 0, startsWithVideo: true)
        var selector = FrameSelector(frameDuration: 100)
        let answers = [1000, 1000, 990, 1001, 1100, 1200].map { selector.decide(time: $0, timeline: &timeline) }
        #expect(answers == [0, 25, 50, 75, 100, 200].map { .pass($0, duration: 100) })
        #expect(selector.lost == 0)
    }

    @Test func `stamps that stand still or go back far are left out, and counted`() {
        var timeline = RecordingTimeline(requested: 0, startsWithVideo: true)
        var selector = FrameSelector(frameDuration: 100)
        let answers = [1000, 1100, 1200, 600, 700, 1300].map { selector.decide(time: $0, timeline: &timeline) }
        #expect(answers[3...4] == [.lose, .lose])
        #expect(answers.last == .pass(300, duration: 100))
        #expect(selector.lost == 2)
        let still = (0..<20).map { _ in selector.decide(time: 1300, timeline: &timeline) }
        #expect(still.count { $0 == .lose } == selector.lost - 2)
        #expect(selector.lost > 10)
    }

    /// A camera that loses some, or is held up and catches up at once, or both: what passes and what is counted are what it
    /// promised. Both together can be ambiguous by a frame or two at a time.
    @Test(arguments: 1...40 as ClosedRange<UInt64>, [(0.05, 0, 0), (0, 0.02, 0), (0.05, 0.02, 3)])
    func `what passes and what is missing are together what was promised`(
        seed: UInt64, camera: (loss: Double, hold: Double, doubt: Int)
    ) {
        var random = SeededRandom(seed: seed)
        var timeline = RecordingTimeline(requested: 0, startsWithVideo: true, maximumDuration: 10 * .second)
        var selector = FrameSelector(frameDuration: Self.frame)
        var (passed, held) = (0, MediaTime(0))
        for index in 0..<400 {
            if index > 0, random.uniform() < camera.loss { continue }
            let due = MediaTime.second + index * Self.frame
            if index > 20, random.uniform() < camera.hold {
                held = due + MediaTime(nanoseconds: Int64(random.uniform() * 2e8))
            }
            let stamp = max(due, held) + MediaTime(nanoseconds: Int64(random.uniform() * 4e6))
            switch selector.decide(time: stamp, timeline: &timeline) {
            case .pass: passed += 1
            case .end:
                selector.finish(timeline)
                let sum = passed + selector.lost + selector.missing
                #expect(abs(sum - 300) <= camera.doubt, "seed \(seed): \(passed) passed, \(selector.missing) missing")
                return
            default: break
            }
        }
        Issue.record("the end was not found")
    }

    @Test func `nothing is missing before frames of another camera that stands in`() {
        var timeline = RecordingTimeline(requested: 0, startsWithVideo: true, maximumDuration: 10 * .second)
        var selector = FrameSelector(frameDuration: Self.frame)
        for index in 0..<400 {
            // Of four seconds every third frame is another camera's, of a third of the rate, and the others never come.
            let isStandIn = (120..<240).contains(index)
            if isStandIn, index % 3 != 0 { continue }
            let time = MediaTime.second + index * Self.frame
            _ = selector.decide(time: time, isStandIn: isStandIn, timeline: &timeline)
        }
        selector.finish(timeline)
        #expect(selector.missing == 0)
    }

    @Test func `a compressed stream begins with a key frame, and so does the take`() {
        var timeline = RecordingTimeline(requested: 0, startsWithVideo: true)
        var selector = FrameSelector(frameDuration: 100, needsKeyFrame: true)
        #expect(selector.decide(time: 100, isKeyFrame: false, timeline: &timeline) == .skip)
        #expect(timeline.start == nil)
        #expect(selector.decide(time: 200, isKeyFrame: true, timeline: &timeline) == .pass(0, duration: 100))
        #expect(selector.decide(time: 300, isKeyFrame: false, timeline: &timeline) == .pass(100, duration: 100))
    }

    @Test func `a frame of I slices begins a recording only where no group has begun for ten seconds`() {
        for (wait, begins) in [(MediaTime.second, false), (11 * .second, true)] {
            var timeline = RecordingTimeline(requested: 0, startsWithVideo: true)
            var selector = FrameSelector(frameDuration: 100, needsKeyFrame: true)
            let slices = selector.decide(time: wait, isKeyFrame: true, isGroupStart: { false }, timeline: &timeline)
            #expect(slices == (begins ? .pass(0, duration: 100) : .skip))
            let next = selector.decide(time: wait + 100, isKeyFrame: true, isGroupStart: { true }, timeline: &timeline)
            #expect(next == .pass(begins ? 100 : 0, duration: 100))
        }
    }

    @Test(arguments: [(60, 30, 300), (30, 12.5, 125), (30, 10, 100), (25, 24, 240), (30, 29.97, 300)])
    func `a lower rate drops frames onto its own even grid`(camera: Double, wanted: Double, count: Int) {
        let step = MediaTime(seconds: 1 / wanted)
        let selector = FrameSelector(frameDuration: MediaTime(seconds: 1 / camera), grid: step)
        let times = (0..<1000).map { MediaTime.second + MediaTime(seconds: Double($0) / camera) }
        let limited = RecordingTimeline(requested: 0, startsWithVideo: true, maximumDuration: 10 * .second)
        let passed = passed(selector, times, timeline: limited)
        #expect(abs(passed.count - count) <= (wanted == 29.97 ? 1 : 0))
        #expect(passed.allSatisfy { $0.nanoseconds % step.nanoseconds == 0 })
        #expect(zip(passed, passed.dropFirst()).allSatisfy { $0 < $1 })
    }

    @Test func `at the end the track is complete, and a stop half a frame before a frame leaves it out`() {
        var timeline = RecordingTimeline(requested: 0, startsWithVideo: true)
        var selector = FrameSelector(frameDuration: 100)
        _ = selector.decide(time: 1000, timeline: &timeline)
        timeline.end(at: 1149)
        #expect(selector.decide(time: 1100, timeline: &timeline) == .end)
        #expect(selector.decide(time: 1200, timeline: &timeline) == .end)
    }

    @Test func `a stop before the first frame leaves nothing`() {
        var timeline = RecordingTimeline(requested: 0, startsWithVideo: true)
        timeline.end(at: 500)
        var selector = FrameSelector(frameDuration: 100)
        #expect(selector.decide(time: 600, timeline: &timeline) == .end)
        #expect(timeline.start == nil)
    }
}
