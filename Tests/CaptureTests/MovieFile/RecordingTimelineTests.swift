import CaptureAudio
import GStreamer
import TestSupport
import Testing

@testable import Capture

@Suite struct RecordingTimelineTests {
    @Test func `with a camera the first frame begins the take, without one the request does`() {
        var camera = RecordingTimeline(requested: 100, startsWithVideo: true)
        #expect(camera.start == nil)
        camera.begin(at: 130)
        camera.begin(at: 170)
        #expect(camera.start == 130)
        #expect(RecordingTimeline(requested: 100, startsWithVideo: false).start == 100)
    }

    @Test func `a limit of the duration is an end as soon as there is a beginning`() {
        var camera = RecordingTimeline(requested: 100, startsWithVideo: true, maximumDuration: 1000)
        #expect(camera.end == nil)
        camera.begin(at: 130)
        #expect(camera.end == 1130)
        #expect(RecordingTimeline(requested: 100, startsWithVideo: false, maximumDuration: 1000).end == 1100)
    }

    @Test func `a limit is lifted where the start failed, and the next one is counted again`() {
        var timeline = RecordingTimeline(requested: 0, startsWithVideo: false)
        timeline.limit(to: 1000)
        timeline.limit(to: nil)
        #expect(timeline.end == nil && timeline.maximumDuration == nil)
        timeline.limit(to: 5000)
        #expect(timeline.end == 5000)
    }

    @Test func `what is named before the pause has begun that was asked for lies before the pause`() {
        var timeline = RecordingTimeline(requested: 0, startsWithVideo: true)
        timeline.begin(at: 100)
        #expect(timeline.place(of: 500) == 400)
        _ = timeline.pause(at: 600)
        #expect(timeline.place(of: 550) == 450 && timeline.place(of: 900) == 500)
    }

    @Test func `the earliest end holds`() {
        var timeline = RecordingTimeline(requested: 0, startsWithVideo: false, maximumDuration: 1000)
        timeline.end(at: 2000)
        #expect(timeline.end == 1000)
        timeline.end(at: 400)
        timeline.end(at: 600)
        #expect(timeline.end == 400)
    }

    @Test func `a pause is left out of the movie, to the sample, and frames stay as far apart as the camera's`() {
        var timeline = RecordingTimeline(requested: 0, startsWithVideo: true)
        var selector = FrameSelector(frameDuration: 40 * .millisecond)
        var (passed, taken): ([MediaTime], [Bool]) = ([], [])
        for index in 0..<50 {
            let time = index * 40 * .millisecond + 1_234_567 * .nanosecond
            if index == 10 { taken.append(timeline.pause(at: time - 25 * .millisecond)) }
            if index == 12 { taken.append(timeline.pause(at: time)) }
            if index == 30 { taken.append(timeline.resume(at: time - 25 * .millisecond)) }
            if case .pass(let place, _) = selector.decide(time: time, timeline: &timeline) { passed.append(place) }
        }
        // One that is paused already cannot be paused again.
        #expect(taken == [true, false, true])
        #expect(passed.count == 30)
        // A pause is a whole number of samples, which are 21 microseconds.
        #expect(zip(passed, passed.dropFirst()).allSatisfy { ($1 - $0 - 40 * .millisecond).length < 11_000 })
        #expect(timeline.segments.map(\.position) == [0, 19_200])
        #expect(selector.missing == 0 && selector.lost == 0)
    }

    @Test func `what was lost before the beginning, in a pause or behind the end is not the recording's`() {
        var timeline = RecordingTimeline(requested: 100, startsWithVideo: true)
        #expect(!timeline.holds(150))
        timeline.begin(at: 200)
        // What was lost before the first frame lies before the recording.
        #expect([150, 200, 250].map { timeline.holds($0) } == [false, false, true])
        let isPaused = timeline.pause(at: 300)
        #expect(isPaused && timeline.holds(290) && !timeline.holds(310))
        timeline.pauseBegins(at: 320)
        #expect([310, 320, 400].map { timeline.holds($0) } == [true, false, false])
        let continues = timeline.resume(at: 500)
        #expect(continues && !timeline.holds(510))
        timeline.begin(at: 520)
        #expect([310, 400, 520, 530].map { timeline.holds($0) } == [true, false, false, true])
        timeline.end(at: 600)
        #expect([590, 600].map { timeline.holds($0) } == [true, false])
    }

