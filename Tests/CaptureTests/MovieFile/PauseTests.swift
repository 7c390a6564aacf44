import Encoding
import GStreamer
import SystemPackage
import TestSupport
import Testing

@testable import Capture

/// Recordings that are paused, by the real devices' rules: the file is judged by ffprobe and ffmpeg.
@Suite(.timeLimit(.minutes(10))) struct PauseTests {
    /// Starts a recording and pauses it at random; returns its result and how many pauses there were.
    private func record(
        _ session: CaptureSession, to destination: MovieDestination, _ settings: MovieSettings, pauses: Int,
        seed: UInt64
    ) async throws -> (RecordingResult, paused: Int) {
        var random = SeededRandom(seed: seed)
        let recording = try await TestTake.output(of: session).startRecording(
            to: destination, settings: settings, limits: TestTake.limits())
        _ = await recording.first { if case .started = $0 { true } else { nil } }
        for _ in 0..<pauses {
            try await Task.sleep(for: .seconds(0.02 + random.uniform() * 0.15))
            recording.pause()
            #expect(recording.isPaused)
            try await Task.sleep(for: .seconds(0.02 + random.uniform() * 0.15))
            recording.resume()
            #expect(!recording.isPaused)
        }
        try await Task.sleep(for: .seconds(0.2))
        let result = await recording.stop()
        return (result, pauses)
    }

    @Test(arguments: zip(["take.mov", "take.mkv", "take.mp4"], [AudioCodec.pcm, .flac, .aac]))
    func `forty pauses leave an even movie, audio as long as video`(name: String, codec: AudioCodec) async throws {
        let folder = try TemporaryFolder()
        let session = try await TestTake.session()
        var settings = TestTake.settings
        settings.audioCodec = codec
        let (result, _) = try await record(
            session, to: TestTake.destination(folder, name), settings, pauses: 40, seed: 7)
        await session.stop()
        #expect(result.reason == .stopped && result.isPlayable && result.problem == nil, "\(result)")
        let file = folder.file(name)
        try await FFmpeg.decode(file)
        let times = try await FFProbe.frames("v:0", of: file).compactMap(\.ptsTime?.value)
        #expect(result.progress.frames == times.count)
        // A busy machine's encoder may drop some, which it tells.
        let missing = try #require(TestTake.missingFrames(in: times), "\(times)")
        #expect(missing <= result.progress.droppedFrames, "\(times)")
        let shown = try #require(times.last) + 1.0 / 30
        let samples = try await FFmpeg.audio(of: file, rate: 48_000)
        let audio = Double(samples.count) / 48_000
        // The audio ends with the last frame; AAC has blocks of 1024 samples.
        let limit = codec == .aac ? 1024.0 / 48_000 : 0.000_5
        #expect(abs(audio - shown) < limit, "\(audio) s of audio, \(shown) s of frames")
    }

    @Test func `a file that is asked for in a pause begins with what comes after it`() async throws {
        let folder = try TemporaryFolder()
        let session = try await TestTake.session()
        let recording = try await TestTake.output(of: session).startRecording(
            to: TestTake.destination(folder), settings: TestTake.settings, limits: TestTake.limits())
        await recording.reaches(seconds: 1)
        recording.pause()
        // What a busy encoder still had when it was paused has come when nothing more comes for a while.
        var (before, times) = (MediaTime.zero, 0)
        _ = await recording.first { event -> Bool? in
            guard case .progress(let progress) = event else { return nil }
            (before, times) = (progress.duration, progress.duration == before ? times + 1 : 0)
            return times == 10 ? true : nil
        }
        recording.split()
        await recording.tellsProgress(times: 3)
        recording.resume()
        await recording.reaches(seconds: before.seconds + 1)
        let result = await recording.stop()
        await session.stop()
        let part = try #require(result.parts.first)
        // One frame may still have been on its way, and audio ends with a whole block of AAC.
        let rest = MediaTime(seconds: 1.0 / 30 + 1024.0 / 48_000)
        #expect(result.isPlayable && (part.duration - before).length < rest, "\(part), \(before)")
        let first = try await FFProbe.packets("v:0", of: #require(part.path).string).count
        let second = try await FFProbe.packets("v:0", of: #require(result.path).string).count
        #expect(first + second == result.progress.frames, "\(first), \(second)")
    }

    @Test func `frames that a driver lost in a pause are nobody's loss, and others are counted`() async throws {
        let folder = try TemporaryFolder()
        let session = try await TestTake.session(microphone: nil)
        let recording = try await TestTake.output(of: session).startRecording(
            to: TestTake.destination(folder), settings: TestTake.settings, limits: TestTake.limits())
        _ = await recording.first { if case .started = $0 { true } else { nil } }
        let tracks = recording.supervisor.recording
        func lose(_ frames: Int) { tracks.count(FrameLoss(time: session.now, frames: frames)) }
        await recording.tellsProgress(times: 1)
        lose(500)
        recording.pause()
        lose(7000)
        _ = await recording.first { _ in tracks.timeline.phase == .standing ? true : nil }
        lose(7000)
        recording.resume()
        _ = await recording.first { _ in tracks.timeline.phase == .recording ? true : nil }
        await recording.tellsProgress(times: 1)
        lose(300)
        #expect(tracks.counts.toldMissingFrames == 800 && tracks.counts.lostFrames == 800)
        let result = await recording.stop()
        await session.stop()
        // A busy machine's encoder may drop some.
        #expect(result.isPlayable && (800..<1000).contains(result.progress.droppedFrames), "\(result.progress)")
    }
}
