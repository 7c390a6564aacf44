import GStreamer
import TestSupport
import Testing

@testable import Capture

/// Copied streams with B-frames: where they begin, pause and end.
@Suite struct ReorderedFramesTests {
    private static let frame: MediaTime = 33_333_333

    @Test func `frames in the order of decoding keep their own times, and none is missing`() {
        var timeline = RecordingTimeline(requested: 0, startsWithVideo: true)
        var selector = FrameSelector(frameDuration: 100, needsKeyFrame: true, reorderedSamples: 2)
        let times: [MediaTime] = [1000, 1300, 1100, 1200, 1600, 1400, 1500]
        for time in times {
            #expect(
                selector.decide(time: time, isKeyFrame: time == 1000, timeline: &timeline)
                    == .pass(time - 1000, duration: 100))
        }
        // One that is shown before the first is not in the movie.
        #expect(selector.decide(time: 900, isKeyFrame: false, timeline: &timeline) == .skip)
        #expect(selector.lost == 0 && selector.missing == 0)
    }

    /// I0 P3 B1 B2 P6 B4 B5 …: a decoder puts one frame into order.
    private static let coded: [Int] =
        [0] + (1...10).map { (group: Int) -> [Int] in [3 * group, 3 * group - 2, 3 * group - 1] }.flatMap(\.self)

    /// The places of the frames that are in the movie, those that waited too, and the timeline.
    ///
    /// - Parameters:
    ///   - distance: from one frame to the next, which is what they are said to last only where the camera's clock is right.
    ///   - fields: as how many samples each frame comes; then places are theirs.
    private func reordered(
        distance: MediaTime = frame, fields: Int = 1, _ act: (inout RecordingTimeline, _ time: MediaTime) -> Void
    ) -> (places: [Int], timeline: RecordingTimeline, isOver: Bool) {
        var timeline = RecordingTimeline(startsWithVideo: true, isReordered: true)
        timeline.request(at: 0)
        var selector = FrameSelector(frameDuration: Self.frame, needsKeyFrame: true, reorderedSamples: fields)
        var (places, waiting): ([Int], [Int]) = ([], [])
        for place in Self.coded.flatMap({ frame in (0..<fields).map { frame * fields + $0 } }) {
            let time = MediaTime.second + place * distance / fields
            act(&timeline, time)
            switch selector.decide(
                time: time, duration: fields > 1 ? Self.frame / fields : nil,
                isGroupStart: { place % (9 * fields) == 0 }, timeline: &timeline)
            {
            case .pass:
                places += waiting + [place]
                waiting = []
            case .wait: waiting.append(place)
            case .skip, .lose: waiting = []
            case .end: return (places.sorted(), timeline, true)
            }
        }
        return (places.sorted(), timeline, false)
    }

    @Test(arguments: 1...12) func `a recording of frames in the order of decoding ends without a gap`(wanted: Int) {
        let end = MediaTime.second + wanted * Self.frame
        let result = reordered { timeline, time in if time == .second + 3 * Self.frame { timeline.end(at: end) } }
        // A frame that others need, and what is shown before it.
        let count = (wanted - 1 + 2) / 3 * 3 + 1
        #expect(result.isOver && result.places == Array(0..<count))
        #expect(result.timeline.end == MediaTime.second + max(wanted, count) * Self.frame)
        #expect(!result.timeline.isAboutToEnd)
    }

    @Test(arguments: 1...12) func `of frames that come as two fields a recording ends without a gap, and with both`(
        wanted: Int
    ) {
        let end = MediaTime.second + wanted * Self.frame
        let result = reordered(fields: 2) { timeline, time in
            if time == .second + 3 * Self.frame { timeline.end(at: end) }
        }
        let count = (wanted - 1 + 2) / 3 * 3 + 1
        #expect(result.isOver && result.places == Array(0..<2 * count), "\(result.places)")
    }

    @Test func `frames that are over before an end is known move none`() {
        var timeline = RecordingTimeline(startsWithVideo: true, isReordered: true)
        timeline.request(at: 0)
        var selector = FrameSelector(frameDuration: 100, needsKeyFrame: true, reorderedSamples: 1)
        _ = selector.decide(time: 1000, timeline: &timeline)
        selector.settleEnd(of: &timeline)
        timeline.end(at: 5000)
        #expect(timeline.end == 5000 && !timeline.isAboutToEnd)
    }

    @Test func `a pause waits until as many frames can have come as tell where it begins`() {
        func timeout(_ depth: Int, _ seconds: Double) -> MediaTime {
            FrameSelector(frameDuration: MediaTime(seconds: seconds), needsKeyFrame: true, reorderedSamples: depth)
                .pauseTimeout
        }
        #expect(timeout(0, 0.5) == .second && timeout(2, 0.5) == 2 * .second && timeout(16, 1) == 5 * .second)
    }

    @Test func `a pause among frames in the order of decoding leaves no gap, nor does one that is taken back`() {
        let pause = MediaTime.second + 5 * Self.frame
        let paused = reordered { timeline, time in
            if time == .second + 6 * Self.frame { _ = timeline.pause(at: pause) }
        }
        #expect(paused.places == Array(0...6) && paused.timeline.isPaused)
        #expect(paused.timeline.segments.last?.end == .second + 7 * Self.frame, "\(paused.timeline)")
        let resumed = reordered { timeline, time in
            if time == .second + 6 * Self.frame { _ = timeline.pause(at: pause) }
            if time == .second + 4 * Self.frame { _ = timeline.resume(at: time) }
        }
        #expect(resumed.places == Array(0...30))
    }

    @Test(arguments: [999, 800, 1001]) func `a camera's clock that is fast or slow moves no end and no pause`(
        thousandths: Int
    ) {
        let distance = Self.frame * thousandths / 1000
        let (pause, third) = (MediaTime.second + 5 * distance, MediaTime.second + 3 * distance)
        let paused = reordered(distance: distance) { timeline, time in
            if time == .second + 6 * distance { _ = timeline.pause(at: pause) }
        }
        #expect(paused.places == Array(0...6) && paused.timeline.isPaused)
        #expect(paused.timeline.segments.last?.end == .second + 7 * distance)
        let ended = reordered(distance: distance) { timeline, time in
            if time == third { timeline.end(at: .second + 5 * distance) }
        }
        #expect(ended.isOver && ended.places == Array(0...6) && !ended.timeline.isAboutToEnd)
    }
}