    @Test func `pressed twice within a frame there is no pause`() {
        var timeline = RecordingTimeline(requested: 0, startsWithVideo: true)
        timeline.begin(at: 0)
        let answers = [timeline.pause(at: 100), timeline.resume(at: 110), timeline.resume(at: 120)]
        #expect(answers == [true, true, false] && !timeline.isPaused)
        #expect(timeline.segments.count == 1 && timeline.movieTime(of: 200) == 200)
    }

    @Test func `a pause that no frame begins begins where it was asked for, a second later`() {
        var timeline = RecordingTimeline(requested: 0, startsWithVideo: true)
        timeline.begin(at: 0)
        _ = timeline.pause(at: 2 * .second)
        timeline.settle(at: 3 * .second)
        #expect(timeline.isAboutToPause)
        timeline.settle(at: 3 * .second + 1)
        #expect(timeline.segments == [.init(begin: 0, position: 0, end: 2 * .second)])
        #expect(timeline.movieTime(of: 9 * .second) == 2 * .second)
    }

    @Test func `a limit counts what is recorded, and a stop in a pause ends where the pause began`() {
        var timeline = RecordingTimeline(requested: 0, startsWithVideo: false, maximumDuration: 3 * .second)
        _ = timeline.pause(at: .second)
        #expect(timeline.isPaused && timeline.end == nil)
        _ = timeline.resume(at: 10 * .second)
        #expect(!timeline.isPaused && timeline.end == 12 * .second)
        _ = timeline.pause(at: 11 * .second)
        timeline.end(at: 20 * .second)
        #expect(timeline.end == 11 * .second && !timeline.isPaused && timeline.isComplete(with: 2))
        let late = [timeline.resume(at: 21 * .second), timeline.pause(at: 21 * .second)]
        #expect(late == [false, false])
        #expect(timeline.end == 11 * .second && timeline.endPosition(of: 1) == 96_000)
    }

    @Test func `a stop before the pause has begun ends where it was asked for`() {
        var timeline = RecordingTimeline(requested: 0, startsWithVideo: true)
        timeline.begin(at: 0)
        _ = timeline.pause(at: .second)
        timeline.end(at: .second + 5 * .millisecond)
        #expect(timeline.end == .second)
    }

    @Test func `a pause between the last frame and a limit is none`() {
        var timeline = RecordingTimeline(requested: 0, startsWithVideo: true, maximumDuration: 1000)
        var selector = FrameSelector(frameDuration: 100)
        for time in stride(from: 0, to: 1000, by: 100) {
            _ = selector.decide(time: time * .nanosecond, timeline: &timeline)
        }
        // With the frame at 1000 comes the end, and not a pause that nothing would end.
        let isTaken = timeline.pause(at: 960)
        #expect(isTaken)
        #expect(selector.decide(time: 1000, timeline: &timeline) == .end)
        let later = [timeline.pause(at: 1001), timeline.resume(at: 1002)]
        #expect(later == [false, false] && !timeline.isPaused && timeline.end == 960)
    }

    @Test(
        arguments: [(940, 1000), (949, 1000), (951, 1000), (1049, 1000), (1051, 1100)] as [(MediaTime, MediaTime)])
    func `a stop ends the audio where two frames meet, and behind all that are in the movie`(
        stop: MediaTime, end: MediaTime
    ) {
        var timeline = RecordingTimeline(requested: 0, startsWithVideo: true)
        var selector = FrameSelector(frameDuration: 100)
        for time in stride(from: 0, to: min(stop, 1000).nanoseconds, by: 100) {
            _ = selector.decide(time: MediaTime(nanoseconds: time), timeline: &timeline)
        }
        let now = timeline
        timeline.end(at: stop) { selector.border(nearest: $0, now) }
        #expect(timeline.end == end)
        #expect(selector.decide(time: end, timeline: &timeline) == .end)
    }

