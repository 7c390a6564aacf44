import Encoding
import Errors
import Foundation
import GStreamer
import MediaTypes
import SystemPackage
import TestSupport
import Testing

@testable import Capture

/// Two microphones in one recording: the tracks' samples are judged by ffmpeg's decoder.
@Suite(.timeLimit(.minutes(10))) struct SeveralMicrophonesTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// Two tones of so many hertz, each from when its source was opened.
    private static func session(_ hertz: Double, camera: Bool = true) async throws -> CaptureSession {
        try await TestTake.session(
            camera: camera ? .test(TestPattern(pattern: "ball")) : nil,
            microphone: .test(TestTone(frequency: hertz, volume: 0.4)),
            others: [.test(TestTone(frequency: hertz, volume: 0.2))])
    }

    /// Waits until the movie is so long.
    private func reach(_ seconds: Double, _ recording: Recording) async {
        _ = await recording.first {
            if case .progress(let progress) = $0, progress.duration.seconds >= seconds { true } else { nil }
        }
    }

    /// Of PCM of two channels in Matroska ffmpeg says that it guesses where they stand.
    private static func decode(_ path: String) async throws {
        let result = try await Tool.run(
            "ffmpeg",
            ["-nostdin", "-v", "error", "-xerror", "-i", path, "-map", "0"]
                // As in FFmpeg.decode: at a constant rate two frames of a camera that was held up fall on one tick.
                + ["-fps_mode", "passthrough", "-enc_time_base", "-1", "-f", "null", "-"])
        #expect(result.status == 0 && result.errors.isEmpty, "\(result)")
    }

    /// Where a tone stands at its first sample, from 0 to 1 of a period.
    private static func phase(_ samples: ArraySlice<Float>, _ hertz: Double) -> Double {
        let step = 2 * Double.pi * hertz / 48_000
        let sum = zip(samples.indices, samples).reduce((0.0, 0.0)) { sum, sample in
            let angle = step * Double(sample.0 - samples.startIndex)
            return (sum.0 + Double(sample.1) * cos(angle), sum.1 + Double(sample.1) * sin(angle))
        }
        return atan2(sum.0, sum.1) / (2 * .pi)
    }

    @Test(arguments: ["take.mov", "take.mkv"])
    func `tracks stay in step to the sample through pauses and parts, with each other and the frames`(
        name: String
    ) async throws {
        // A period is 1200 samples: a cut at another place by one sample turns the phase by 1/1200.
        let hertz = 40.0
        let session = try await Self.session(hertz)
        let output = try await TestTake.output(of: session)
        var settings = TestTake.settings
        settings.audioCodec = .pcm
        let recording = try await output.startRecording(
            to: TestTake.destination(folder, name), settings: settings, limits: TestTake.limits())
        for pause in 1...3 {
            await reach(0.6 * Double(pause), recording)
            recording.pause()
            _ = await recording.first { if case .paused = $0 { true } else { nil } }
            recording.resume()
            _ = await recording.first { if case .resumed = $0 { true } else { nil } }
        }
        recording.split()
        _ = await recording.first { if case .finishedPart = $0 { true } else { nil } }
        let result = await recording.stop()
        await session.stop()
        #expect(result.isPlayable && result.parts.count == 1, "\(result)")

        // A part's tracks change over with a packet each, so only all parts together have the same samples of both.
        var (tracks, shown) = ([[Float]](repeating: [], count: 2), 0.0)
        for path in (result.parts.compactMap(\.path) + [result.path].compactMap(\.self)).map(\.string) {
            try await Self.decode(path)
            let report = try await FFProbe.inspect(path)
            #expect(report.audio.count == 2, "\(report)")
            for index in tracks.indices {
                tracks[index] += try await FFmpeg.audio(of: path, track: index, rate: 48_000, channel: 0)
            }
            let frames = try await FFProbe.frames("v:0", of: path).compactMap(\.ptsTime?.value)
            shown += (frames.last ?? 0) - (frames.first ?? 0) + 1 / 30.0
        }
        #expect(tracks[0].count == tracks[1].count, "\(tracks.map(\.count))")
        #expect(abs(Double(tracks[0].count) / 48_000 - shown) < 0.06, "\(shown)")
        // Each quarter of a second by itself; one with a pause inside is a sum of two tones, which are cut alike in both tracks.
        let differences = stride(from: 0, to: tracks[0].count - 12_000, by: 12_000).map { start in
            let phases = tracks.map { Self.phase($0[start..<start + 12_000], hertz) }
            return phases[0] - phases[1]
        }
        #expect(differences.count >= 7)
        let first = try #require(differences.first)
        for difference in differences {
            let off = difference - first
            #expect(abs(off - off.rounded()) < 0.2 / 1200, "\(differences)")
        }
    }

    @Test func `a mix is one track that holds both, and meters tell of each`() async throws {
        let session = try await TestTake.session(
            microphone: .test(TestTone(frequency: 440, volume: 0.4)),
            others: [.test(TestTone(frequency: 1000, volume: 0.1))])
        let output = try await TestTake.output(of: session)
        var settings = TestTake.settings
        (settings.audioCodec, settings.mixesMicrophones) = (.pcm, true)
        let recording = try await output.startRecording(
            to: TestTake.destination(folder), settings: settings, limits: TestTake.limits())
        await reach(0.6, recording)
        let levels: [AudioLevel?] =
            await recording.first { event -> [AudioLevel?]? in
                guard case .progress(let progress) = event, !progress.levels.contains(where: { $0 == nil }) else {
                    return nil
                }
                return progress.levels
            } ?? []
        let result = await recording.stop()
        await session.stop()
        #expect(result.isPlayable, "\(result)")
        #expect(levels.count == 2)
        #expect(abs((levels.first??.average.first ?? 0) - 20 * log10(0.4 / 2.0.squareRoot())) < 0.5, "\(levels)")
        #expect(abs((levels.last??.average.first ?? 0) - 20 * log10(0.1 / 2.0.squareRoot())) < 0.5, "\(levels)")
        let path = folder.file("take.mov")
        let report = try await FFProbe.inspect(path)
        #expect(report.audio.count == 1 && report.audio.first?.channels == 2)
        let audio = try await FFmpeg.audio(of: path, rate: 48_000, channel: 1)
        #expect(audio.count >= 28_800)
        let middle = audio[4800..<24_000]
        #expect(abs(ToneAnalysis.amplitude(of: 440, in: middle, rate: 48_000) - 0.4) < 0.01)
        #expect(abs(ToneAnalysis.amplitude(of: 1000, in: middle, rate: 48_000) - 0.1) < 0.01)
    }

    @Test func `one of two is muted while it is recorded, without a click, and the other stays as it is`() async throws
    {
        let session = try await Self.session(200)
        let output = try await TestTake.output(of: session)
        var settings = TestTake.settings
        settings.audioCodec = .pcm
        let recording = try await output.startRecording(
            to: TestTake.destination(folder), settings: settings, limits: TestTake.limits())
        await reach(0.6, recording)
        try await session.configure { $0.microphones[1].isMuted = true }
        // However long that took: its last fifth of a second is judged.
        let muted = recording.supervisor.recording.counts.duration.seconds
        await reach(muted + 0.8, recording)
        let result = await recording.stop()
        #expect(result.losses.isEmpty && result.isPlayable, "\(result)")
        await session.stop()
        let path = folder.file("take.mov")
        let tracks = try await [
            FFmpeg.audio(of: path, track: 0, rate: 48_000, channel: 0),
            FFmpeg.audio(of: path, track: 1, rate: 48_000, channel: 0),
        ]
        let last = tracks.map { ToneAnalysis.amplitude(of: 200, in: $0.suffix(9600), rate: 48_000) }
        #expect(abs(last[0] - 0.4) < 0.01 && last[1] < 1e-4, "\(last)")
        let first = ToneAnalysis.amplitude(of: 200, in: tracks[1].prefix(9600), rate: 48_000)
        #expect(abs(first - 0.2) < 0.01)
        let steps = zip(tracks[1], tracks[1].dropFirst()).map { abs($0 - $1) }.max() ?? 1
        #expect(steps < 0.01, "a click of \(steps)")
    }

    @Test func `one that ends while the other goes on is silence from there, and is told by name`() async throws {
        let session = try await TestTake.session(
            // Four seconds: on a busy machine the recording begins a second or two after the microphone.
            microphone: .launchLine("audiotestsrc is-live=true samplesperbuffer=480 num-buffers=400"),
            others: [.test(TestTone(frequency: 1000))])
        let output = try await TestTake.output(of: session)
        let recording = try await output.startRecording(
            to: TestTake.destination(folder), settings: TestTake.settings, limits: TestTake.limits())
        // However late a busy machine notices it: half a second of silence and more follows.
        let warning = await recording.first { event -> String? in
            if case .warning(let words) = event, words.contains("silence is recorded") { words } else { nil }
        }
        let length = await recording.first { event -> Double? in
            if case .progress(let progress) = event { progress.duration.seconds } else { nil }
        }
        await reach((length ?? 0) + 1.2, recording)
        let result = await recording.stop()
        await session.stop()
        #expect(result.isPlayable, "\(result)")
        #expect(result.losses.count == 1 && result.losses.first?.kind == .microphone)
        #expect(
            warning?.hasPrefix("gst:audiotestsrc") == true
                && warning?.hasSuffix("silence is recorded in its place, and the other microphone as before.") == true,
            "\(warning ?? "none")")
        let path = folder.file("take.mov")
        try await FFmpeg.decode(path)
        let (lost, other) = (
            try await FFmpeg.audio(of: path, track: 0, rate: 48_000),
            try await FFmpeg.audio(of: path, track: 1, rate: 48_000)
        )
        #expect(abs(lost.count - other.count) <= 1024, "\(lost.count), \(other.count)")
        #expect((lost.suffix(24_000).map { abs($0) }.max() ?? 1) < 0.001)
        #expect(ToneAnalysis(Array(other.dropFirst(9600).dropLast(2048)), rate: 48_000).longestSilence < 0.001)
    }

    @Test func `the same microphone twice is refused before it is opened`() async throws {
        let device = CaptureDevice(id: "mic0", name: "Desk", kind: .microphone, backend: .pulseaudio)
        let plan = try AudioSourcePlan(.device(device), channels: 1)
        let error = await #expect(throws: RushesError.self) {
            try await CaptureSession().configure { $0.microphones = [plan, plan] }
        }
        #expect("\(error.map { "\($0)" } ?? "")" == "Desk is chosen twice; each microphone can be in the movie once.")
    }
}
