import MediaTypes
import TestSupport
import Testing

@testable import Capture

@Suite struct CameraFramesTests {
    private static let ms = MediaTime.millisecond

    /// Frames every forty milliseconds from twenty on, whose values are their times in milliseconds.
    private func frames(to end: Int) -> CameraFrames<Int> {
        var frames = CameraFrames<Int>(frameDuration: 40 * Self.ms, limit: 200)
        for time in stride(from: 20, to: end, by: 40) { frames.append(time, time: time * Self.ms) }
        return frames
    }

    /// Each frame and its place in the movie, in milliseconds.
    private func taken(
        from frames: inout CameraFrames<Int>, _ limit: MediaTime, _ timeline: RecordingTimeline
    ) -> [[Int]] {
        frames.take(upTo: limit, timeline).map { [$0.frame, $0.time.quotient(dividingBy: Self.ms)] }
    }

    @Test
    func `a movie begins with the frame that was to be seen at its first moment, and the others keep their times`() {
        var frames = frames(to: 300)
        var timeline = RecordingTimeline(requested: 100 * Self.ms, startsWithVideo: true)
        #expect(taken(from: &frames, 90 * Self.ms, timeline) == [])
        timeline.begin(at: 110 * Self.ms)
        // What is not known yet waits.
        #expect(taken(from: &frames, 150 * Self.ms, timeline) == [[100, 0], [140, 30]])
        #expect(taken(from: &frames, 230 * Self.ms, timeline) == [[180, 70], [220, 110]])
        timeline.end(at: 250 * Self.ms)
        #expect(taken(from: &frames, .second, timeline) == [])
    }

    @Test func `what a pause leaves out is left out here at the same places`() {
        var frames = frames(to: 1000)
        var timeline = RecordingTimeline(requested: 0, startsWithVideo: true)
        timeline.begin(at: 20 * Self.ms)
        let isPausing = timeline.pause(at: 190 * Self.ms)
        timeline.pauseBegins(at: 200 * Self.ms)
        let isResuming = timeline.resume(at: 500 * Self.ms)
        #expect(isPausing && isResuming)
        timeline.begin(at: 510 * Self.ms)
        timeline.end(at: 600 * Self.ms)  // The frame at 580 is half a frame before it.
        let all = taken(from: &frames, .second, timeline)
        // The pause begins 180 ms into the movie.
        #expect(
            all == [[20, 0], [60, 40], [100, 80], [140, 120], [180, 160], [500, 180], [540, 210]])
    }

    @Test func `frames that come at once stand behind each other, and none is lost`() {
        var frames = CameraFrames<Int>(frameDuration: 40 * Self.ms, limit: 200)
        var timeline = RecordingTimeline(requested: 0, startsWithVideo: true)
        timeline.begin(at: 0)
        for (frame, time) in [(1, 0), (2, 40), (3, 160), (4, 160), (5, 160), (6, 161), (7, 200)] {
            frames.append(frame, time: time * Self.ms)
        }
        #expect(
            taken(from: &frames, 300 * Self.ms, timeline) == [
                [1, 0], [2, 40], [3, 160], [4, 161], [5, 162], [6, 163], [7, 200],
            ])
        #expect(frames.lost == 0)
    }

    @Test func `a camera that comes late begins where it comes`() {
        var frames = CameraFrames<Int>(frameDuration: 40 * Self.ms, limit: 200)
        var timeline = RecordingTimeline(requested: 0, startsWithVideo: true)
        timeline.begin(at: 0)
        #expect(taken(from: &frames, 100 * Self.ms, timeline) == [])
        frames.append(150, time: 150 * Self.ms)
        #expect(taken(from: &frames, 200 * Self.ms, timeline) == [[150, 150]])
    }

    @Test func `a camera that says nothing goes on with its last frame, and what it brings too late is counted`() {
        var frames = CameraFrames<Int>(frameDuration: 40 * Self.ms, limit: 200)
        var timeline = RecordingTimeline(requested: 0, startsWithVideo: true)
        timeline.begin(at: 0)
        frames.append(0, time: 0)
        #expect(taken(from: &frames, 1000 * Self.ms, timeline) == [[0, 0]])
        #expect(taken(from: &frames, 1100 * Self.ms, timeline) == [[0, 1060]])
        #expect(taken(from: &frames, 2090 * Self.ms, timeline) == [])
        // These come behind the repeated one: no time goes back, but by less than a frame it is put off.
        for time in [900, 1000, 1059] { frames.append(time, time: time * Self.ms) }
        frames.append(1100, time: 1100 * Self.ms)
        #expect(taken(from: &frames, 2090 * Self.ms, timeline) == [[1059, 1061], [1100, 1100]])
        #expect(frames.lost == 2)
    }

    @Test func `no more frames wait than may`() {
        var frames = CameraFrames<Int>(frameDuration: 40 * Self.ms, limit: 3)
        for index in 0..<10 { frames.append(index, time: index * 40 * Self.ms) }
        #expect(frames.lost == 7)
    }

    /// Cuts at random, with what is known coming in random steps: the same as all at once.
    @Test func `it does not matter when what is known becomes known`() {
        for seed in UInt64(1)...50 {
            var random = SeededRandom(seed: seed)
            var timeline = RecordingTimeline(requested: 0, startsWithVideo: true)
            var two = CameraFrames<Int>(frameDuration: 40 * Self.ms, limit: 200)
            var (all, now, next) = ([[Int]](), 0, 20)
            timeline.begin(at: 0)
            while now < 4000 {
                now += 10 + Int(random.uniform() * 120)
                if random.uniform() < 0.3 {
                    if timeline.isPaused {
                        _ = timeline.resume(at: now * Self.ms)
                        timeline.begin(at: now * Self.ms)
                    } else if timeline.pause(at: now * Self.ms) {
                        timeline.pauseBegins(at: now * Self.ms)
                    }
                }
                while next <= now {
                    two.append(next, time: next * Self.ms)
                    next += 40
                }
                all += taken(from: &two, now * Self.ms, timeline)
            }
            timeline.end(at: (now + 40) * Self.ms)
            var one = frames(to: next)
            all += taken(from: &two, 5 * .second, timeline)
            let atOnce = taken(from: &one, 5 * .second, timeline)
            #expect(atOnce == all, "seed \(seed)")
            #expect(zip(all, all.dropFirst()).allSatisfy { $0[1] < $1[1] }, "seed \(seed)")
        }
    }
}