    @Test func `with a lower frame rate a stop lies on its grid`() {
        var timeline = RecordingTimeline(requested: 40, startsWithVideo: true)
        var selector = FrameSelector(frameDuration: 100, grid: 400)
        for time in stride(from: 40, to: 1300, by: 100) {
            _ = selector.decide(time: time * .nanosecond, timeline: &timeline)
        }
        let now = timeline
        timeline.end(at: 1250) { selector.border(nearest: $0, now) }
        #expect(timeline.end == 1640)
    }

    @Test func `without a camera nothing is paused behind a limit`() {
        var timeline = RecordingTimeline(requested: 0, startsWithVideo: false, maximumDuration: 1000)
        let isTaken = timeline.pause(at: 1000)
        #expect(!isTaken && timeline.end == 1000)
    }

    /// A camera whose stamps scatter and a microphone, paused and resumed at random a hundred times: every frame lies where its
    /// audio lies, every sample is there once, and nothing counts as missing.
    @Test(arguments: 1...6 as ClosedRange<UInt64>) func `after a hundred pauses video and audio are in step`(
        seed: UInt64
    ) {
        var random = SeededRandom(seed: seed)
        var timeline = RecordingTimeline(requested: 0, startsWithVideo: true)
        var selector = FrameSelector(frameDuration: FrameSelectorTests.frame)
        var track = AudioTrimmer(rate: 48_000)
        var (frames, held): ([(movie: MediaTime, running: MediaTime)], [AudioChunk]) = ([], [])
        // Which samples of the microphone lie in the movie, and from which of its samples on.
        var parts: [(place: Int, samples: Range<Int>)] = []
        var (next, position) = (60, 0)
        for index in 0..<8000 {
            let time = index * FrameSelectorTests.frame + MediaTime(nanoseconds: Int64(random.uniform() * 4e6))
            if index == next, timeline.segments.count < 101 {
                let asked = time - MediaTime(nanoseconds: Int64(random.uniform() * 3e7))
                let isTaken = timeline.isPaused ? timeline.resume(at: asked) : timeline.pause(at: asked)
                #expect(isTaken)
                next += 2 + Int(random.uniform() * 60)
            }
            if case .pass(let place, _) = selector.decide(time: time, timeline: &timeline) {
                frames.append((place, time))
            }
            let end = Int(time * 48 / 1_000_000)
            held.append(chunk(position..<end))
            position = end
            while !timeline.isAboutToPause, let first = held.first {
                let (pieces, isConsumed) = track.take(first, timeline)
                for piece in pieces {
                    #expect(piece.silence == 0)
                    guard let part = piece.part else { continue }
                    let place = parts.last.map { $0.place + $0.samples.count } ?? 0
                    parts.append((place, part.position..<part.end))
                }
                guard isConsumed else { break }
                held.removeFirst()
            }
        }
        #expect(timeline.segments.count == 101 && selector.missing == 0 && selector.lost == 0, "seed \(seed)")
        #expect(zip(parts, parts.dropFirst()).count { $1.samples.lowerBound != $0.samples.upperBound } == 100)
        var later = parts[...]
        for frame in frames {
            let place = Int((frame.movie.seconds * 48_000).rounded())
            later = later.drop { $0.place + $0.samples.count <= place }
            guard let part = later.first else { break }
            let sample = part.samples.lowerBound + place - part.place
            #expect(abs(sample - Int((frame.running.seconds * 48_000).rounded())) <= 1, "seed \(seed)")
        }
        let distances = zip(frames, frames.dropFirst()).map { $1.movie - $0.movie }
        #expect(distances.allSatisfy { ($0 - FrameSelectorTests.frame).length < 5 * .millisecond })
    }

    private func chunk(_ range: Range<Int>) -> AudioChunk {
        AudioChunk(
            rowStart: 0, position: range.lowerBound, samples: [Float](repeating: 0, count: range.count), channels: 1,
            rate: 48_000)
    }
}
