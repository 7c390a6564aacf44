import Encoding
import Foundation
import GStreamer
import MediaTypes
import SystemPackage
import TestSupport
import Testing

@testable import Capture

/// Faults of one camera's own movie that are really caused, while the composed one and the others go on.
@Suite(.timeLimit(.minutes(10))) struct CameraMovieFaultTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func record() async throws -> (CaptureSession, Recording) {
        let session = CaptureSession()
        let format = FormatRequest(size: VideoSize(320, 180), rate: Fraction(30))
        let plans = try ["ball", "smpte"].map { try VideoSourcePlan(.test(TestPattern(pattern: $0)), format) }
        try await session.configure {
            $0.cameras = plans
            $0.microphone = try AudioSourcePlan(.test(TestTone()), channels: 2)
        }
        try await session.start()
        let output = try await TestTake.output(of: session)
        let recording = try await output.startRecording(
            to: TestTake.destination(folder), settings: TestTake.settings, limits: TestTake.limits(),
            eachCamera: TestTake.settings)
        return (session, recording)
    }

    private func seconds(_ path: String, _ stream: String) async throws -> Double {
        try await FFProbe.packets(stream, of: path).compactMap(\.ptsTime?.value).max() ?? 0
    }

    @Test func `a camera's encoder that hangs ends its movie with what it has, and holds up no other`() async throws {
        let (session, recording) = try await record()
        await recording.reaches(seconds: 1)
        // A busy machine's encoder may have made nothing of that second.
        while !recording.supervisor.cameras[1].writer.holdsSamples { await recording.tellsProgress(times: 1) }
        // The encoder's own thread stands in this.
        let blocked = DispatchSemaphore(value: 0)
        defer { blocked.signal() }
        recording.supervisor.cameras[1].writer.onEncodedFrame { _ in
            blocked.wait()
            blocked.signal()
        }
        let told = await recording.first { event -> (String, Double)? in
            guard case .warning(let words) = event, words.contains("hangs") else { return nil }
            return (words, recording.supervisor.recording.counts.duration.seconds)
        }
        let (words, time) = try #require(told)
        #expect(
            words == "The encoder of Test pattern 2's own movie hangs: that movie ends here, and the others continue.")
        #expect(time > 5)
        await recording.reaches(seconds: time + 3)
        // Nobody waits for the other file. A busy machine's encoder may be behind for a moment.
        while recording.supervisor.writer.waitingAudio >= 2 * .second { await recording.tellsProgress(times: 1) }
        let result = await recording.stop()
        await session.stop()
        #expect(result.reason == .stopped && result.isPlayable && result.problem == nil, "\(result)")
        let composed = try #require(result.path?.string)
        let (other, hung) = (result.cameraMovies[0], result.cameraMovies[1])
        #expect(other.isPlayable && other.problem == nil)
        #expect(hung.isPlayable && hung.problem == "Its encoder hung, so it ends earlier than the recording.")
        for path in [composed, try #require(other.path?.string)] {
            try await FFmpeg.decode(path)
            for stream in ["v:0", "a:0"] { #expect(try await seconds(path, stream) > time + 2.5) }
        }
        let rest = try #require(hung.path?.string)
        try await FFmpeg.decode(rest)
        #expect(try await seconds(rest, "v:0") > 0.2 && hung.frames > 0)
    }

    @Test func `a camera's movie that is deleted is told within a second, kept, and the recording goes on`()
        async throws
    {
        let (session, recording) = try await record()
        await recording.reaches(seconds: 1)
        let own = try #require(recording.supervisor.cameras[0].writer.path)
        try FileManager.default.removeItem(atPath: own.string)
        let deleted = recording.supervisor.recording.counts.duration
        let told = await recording.first { event -> (String, MediaTime)? in
            guard case .warning(let words) = event, words.contains("deleted") else { return nil }
            return (words, recording.supervisor.recording.counts.duration)
        }
        let (words, time) = try #require(told)
        #expect(
            words
                == "\(own) was deleted while it was being recorded; the recording continues, and that movie will be saved under "
                + "a free name when it ends.")
        // Looked for twice a second, by a thread that answers with the next look; a busy machine's looks come late.
        #expect(time - deleted < 20 * .second)
        // The audio may be ahead of a busy machine's frames: each movie gets a second of those.
        let supervisor = recording.supervisor
        let encoded = [supervisor.encodedFrames] + supervisor.cameras.map(\.encodedFrames)
        let wanted = encoded.map { ($0() ?? 0) + 30 }
        for _ in 0..<600 where zip(encoded, wanted).contains(where: { ($0() ?? 0) < $1 }) {
            await recording.tellsProgress(times: 1)
        }
        let result = await recording.stop()
        await session.stop()
        #expect(result.reason == .stopped && result.cameraMovies.count == 2, "\(result)")
        for (path, wanted) in zip([result.path] + result.cameraMovies.map(\.path), wanted) {
            let file = try #require(path?.string)
            try await FFmpeg.decode(file)
            #expect(try await FFProbe.packets("v:0", of: file).count >= wanted)
        }
        #expect(result.cameraMovies[0].problem?.contains("deleted") == true && result.cameraMovies[1].problem == nil)
    }
}
