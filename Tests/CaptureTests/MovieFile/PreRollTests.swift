import Encoding
import Errors
import FileSystem
import Foundation
import GStreamer
import MediaTypes
import MovieFiles
import SystemPackage
import TestSupport
import Testing

@testable import Capture

/// Recordings that wait for their start, with real encoders: the files are judged by ffprobe and ffmpeg.
@Suite(.timeLimit(.minutes(10))) struct PreRollTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func prepare(
        _ session: CaptureSession, _ name: String = "take.mov", preRoll: Double, limits: RecordingLimits,
        _ settings: MovieSettings = TestTake.settings
    ) async throws -> Recording {
        let recording = try await TestTake.output(of: session).prepareRecording(
            to: TestTake.destination(folder, name), settings: settings, limits: limits, preRoll: .seconds(preRoll))
        _ = await recording.first { if case .standby = $0 { true } else { nil } }
        return recording
    }

    /// The number of a file's frames, and the seconds at which the last one ends. They are evenly apart.
    ///
    /// - Parameter dropped: how many may be missing in between, as a busy machine's encoder dropped them.
    func frames(
        _ name: String, dropped: Int, sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> (count: Int, end: Double) {
        try await FFmpeg.decode(folder.file(name))
        let packets = try await FFProbe.packets("v:0", of: folder.file(name))
        let times = packets.compactMap(\.ptsTime?.value).sorted()
        #expect(packets.first?.flags?.hasPrefix("K") == true && times.first == 0, sourceLocation: sourceLocation)
        let missing = TestTake.missingFrames(in: times)
        #expect(missing.map { $0 <= dropped } == true, "\(times)", sourceLocation: sourceLocation)
        return (times.count, (times.last ?? 0) + 1.0 / 30)
    }

    /// Seconds of audio behind the file's beginning, where it may begin with a packet later.
    private func audioEnd(_ name: String) async throws -> Double {
        let start = try await FFProbe.inspect(folder.file(name)).audio.first?.startTime?.value ?? 0
        #expect((0..<0.05).contains(start))
        return start + Double(try await FFmpeg.audio(of: folder.file(name), rate: 48_000).count) / 48_000
    }

    @Test func `one that is stopped as soon as it is started holds what was before`() async throws {
        let session = try await TestTake.session()
        let recording = try await prepare(session, preRoll: 1, limits: RecordingLimits())
        try await Task.sleep(for: .seconds(2))
        recording.start()
        let result = await recording.stop()
        await session.stop()
        #expect(result.hasBegun && result.isPlayable && result.reason == .stopped, "\(result)")
        let dropped = result.progress.droppedFrames
        #expect(try await frames("take.mov", dropped: dropped).count + dropped >= 29)
    }

    @Test(arguments: [("take.mov", AudioCodec.aac), ("take.mkv", .flac), ("take.mp4", .opus)])
    func `a recording begins before its start, and its length counts from there`(name: String, audio: AudioCodec)
        async throws
    {
        let session = try await TestTake.session()
        var settings = TestTake.settings
        settings.audioCodec = audio
        let recording = try await prepare(session, name, preRoll: 1, limits: TestTake.limits(seconds: 1), settings)
        try await Task.sleep(for: .seconds(3.5))
        #expect(folder.contents.isEmpty)
        recording.start()
        let started = await recording.first { if case .started(let start) = $0 { start } else { nil } }
        #expect(started?.path.lastComponent?.string == name)
        let result = await recording.result
        await session.stop()
        #expect(result.reason == .maximumDurationReached && result.isPlayable && result.problem == nil, "\(result)")
        let dropped = result.progress.droppedFrames
        let (count, end) = try await frames(name, dropped: dropped)
        // One second before, up to two more to the key frame, and one after.
        #expect(count + dropped >= 60 && count <= 121 && count == result.progress.frames, "\(result)")
        // A block of FLAC is 4096 samples.
        #expect(abs(result.progress.duration.seconds - end) < 0.09)
        #expect(abs(try await audioEnd(name) - end) < 0.045)
    }

    @Test func `of what is not there yet it takes what there is, and says so`() async throws {
        let session = try await TestTake.session()
        let recording = try await prepare(session, preRoll: 30, limits: TestTake.limits(seconds: 0.5))
        try await Task.sleep(for: .seconds(0.8))
        recording.start()
        let warning = await recording.first { event -> String? in
            if case .warning(let words) = event, words.hasPrefix("Only ") { words } else { nil }
        }
        #expect(warning?.hasSuffix(" of 30 seconds before the start had been kept.") == true, "\(warning ?? "none")")
        let result = await recording.result
        await session.stop()
        let dropped = result.progress.droppedFrames
        #expect(try await frames("take.mov", dropped: dropped).count + dropped > 30 && result.isPlayable)
    }

    @Test func `a camera that was lost and back before the start is lost in the pre-roll, at its place there`()
        async throws
    {
        let camera = try await PluggedCamera("ball", in: folder)
        let session = try await TestTake.session(camera: camera.source)
        let recording = try await prepare(session, preRoll: 20, limits: TestTake.limits(seconds: 1))
        await recording.tellsProgress(times: 3)
        try await camera.unplug()
        _ = await recording.first {
            if case .warning(let words) = $0, words.contains(" is lost ") { true } else { nil }
        }
        try await camera.plugIn()
        _ = await recording.first {
            if case .warning(let words) = $0, words.contains(" is back ") { true } else { nil }
        }
        // Else the first frame that is back could be the recording's first.
        await recording.tellsProgress(times: 2)
        recording.start()
        let result = await recording.result
        await session.stop()
        #expect(result.isPlayable, "\(result)")
        let (loss, end) = (try #require(result.losses.first), try #require(result.losses.first?.end))
        #expect(result.losses.count == 1 && loss.time > .second && end > loss.time, "\(result.losses)")
        #expect(end < result.progress.duration - .second, "\(result)")
    }

    @Test func `a recording that waited is divided to its end, which lies behind its length by what was before`()
        async throws
    {
        let session = try await TestTake.session()
        var limits = TestTake.limits(seconds: 4.5)
        limits.maxPartDuration = .milliseconds(4500)
        let recording = try await prepare(session, preRoll: 2, limits: limits)
        await recording.tellsProgress(times: 6)
        recording.start()
        var whole: Set<MediaTime> = []
        _ = await recording.first { event -> Bool? in
            if case .progress(let progress) = event, let length = progress.wholeDuration { whole.insert(length) }
            return if case .finishing = event { true } else { nil }
        }
        let result = await recording.result
        await session.stop()
        #expect(result.isPlayable && result.reason == .maximumDurationReached, "\(result)")
        // With all that lies before the start, to the frame.
        let length = try #require(whole.first)
        #expect(
            whole.count == 1 && (length - result.progress.duration).length < 90 * .millisecond, "\(whole) \(result)")
        // A busy machine opens the next file late.
        #expect(result.parts.count == 1 && result.parts.first?.duration.seconds ?? 0 >= 4.4, "\(result)")
    }

    @Test func `a place that is named at once after the start is told where the file has it`() async throws {
        let session = try await TestTake.session()
        let recording = try await prepare(session, preRoll: 0, limits: TestTake.limits(seconds: 1))
        await recording.tellsProgress(times: 3)
        let begin = session.now
        recording.start()
        recording.mark("Here")
        let between = session.now - begin
        let told = await recording.first { if case .marked(let chapter) = $0 { chapter.start } else { nil } }
        let result = await recording.result
        await session.stop()
        #expect(
            result.isPlayable && (told ?? .longest) < between + 100 * .millisecond, "\(String(describing: told))")
    }

    @Test func `the last seconds are saved before and after the start, which is paused, marked and split as any other`()
        async throws
    {
        let session = try await TestTake.session()
        var limits = TestTake.limits()
        limits.maxReplayDuration = .seconds(4)
        let recording = try await prepare(session, preRoll: 0, limits: limits)
        try await Task.sleep(for: .seconds(2.5))
        let before = try await recording.save(last: .seconds(1))
        let begin = session.now
        recording.start()
        _ = await recording.first { if case .started = $0 { true } else { nil } }
        try await Task.sleep(for: .seconds(0.6))
        recording.mark("Here")
        let marked = session.now - begin
        recording.pause()
        try await Task.sleep(for: .seconds(0.5))
        recording.resume()
        try await Task.sleep(for: .seconds(0.5))
        async let saved = recording.save(last: .seconds(3))
        recording.split()
        _ = await recording.first { if case .finishedPart = $0 { true } else { nil } }
        // Under the same name there is one already.
        await #expect(throws: RushesError.self) {
            try await recording.save(last: .seconds(1), to: TestTake.destination(folder, "take.mov"))
        }
        await #expect(throws: RushesError.self) {
            try await recording.save(last: .seconds(1), to: TestTake.destination(folder, "take.mkv"))
        }
        let after = try await saved
        let result = await recording.stop()
        await session.stop()
        #expect(recording.supervisor.writer.kept?.span == .zero)
        await #expect(throws: RushesError.self) { try await recording.save(last: .seconds(1)) }
        #expect(result.isPlayable && result.problem == nil && result.parts.count == 1, "\(result)")
        #expect(
            folder.contents == ["take – replay 2.mov", "take – replay.mov", "take-002.mov", "take.mov"],
            "\(folder.contents)")
        let dropped = result.progress.droppedFrames
        let counts = [
            try await frames("take.mov", dropped: dropped).count,
            try await frames("take-002.mov", dropped: dropped).count,
        ]
        #expect(counts.reduce(0, +) == result.progress.frames)
        #expect(result.parts.first?.start == .zero && result.parts.first?.frames == counts[0])
        // What was dropped before the start is not the recording's.
        #expect(
            try await frames("take – replay.mov", dropped: 10).end > 0.99 && before.start == .zero && before.isPlayable)
        #expect(try await frames("take – replay 2.mov", dropped: 10).end > 2.99 && after.isPlayable)
        let chapters = try await FFProbe.inspect(folder.file("take.mov")).chapters ?? []
        #expect(chapters.count == 1 && (0.4..<marked.seconds + 0.4).contains(chapters.first?.startTime.value ?? 0))
    }

    @Test func `where the memory is too little for what is asked, a line says how much is kept`() async throws {
        let session = try await TestTake.session()
        var limits = TestTake.limits()
        limits.maxReplayBytes = 150_000
        let recording = try await prepare(session, preRoll: 60, limits: limits)
        let warning = await recording.first { event -> String? in
            if case .warning(let words) = event, words.hasPrefix("Only ") { words } else { nil }
        }
        #expect(
            warning?.contains(" of 60 seconds are kept: more is larger than the 0 MB of memory") == true,
            "\(warning ?? "none")")
        let result = await recording.stop()
        await session.stop()
        #expect(!result.hasBegun && result.reason == .stopped && result.path == nil)
        #expect(folder.contents.isEmpty)
    }

    @Test func `what cannot be had is refused before, or told while it waits on`() async throws {
        let session = try await TestTake.session()
        try "another's".write(toFile: folder.file("there.mov"), atomically: true, encoding: .utf8)
        await #expect(throws: RushesError.self) {
            try await prepare(session, "there.mov", preRoll: 1, limits: TestTake.limits())
        }
        var settings = TestTake.settings
        settings.videoCodec = .mjpeg
        // Longer than its pre-roll: it would be over with its start, before the file is found to be there.
        let recording = try await prepare(session, preRoll: 0.5, limits: TestTake.limits(seconds: 2), settings)
        // Somebody else was faster.
        try "another's".write(toFile: folder.file("take.mov"), atomically: true, encoding: .utf8)
        recording.start()
        let warning = await recording.first { event -> String? in
            if case .warning(let words) = event, words.contains("could not be started") { words } else { nil }
        }
        #expect(warning?.contains("exists") == true)
        // What was held for that file is so no more.
        await recording.tellsProgress(times: 5)
        #expect((recording.supervisor.writer.kept?.span ?? .longest) < MediaTime(seconds: 1.5))
        #expect(try String(contentsOfFile: folder.file("take.mov"), encoding: .utf8) == "another's")
        FilePath(folder.file("take.mov")).removeFile()
        recording.start()
        let result = await recording.result
        await session.stop()
        #expect(result.isPlayable && result.reason == .maximumDurationReached, "\(result)")
        _ = try await frames("take.mov", dropped: result.progress.droppedFrames)
    }

    @Test func `audio alone waits too`() async throws {
        let session = try await TestTake.session(camera: nil)
        let recording = try await prepare(session, "voice.mkv", preRoll: 1, limits: TestTake.limits(seconds: 1))
        try await Task.sleep(for: .seconds(2))
        recording.start()
        let result = await recording.result
        await session.stop()
        #expect(result.isPlayable, "\(result)")
        let seconds = Double(try await FFmpeg.audio(of: folder.file("voice.mkv"), rate: 48_000).count) / 48_000
        #expect((1.99..<2.2).contains(seconds), "\(seconds)")
    }
}
