import Capture
import Encoding
import Errors
import Foundation
import GStreamer
import MediaTypes
import TestSupport
import Testing

/// Another camera in the place of one that is recorded, judged by the movie's own frames.
@Suite(.timeLimit(.minutes(10)), .requires(tool: "ffprobe", package: "ffmpeg")) struct CameraSwitchTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// White above and black below, so that it shows which way up it is.
    private static let halves =
        "compositor name=c background=black sink_0::width=320 sink_0::height=90 "
        + "videotestsrc is-live=true pattern=white ! video/x-raw,width=320,height=90,framerate=30/1 ! c. "
        + "c. ! video/x-raw,format=I420,width=320,height=180,framerate=30/1"

    private static func plan(_ elements: String) throws -> VideoSourcePlan {
        try VideoSourcePlan(.launchLine(elements), FormatRequest())
    }

    /// The mean luma of parts of a frame, at seconds of the movie.
    private func luma(_ path: String, at second: Double, _ crop: String) async throws -> Double {
        let text = try await Tool.succeed(
            "ffmpeg",
            [
                "-v", "error", "-ss", "\(second)", "-i", path, "-frames:v", "1", "-vf",
                "crop=\(crop),signalstats,metadata=print:key=lavfi.signalstats.YAVG:file=-", "-f", "null", "-",
            ]
        ).text
        let value = text.split(separator: "=").last.flatMap { Double($0.filter { !$0.isWhitespace }) }
        return try #require(value, "\(text)")
    }

    @Test func `another camera follows at a frame, with other size and rate, and the audio goes on`() async throws {
        let session = try await TestTake.session(
            camera: TestTake.camera(
                "videotestsrc is-live=true pattern=white ! video/x-raw,format=I420,width=320,height=180,framerate=30/1")
        )
        let take = try await TestTake.output(of: session).startRecording(
            to: TestTake.destination(folder), settings: TestTake.settings, limits: TestTake.limits())
        await take.reaches(seconds: 1)
        let other = try Self.plan(
            "videotestsrc is-live=true pattern=black ! video/x-raw,format=YUY2,width=640,height=480,framerate=15/1")
        try await session.configure { $0.camera = other }
        let name = await take.first { if case .switchedCamera(let name) = $0 { name } else { nil } }
        #expect(name == other.name)
        #expect(await session.configuration.camera == other)
        await take.tellsProgress(times: 3)
        let result = await take.stop()
        await session.stop()
        #expect(result.reason == .stopped && result.isPlayable && result.losses.isEmpty, "\(result)")
        // A busy machine's encoder may drop a few.
        #expect(result.progress.droppedFrames < 10, "\(result)")
        let path = folder.file("take.mov")
        try await FFmpeg.decode(path)
        let report = try await FFProbe.inspect(path)
        let video = try #require(report.video.first)
        #expect(video.width == 320 && video.height == 180)
        let length = try #require(video.duration?.value)
        #expect(abs((report.audio.first?.duration?.value ?? 0) - length) < 0.1)
        let times = try await FFProbe.packets("v:0", of: path).compactMap(\.ptsTime?.value).sorted()
        // The longest distance is that of the slower one's frames, and a part of one on a busy machine.
        #expect((zip(times, times.dropFirst()).map { $1 - $0 }.max() ?? 9) < 0.2, "\(times)")
        #expect(try await luma(path, at: 0.3, "iw:ih:0:0") > 225)
        #expect(try await luma(path, at: length - 0.3, "iw:ih:0:0") < 25)
    }

    @Test func `a switch in the recording's first moment is told as well`() async throws {
        let session = try await TestTake.session(camera: .test(TestPattern(pattern: "white")))
        let take = try await TestTake.output(of: session).startRecording(
            to: TestTake.destination(folder), settings: TestTake.settings, limits: TestTake.limits())
        let other = try Self.plan(
            "videotestsrc is-live=true pattern=black ! video/x-raw,format=I420,width=320,height=180,framerate=30/1")
        try await session.configure { $0.camera = other }
        let name = await take.first { if case .switchedCamera(let name) = $0 { name } else { nil } }
        #expect(name == other.name)
        _ = await take.stop()
        await session.stop()
    }

    @Test func `the new camera is turned so that it stands upright in a movie that is turned by its players`()
        async throws
    {
        let session = CaptureSession()
        var first = try Self.plan(
            "videotestsrc is-live=true ! video/x-raw,format=I420,width=320,height=180,framerate=30/1")
        first.orientation = MovieOrientation(rotation: .quarter)
        let camera = first
        try await session.configure { $0.camera = camera }
        try await session.start()
        let take = try await TestTake.output(of: session).startRecording(
            to: TestTake.destination(folder), settings: TestTake.settings, limits: TestTake.limits())
        await take.reaches(seconds: 0.5)
        let upright = try Self.plan(Self.halves)
        try await session.configure { $0.camera = upright }
        await take.tellsProgress(times: 3)
        let result = await take.stop()
        await session.stop()
        #expect(result.isPlayable && result.reason == .stopped, "\(result)")
        // ffmpeg turns as a player does: 180 wide and 320 high, the new camera's frame between black bars.
        let path = folder.file("take.mov")
        let length = result.progress.duration.seconds
        let (above, below) = ("iw:40:0:ih/2-45", "iw:40:0:ih/2+5")
        #expect(try await luma(path, at: length - 0.3, above) > 200)
        #expect(try await luma(path, at: length - 0.3, below) < 40)
    }

    @Test func `where the other camera does not open or gives nothing, the recording goes on with the old one`()
        async throws
    {
        let session = try await TestTake.session()
        let take = try await TestTake.output(of: session).startRecording(
            to: TestTake.destination(folder), settings: TestTake.settings, limits: TestTake.limits())
        await take.reaches(seconds: 0.5)
        let before = await session.configuration
        let (missing, silent) = (
            try Self.plan("filesrc location=/nonexistent ! rawvideoparse width=320 height=180"),
            try Self.plan("videotestsrc is-live=true num-buffers=0 ! video/x-raw,format=I420,width=320,height=180")
        )
        for camera in [missing, silent] {
            await #expect(throws: RushesError.self) { try await session.configure { $0.camera = camera } }
            #expect(await session.configuration == before)
        }
        let frames = await take.first { if case .progress(let progress) = $0 { progress.frames } else { nil } } ?? 0
        await take.tellsProgress(times: 2)
        let result = await take.stop()
        await session.stop()
        #expect(result.reason == .stopped && result.isPlayable && result.losses.isEmpty, "\(result)")
        #expect(result.progress.frames > frames && result.progress.droppedFrames < 10, "\(result)")
    }

    @Test func `a lost camera is followed by another, which the result tells`() async throws {
        let camera = try await PluggedCamera("white", in: folder)
        let session = try await TestTake.session(camera: camera.source)
        var limits = TestTake.limits()
        limits.waitsForOtherCamera = true
        let take = try await TestTake.output(of: session).startRecording(
            to: TestTake.destination(folder), settings: TestTake.settings, limits: limits)
        await take.reaches(seconds: 0.5)
        try await camera.unplug()
        _ = await take.first { event -> Bool? in
            if case .progress(let progress) = event, progress.interruption != nil { true } else { nil }
        }
        let other = try VideoSourcePlan(
            .test(TestPattern()), FormatRequest(size: VideoSize(320, 180), rate: Fraction(30)))
        try await session.configure { $0.camera = other }
        await take.tellsProgress(times: 3)
        let result = await take.stop()
        await session.stop()
        #expect(result.reason == .stopped && result.isPlayable, "\(result)")
        let loss = try #require(result.losses.first)
        #expect(loss.successor == other.name && loss.end != nil && result.losses.count == 1)
        try await FFmpeg.decode(folder.file("take.mov"))
    }

    @Test func `a lost camera that another could not follow is recorded again where it comes back`() async throws {
        let camera = try await PluggedCamera("white", in: folder)
        let session = try await TestTake.session(camera: camera.source)
        var limits = TestTake.limits()
        limits.waitsForOtherCamera = true
        let take = try await TestTake.output(of: session).startRecording(
            to: TestTake.destination(folder), settings: TestTake.settings, limits: limits)
        await take.reaches(seconds: 0.5)
        try await camera.unplug()
        _ = await take.first { event -> Bool? in
            if case .progress(let progress) = event, progress.interruption != nil { true } else { nil }
        }
        let missing = try Self.plan("filesrc location=/nonexistent ! rawvideoparse width=320 height=180")
        await #expect(throws: RushesError.self) { try await session.configure { $0.camera = missing } }
        try await camera.plugIn()
        let isBack = await take.first { event -> Bool? in
            if case .progress(let progress) = event, progress.interruption == nil { true } else { nil }
        }
        #expect(isBack == true)
        await take.tellsProgress(times: 2)
        let result = await take.stop()
        await session.stop()
        #expect(result.reason == .stopped && result.isPlayable, "\(result)")
        #expect(result.losses.count == 1 && result.losses.first?.end != nil, "\(result.losses)")
        #expect(try await luma(folder.file("take.mov"), at: result.progress.duration.seconds - 0.3, "iw:ih:0:0") > 225)
    }
}
