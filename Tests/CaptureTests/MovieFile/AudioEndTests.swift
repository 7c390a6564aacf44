import CaptureAudio
import Encoding
import GStreamer
import MediaTypes
import MovieFiles
import SystemPackage
import TestSupport
import Testing

@testable import Capture

/// Tracks that lie apart when somebody stops or pauses: they end at one sample all the same.
@Suite struct AudioEndTests {
    private static let ms = MediaTime.millisecond

    /// Silence of a microphone, from one running time to another in milliseconds.
    private static func chunk(_ range: Range<Int>) -> AudioChunk {
        AudioChunk(
            rowStart: .zero, position: range.lowerBound * 48, samples: [Float](repeating: 0.1, count: range.count * 48),
            channels: 1, rate: 48_000)
    }

    private static func plan() throws -> MoviePlan {
        let track = MoviePlan.Track(
            caps: try Caps("audio/x-raw,format=F32LE,rate=48000,channels=1,layout=interleaved"),
            nodes: [.make("audioconvert"), .caps(try Caps("audio/x-raw,format=S16LE,layout=interleaved"))])
        return MoviePlan(muxer: "matroskamux", isMovieFile: false, video: nil, audio: [track, track])
    }

    /// A recording of two microphones that has begun.
    private static func begin(_ path: String, delay: MediaTime) async throws -> (MovieWriter, RunningRecording) {
        let writer = try MovieWriter(
            plan(), destination: MovieDestination(FilePath(path)), options: MovieFileWriter.Options())
        try await writer.start()
        let recording = RunningRecording(
            writer: writer, timeline: RecordingTimeline(startsWithVideo: false), frames: nil, videoCaps: nil,
            audio: (0..<2).map { _ in AudioTrack(rate: 48_000, channels: 1, delay: delay) }, frameLimit: 1,
            onStart: {}, onComplete: {})
        recording.request(at: .zero)
        return (writer, recording)
    }

    @Test(arguments: [false, true])
    func `an end that one track has passed when it is known is every track's`(isPaused: Bool) async throws {
        let folder = try TemporaryFolder()
        let path = folder.file("take.mkv")
        let (writer, recording) = try await Self.begin(path, delay: .zero)
        recording.receive(Self.chunk(0..<500), of: 0, now: .max)
        recording.receive(Self.chunk(0..<300), of: 1, now: .max)
        // The time was read before the first one's last samples came.
        if isPaused { #expect(recording.pause(at: 400 * Self.ms)) }
        recording.end(at: 400 * Self.ms)
        #expect(recording.end == 500 * Self.ms)
        recording.receive(Self.chunk(500..<600), of: 0, now: .max)
        recording.receive(Self.chunk(300..<600), of: 1, now: .max)
        _ = try await writer.finish(within: .seconds(120))
        for track in 0..<2 {
            let samples = try await FFmpeg.audio(of: path, track: track, rate: 48_000)
            #expect(samples.count == 24_000, "track \(track)")
        }
    }

    /// It is a second later in the movie than it is heard.
    @Test func `audio that is moved to earlier is not taken for late`() async throws {
        let folder = try TemporaryFolder()
        let path = folder.file("take.mkv")
        let (writer, recording) = try await Self.begin(path, delay: -.second)
        // The second says nothing from half a second on.
        recording.receive(Self.chunk(0..<1500), of: 1, now: .max)
        for end in stride(from: 500, through: 6000, by: 500) {
            // By then four seconds are in the movie.
            if end == 5500 { recording.end(at: 4500 * Self.ms) }
            recording.receive(Self.chunk(end - 500..<end), of: 0, now: end * Self.ms)
            for microphone in 0..<2 {
                recording.keepAudioGoing(
                    of: microphone, now: (end + 900) * Self.ms, isLost: false, isInterrupted: microphone == 1)
            }
        }
        for microphone in 0..<2 { recording.endAudio(microphone) }
        _ = try await writer.finish(within: .seconds(120))
        let (first, second) = (
            try await FFmpeg.audio(of: path, track: 0, rate: 48_000),
            try await FFmpeg.audio(of: path, track: 1, rate: 48_000)
        )
        #expect(first.count == 216_000 && first.allSatisfy { $0 > 0.09 }, "\(first.count)")
        #expect(second.count == 216_000, "\(second.count)")
        #expect(second.prefix(24_000).allSatisfy { $0 > 0.09 })
        #expect(second.dropFirst(24_000).allSatisfy { abs($0) < 0.001 })
    }

    @Test func `a stream's frames behind one that was given up are, up to the next key frame`() async throws {
        let folder = try TemporaryFolder()
        let caps = try Caps("video/x-raw,format=I420,width=64,height=48,framerate=25/1")
        let plan = MoviePlan(
            muxer: "matroskamux", isMovieFile: false,
            video: MoviePlan.Track(caps: caps, nodes: [.make("identity", ["sleep-time": 20_000]), .make("jpegenc")]),
            audio: [])
        let writer = try MovieWriter(
            plan, destination: MovieDestination(FilePath(folder.file("take.mkv"))), options: MovieFileWriter.Options())
        try await writer.start()
        let recording = RunningRecording(
            writer: writer, timeline: RecordingTimeline(startsWithVideo: true),
            frames: FrameSelector(frameDuration: 40 * Self.ms, grid: nil), videoCaps: caps, audio: [], frameLimit: 4,
            onStart: {}, onComplete: {})
        recording.request(at: .zero)
        func give(_ index: Int, isKey: Bool) {
            let bytes = [UInt8](repeating: UInt8(index % 200), count: 64 * 48 * 3 / 2)
            let frame = bytes.withUnsafeBytes { Buffer(copying: $0, presentationTime: nil, duration: nil) }
            recording.receive(
                CaptureInput.TimedSample(
                    buffer: isKey ? frame : frame.asDeltaUnit(), caps: caps, time: index * 40 * Self.ms))
        }
        for index in 0..<20 { give(index, isKey: index == 0) }
        let before = recording.counts
        #expect(before.droppedFrames > 0)
        while writer.waitingFrames > 0 { await Task.yield() }
        for index in 20..<23 { give(index, isKey: false) }
        #expect(recording.counts.frames == before.frames)
        for index in 23..<26 { give(index, isKey: index == 23) }
        #expect(recording.counts.frames == before.frames + 3)
        let now = recording.counts
        #expect(now.frames + now.droppedFrames >= 25)
        recording.endVideo()
        _ = try await writer.finish(within: .seconds(120))
    }

    @Test func `frames meet at the end behind what is in the movie of the audio`() {
        var timeline = RecordingTimeline(requested: .zero, startsWithVideo: true)
        for grid in [nil, 40 * Self.ms] {
            var selector = FrameSelector(frameDuration: 40 * Self.ms, grid: grid)
            for frame in 0..<10 { _ = selector.decide(time: frame * 40 * Self.ms, timeline: &timeline) }
            let now = timeline
            let ends = [0, 400, 401, 440, 479].map {
                selector.border(nearest: 395 * Self.ms, notBefore: $0 * Self.ms, now).quotient(dividingBy: Self.ms)
            }
            #expect(ends == [400, 400, 440, 440, 480], "\(grid.map { "\($0)" } ?? "no grid")")
        }
    }
}
