import GStreamer
import TestSupport
import Testing

@testable import Capture
@testable import CaptureAudio

@Suite struct AudioTrimmerTests {
    /// A chunk of a row that begins at second 0: each sample says its place.
    private func chunk(_ range: Range<Int>) -> AudioChunk {
        AudioChunk(rowStart: 0, position: range.lowerBound, samples: range.map(Float.init), channels: 1, rate: 48_000)
    }

    /// The samples that go into the movie; silence is -1.
    private func movie(_ trimmer: inout AudioTrimmer, _ chunks: [AudioChunk], _ timeline: RecordingTimeline) -> [Float]
    {
        chunks.flatMap { chunk in
            trimmer.take(chunk, timeline).pieces.flatMap {
                Array(repeating: -1, count: $0.silence) + ($0.part?.samples ?? [])
            }
        }
    }

    private func timeline(from start: Double, to end: Double? = nil) -> RecordingTimeline {
        RecordingTimeline(
            requested: MediaTime(seconds: start), startsWithVideo: false,
            maximumDuration: end.map { MediaTime(seconds: $0 - start) })
    }

    @Test func `both ends are cut to the sample, through the middle of chunks`() {
        var trimmer = AudioTrimmer(rate: 48_000)
        let chunks = stride(from: 0, to: 9600, by: 480).map { chunk($0..<$0 + 480) }
        let samples = movie(&trimmer, chunks, timeline(from: 0.0251, to: 0.1))
        #expect(samples == (1205..<4800).map(Float.init))
        #expect(trimmer.isComplete)
        #expect(trimmer.written == 3595)
    }

    @Test(arguments: [0.1, 1, 10, 0.123456]) func `a take of a length has that many samples`(length: Double) {
        var trimmer = AudioTrimmer(rate: 48_000)
        // Whatever the fractions of a sample at which the take and the row begin.
        let timeline = self.timeline(from: 0.013_337, to: 0.013_337 + length)
        let chunks = stride(from: 0, to: Int((length + 0.1) * 48_000), by: 441).map { chunk($0..<$0 + 441) }
        #expect(movie(&trimmer, chunks, timeline).count == Int((length * 48_000).rounded()))
    }

    @Test func `a delay moves the audio later, an advance earlier, and the track keeps its length`() {
        let chunks = stride(from: 0, to: 48_000, by: 480).map { chunk($0..<$0 + 480) }
        for (delay, first) in [(50, 2400), (-50, 7200)] as [(Int, Int)] {
            var trimmer = AudioTrimmer(rate: 48_000, delay: delay * .millisecond)
            let samples = movie(&trimmer, chunks, timeline(from: 0.1, to: 0.5))
            #expect(samples.first == Float(first))
            #expect(samples.count == 19_200)
        }
    }

    @Test func `a microphone that starts late is silent until then`() {
        var trimmer = AudioTrimmer(rate: 48_000)
        let samples = movie(&trimmer, [chunk(9600..<10_080)], timeline(from: 0))
        #expect(samples == Array(repeating: -1, count: 9600) + (9600..<10_080).map(Float.init))
    }

    @Test func `what lies between two chunks is silence`() {
        var trimmer = AudioTrimmer(rate: 48_000)
        let samples = movie(&trimmer, [chunk(0..<10), chunk(15..<20), chunk(40..<50)], timeline(from: 0, to: 0.001))
        #expect(samples.count == 48)
        #expect(samples.count { $0 == -1 } == 25)
        #expect(Array(samples[15..<20]) == [15, 16, 17, 18, 19])
    }

    @Test func `what came before the take, and what comes after it, is left out`() {
        var trimmer = AudioTrimmer(rate: 48_000)
        #expect(movie(&trimmer, [chunk(0..<480)], timeline(from: 0.02, to: 0.03)).isEmpty)
        #expect(movie(&trimmer, [chunk(480..<1440)], timeline(from: 0.02, to: 0.03)).count == 480)
        #expect(movie(&trimmer, [chunk(1440..<1920)], timeline(from: 0.02, to: 0.03)).isEmpty)
    }

    @Test func `filled silence is not filled twice, and late audio goes on at its place`() {
        var trimmer = AudioTrimmer(rate: 48_000)
        let timeline = self.timeline(from: 0)
        _ = movie(&trimmer, [chunk(0..<480)], timeline)
        #expect(trimmer.fill(to: 20 * .millisecond, timeline) == 480)
        #expect(trimmer.fill(to: 15 * .millisecond, timeline) == 0)
        #expect(movie(&trimmer, [chunk(480..<1000)], timeline) == (960..<1000).map(Float.init))
        #expect(movie(&trimmer, [chunk(1000..<1010)], timeline) == (1000..<1010).map(Float.init))
    }

    @Test func `filling stops at the end, exactly`() {
        var trimmer = AudioTrimmer(rate: 48_000)
        let timeline = self.timeline(from: 0, to: 1)
        #expect(trimmer.fill(to: 5 * .second, timeline) == 48_000)
        #expect(trimmer.isComplete)
        #expect(trimmer.fill(to: 6 * .second, timeline) == 0)
    }

    @Test func `a microphone that comes back with a new row goes on where it belongs`() {
        var trimmer = AudioTrimmer(rate: 48_000)
        let timeline = self.timeline(from: 0)
        _ = movie(&trimmer, [chunk(0..<480)], timeline)
        let back = AudioChunk(rowStart: 100 * .millisecond, position: 0, samples: [7, 8], channels: 1, rate: 48_000)
        let samples = movie(&trimmer, [back], timeline)
        #expect(samples.count == 4800 - 480 + 2)
        #expect(samples.suffix(2) == [7, 8])
    }
}

@Suite struct AudioTrackTests {
    private func chunk(_ range: Range<Int>) -> AudioChunk {
        AudioChunk(
            rowStart: 0, position: range.lowerBound, samples: range.flatMap { [Float($0), -Float($0)] }, channels: 2,
            rate: 48_000)
    }

    @Test func `audio from before the first frame is kept until the beginning is known`() {
        var track = AudioTrack(rate: 48_000, channels: 2, delay: 0)
        var timeline = RecordingTimeline(requested: 0, startsWithVideo: true)
        #expect(track.take(chunk(0..<480), timeline).isEmpty)
        #expect(track.take(chunk(480..<960), timeline).isEmpty)
        timeline.begin(at: 5 * .millisecond)
        let buffers = track.take(chunk(960..<1440), timeline)
        #expect(buffers.map(\.byteCount) == [240 * 8, 480 * 8, 480 * 8])
        #expect(buffers.map(\.presentationTime) == [0, 5_000_000, 15_000_000])
        #expect(buffers.map(\.duration) == [5_000_000, 10_000_000, 10_000_000])
    }

    @Test func `hours of silence share the memory of a second`() throws {
        var track = AudioTrack(rate: 48_000, channels: 2, delay: 0)
        let buffers = track.fill(to: 3 * 3600 * .second, RecordingTimeline(requested: 0, startsWithVideo: false))
        #expect(buffers.count == 10_800 && buffers.allSatisfy { $0.byteCount == 48_000 * 8 && $0.duration == .second })
        #expect(try Set(buffers.map { try $0.withBytes(\.baseAddress) }).count == 1)
    }

    @Test func `times follow from the count of samples, without a gap, for hours`() {
        var track = AudioTrack(rate: 48_000, channels: 1, delay: 0)
        let timeline = RecordingTimeline(requested: 0, startsWithVideo: false)
        var end: MediaTime? = 0
        for minute in 1...120 {
            for buffer in track.fill(to: minute * 60 * .second + minute * 12_345 * .nanosecond, timeline) {
                #expect(buffer.presentationTime == end)
                end = buffer.presentationTime.flatMap { start in buffer.duration.map { start + $0 } }
            }
        }
        #expect(abs(track.duration.seconds - 7200 - 120 * 12_345e-9) < 0.00002)
    }

    @Test func `a camera that never comes does not fill the memory`() {
        var track = AudioTrack(rate: 48_000, channels: 2, delay: 0)
        var timeline = RecordingTimeline(requested: 0, startsWithVideo: true)
        for second in 0..<60 { _ = track.take(chunk(second * 48_000..<second * 48_000 + 48_000), timeline) }
        timeline.begin(at: 0)
        let kept = track.take(chunk(60 * 48_000..<60 * 48_000 + 480), timeline)
        // Ten seconds are left of it, and the silence before.
        #expect(kept.count { $0.byteCount == 48_000 * 8 } == 60)
        #expect(abs(track.duration.seconds - 60.01) < 0.001)
    }

    @Test func `audio ahead of its time waits for it, so that nothing lies behind a stop`() {
        var track = AudioTrack(rate: 48_000, channels: 2, delay: 100 * .millisecond)
        var timeline = RecordingTimeline(requested: 0, startsWithVideo: false)
        for count in 0..<20 {
            _ = track.take(
                chunk(count * 480..<count * 480 + 480), timeline, now: (count + 1) * 10 * .millisecond)
        }
        #expect(track.duration == 200 * .millisecond)
        timeline.end(at: 205 * .millisecond)
        _ = track.take(chunk(9600..<10080), timeline, now: 210 * .millisecond)
        #expect(track.isComplete && track.duration == 205 * .millisecond)
    }

    @Test func `the few samples before a pause go with the first ones behind it`() {
        var track = AudioTrack(rate: 48_000, channels: 2, delay: 0)
        var timeline = RecordingTimeline(requested: 0, startsWithVideo: false)
        _ = timeline.pause(at: 11 * .millisecond)
        _ = timeline.resume(at: 30 * .millisecond)
        timeline.end(at: 60 * .millisecond)
        let buffers = stride(from: 0, to: 3360, by: 480).flatMap { track.take(chunk($0..<$0 + 480), timeline) }
        #expect(buffers.map(\.byteCount).reduce(0, +) == (528 + 1440) * 8 && track.isComplete)
        #expect(buffers.allSatisfy { $0.byteCount >= 96 * 8 })
        for (one, next) in zip(buffers, buffers.dropFirst()) {
            #expect(next.presentationTime == (one.presentationTime ?? 0) + (one.duration ?? 0))
        }
    }

    @Test func `stopped in a pause, the track is complete with the next chunk, and the last few samples are in it`() {
        var track = AudioTrack(rate: 48_000, channels: 2, delay: 0)
        var timeline = RecordingTimeline(requested: 0, startsWithVideo: false)
        _ = timeline.pause(at: 11 * .millisecond)
        var buffers = [chunk(0..<480), chunk(480..<960)].flatMap { track.take($0, timeline) }
        #expect(buffers.map(\.byteCount) == [480 * 8] && !track.isComplete)
        timeline.end(at: 50 * .millisecond)
        buffers += track.take(chunk(960..<1440), timeline)
        #expect(buffers.map(\.byteCount) == [480 * 8, 48 * 8] && track.isComplete)
    }
}
