import Capture
import Encoding
import Errors
import Foundation
import GStreamer
import TestSupport
import Testing
import Threads

/// Faults of devices that are really caused: cameras and microphones that end, stall, change or do not open.
@Suite(.timeLimit(.minutes(10)), .requires(tool: "ffprobe", package: "ffmpeg"))
struct DeviceFaultTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private static let frame = "video/x-raw,format=I420,width=320,height=180,framerate=30/1"
    private static let live = "videotestsrc is-live=true ! \(frame)"

    private func record(
        _ session: CaptureSession, seconds: Double? = nil, _ name: String = "take.mov", endsOnDeviceLoss: Bool = false
    ) async throws -> Recording {
        try await TestTake.output(of: session).startRecording(
            to: TestTake.destination(folder, name), settings: TestTake.settings,
            limits: TestTake.limits(seconds: seconds, endsOnDeviceLoss: endsOnDeviceLoss))
    }

    /// - Parameter words: why, if only one reason will do.
    private func expectLost(
        _ result: RecordingResult, _ words: String? = nil, sourceLocation: SourceLocation = #_sourceLocation
    ) {
        guard case .deviceLost(_, let why) = result.reason, words == nil || why == words else {
            Issue.record("ended by \(result.reason)", sourceLocation: sourceLocation)
            return
        }
        #expect(result.isPlayable, sourceLocation: sourceLocation)
    }

    @Test func `a camera whose stream ends, ends the take at once, and the file is good`() async throws {
        let session = try await TestTake.session(
            camera: TestTake.camera("videotestsrc is-live=true num-buffers=120 ! \(Self.frame)"))
        let take = try await record(session)
        let result = await take.result
        await session.stop()
        expectLost(result, "its stream ended")
        // The audio goes on until the loss is noticed, which a camera without a word takes three seconds for.
        #expect(result.progress.duration.seconds < 6.5)
    }

    @Test func `a camera that gives a frame in four seconds is not taken for lost`() async throws {
        let frame = TestPattern(size: VideoSize(320, 180), rate: Fraction(1, 4))
        let session = CaptureSession()
        try await session.configure { $0.camera = try VideoSourcePlan(.test(frame)) }
        try await session.start()
        let take = try await record(session, seconds: 4.2)
        let result = await take.result
        await session.stop()
        #expect(result.reason == .maximumDurationReached)
        #expect(result.isPlayable)
    }

    @Test func `a camera that reports an error ends the take within a fifth of a second`() async throws {
        let session = try await TestTake.session(
            camera: TestTake.camera("videotestsrc is-live=true ! \(Self.frame) ! identity error-after=60"))
        let take = try await record(session, endsOnDeviceLoss: true)
        let result = await take.result
        await session.stop()
        expectLost(result)
        // The audio goes on until the loss is noticed.
        let report = try await FFProbe.inspect(folder.file("take.mov"))
        let late = (report.audio.first?.duration?.value ?? 9) - (report.video.first?.duration?.value ?? 0)
        #expect(late < 2)
    }

    @Test func `a source that fails is opened again, and the movie shows meanwhile why it has no frames`() async throws
    {
        let session = try await TestTake.session(
            camera: TestTake.camera("videotestsrc is-live=true pattern=white ! \(Self.frame) ! identity error-after=90")
        )
        let take = try await record(session, seconds: 9)
        let result = await take.result
        await session.stop()
        #expect(result.reason == .maximumDurationReached && result.isPlayable, "\(result)")
        let loss = try #require(result.losses.first)
        #expect(loss.kind == .camera && loss.end != nil, "\(result.losses)")
        let path = folder.file("take.mov")
        try await FFmpeg.decode(path)
        let report = try await FFProbe.inspect(path)
        #expect(abs((report.video.first?.duration?.value ?? 0) - 9) < 1.1)
        #expect(abs((report.audio.first?.duration?.value ?? 0) - 9) < 0.001)
        let times = try await FFProbe.packets("v:0", of: path).compactMap(\.ptsTime?.value).sorted()
        #expect((zip(times, times.dropFirst()).map { $1 - $0 }.max() ?? 9) < 3, "\(times)")
    }

    @Test func `a camera that the session closes does not return, so its take ends`() async throws {
        let session = try await TestTake.session(camera: TestTake.camera(Self.live))
        let take = try await record(session)
        await take.reaches(seconds: 0.5)
        try await session.configure { $0.camera = nil }
        let result = await take.result
        await session.stop()
        expectLost(result, "it was closed")
    }

    @Test func `a camera that stalls without a word is noticed, and the stop stays bounded`() async throws {
        // The second source never gives anything, so the stream neither goes on nor ends.
        let session = try await TestTake.session(
            camera: TestTake.camera(
                "videotestsrc is-live=true num-buffers=120 ! \(Self.frame) ! c. appsrc is-live=true ! c. concat name=c"
            ))
        let take = try await record(session, endsOnDeviceLoss: true)
        let result = await take.result
        await session.stop()
        expectLost(result, "no frame for 3 seconds")
    }

    @Test func `a device that does not let go does not hold up the stop`() async throws {
        // Its streaming thread sleeps for an hour, and whoever closes it would have to wait for that.
        let session = try await TestTake.session(
            camera: nil,
            microphone: .launchLine("audiotestsrc is-live=true samplesperbuffer=480 ! identity sleep-time=3600000000"))
        let hasStopped = AsyncSignal()
        Task {
            await session.stop()
            hasStopped.fire()
        }
        // A device is waited for one second; the rest is for machines that do something else.
        #expect(await hasStopped.wait(within: .seconds(120)))
    }

    @Test func `a device that does not open leaves nothing open, and the session as it was configured`() async throws {
        let session = CaptureSession()
        let missing = try AudioSourcePlan(.launchLine("filesrc location=/nonexistent ! wavparse"), channels: 2)
        let camera = try VideoSourcePlan(.test(TestPattern()))
        try await session.configure { ($0.camera, $0.microphone) = (camera, missing) }
        await #expect(throws: RushesError.self) { try await session.start() }
        #expect(await !session.isRunning)
        try await session.configure { $0.microphone = nil }
        try await session.start()
        #expect(await session.configuration.camera == camera)
        // While it runs, a change that cannot be made changes nothing.
        await #expect(throws: RushesError.self) { try await session.configure { $0.microphone = missing } }
        #expect(await session.configuration.microphone == nil)
        let take = try await record(session, seconds: 0.5)
        #expect(await take.result.isPlayable)
        await session.stop()
    }

    @Test func `where the old device is gone as well, the session says what it really has`() async throws {
        let file = folder.file("tone.wav")
        _ = try await Tool.succeed(
            "ffmpeg", ["-v", "error", "-f", "lavfi", "-i", "sine=duration=60", "-ac", "2", "-ar", "48000", file])
        let old = try AudioSourcePlan(.launchLine("filesrc location=\(file) ! wavparse"), channels: 2)
        let missing = try AudioSourcePlan(.launchLine("filesrc location=/nonexistent ! wavparse"), channels: 2)
        let camera = try VideoSourcePlan(.test(TestPattern()))
        for besides in [camera, nil] {
            let session = CaptureSession()
            if !FileManager.default.fileExists(atPath: file) {
                try FileManager.default.moveItem(atPath: file + ".away", toPath: file)
            }
            try await session.configure { ($0.camera, $0.microphone) = (besides, old) }
            try await session.start()
            try FileManager.default.moveItem(atPath: file, toPath: file + ".away")
            await #expect(throws: RushesError.self) { try await session.configure { $0.microphone = missing } }
            #expect(await session.configuration.microphone == nil)
            #expect(await session.configuration.camera == besides)
            #expect(await session.isRunning == (besides != nil))
            // It can be given a device again.
            try await session.configure { $0.camera = camera }
            try await session.start()
            #expect(await session.isRunning)
            await session.stop()
        }
    }

    @Test func `starts and stops at the same time leave a session that is stopped when the last says so`() async throws
    {
        let session = try await TestTake.session()
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<5 {
                group.addTask { try? await session.start() }
                group.addTask { await session.stop() }
            }
        }
        await session.stop()
        #expect(await !session.isRunning)
    }

    @Test func `a session that is stopped ends its takes with good files`() async throws {
        let session = try await TestTake.session()
        let take = try await record(session)
        await take.reaches(seconds: 0.5)
        await session.stop()
        let result = await take.result
        guard result.reason == .stopped else {
            Issue.record("ended by \(result.reason)")
            return
        }
        #expect(result.isPlayable)
    }

    @Test func `a microphone that dies leaves a take with silence to its end, and a warning`() async throws {
        let session = try await TestTake.session(
            microphone: .launchLine("audiotestsrc is-live=true samplesperbuffer=480 num-buffers=250"))
        // It dies at 2.5 seconds; a machine that does something else hands its last audio over later.
        let take = try await record(session, seconds: 7)
        var warnings: [String] = []
        for await event in take.events { if case .warning(let words) = event { warnings.append(words) } }
        let result = await take.result
        await session.stop()
        #expect(warnings.count { $0.contains("without sound") } == 1)
        #expect(result.reason == .maximumDurationReached)
        #expect(result.isPlayable)
        let report = try await FFProbe.inspect(folder.file("take.mov"))
        #expect(result.progress.frames + result.progress.droppedFrames == 210, "\(result.progress)")
        #expect(report.video.first?.nbFrames?.value == Double(result.progress.frames))
        #expect(abs((report.audio.first?.duration?.value ?? 0) - 7) < 0.001)
        let tail = try await FFmpeg.audio(
            of: folder.file("take.mov"), rate: 48_000, channel: 0, start: 3.2, duration: 3.5)
        #expect(tail.allSatisfy { abs($0) < 0.01 })
    }

    @Test func `a microphone that is dead does not hold back the frames on the disk`() async throws {
        let session = try await TestTake.session(
            microphone: .launchLine("audiotestsrc is-live=true samplesperbuffer=480 num-buffers=250"))
        let take = try await record(session)
        await take.reaches(seconds: 4.5)
        // As a kill would leave it.
        let packets = try await FFProbe.packets("v:0", of: folder.file("take.mov"))
        #expect((packets.compactMap(\.ptsTime?.value).max() ?? 0) > 2.8)
        #expect(await take.stop().isPlayable)
        await session.stop()
    }

    @Test func `a stop before any frame leaves no file and says so`() async throws {
        // One frame in four seconds: the first tells what frames are, and no other follows before the stop.
        let session = try await TestTake.session(
            camera: TestTake.camera(
                "videotestsrc is-live=true ! video/x-raw,format=I420,width=320,height=180,framerate=1/4"))
        let take = try await record(session)
        let result = await take.stop()
        await session.stop()
        #expect(result.reason == .stopped)
        #expect(result.path == nil)
        #expect(!result.isPlayable)
        #expect(folder.contents.isEmpty)
        #expect(result.problem?.contains("Nothing was recorded") == true)
    }

    @Test func `frames that change their size mid-take are fitted into the first size`() async throws {
        let session = try await TestTake.session(
            camera: TestTake.camera(
                "videotestsrc is-live=true num-buffers=45 ! video/x-raw,format=I420,width=320,height=180,framerate=30/1 ! c. "
                    + "videotestsrc is-live=true pattern=white ! video/x-raw,format=I420,width=640,height=480,framerate=30/1 ! c. "
                    + "concat name=c"
            ))
        let take = try await record(session)
        await take.reaches(seconds: 3)
        let result = await take.stop()
        await session.stop()
        #expect(result.isPlayable, "\(result)")
        #expect(result.reason == .stopped)
        let report = try await FFProbe.inspect(folder.file("take.mov"))
        #expect(report.video.first?.width == 320)
        // The second source is ahead of the clock, so most of its frames lie beyond the end; a pixel stands for each.
        let means = try await Tool.succeed(
            "ffmpeg",
            [
                "-nostdin", "-v", "error", "-i", folder.file("take.mov"), "-vf", "scale=1:1,format=gray", "-fps_mode",
                "passthrough", "-f", "rawvideo", "-",
            ]
        ).output
        #expect((means.first ?? 255) < 180 && (means.last ?? 0) > 220, "\(Array(means))")
    }

    @Test func `buffers of audio that are lost leave the take its length`() async throws {
        let session = try await TestTake.session(
            microphone: .launchLine("audiotestsrc is-live=true samplesperbuffer=480 ! identity drop-probability=0.02"))
        let take = try await record(session, seconds: 2)
        let result = await take.result
        await session.stop()
        #expect(result.isPlayable)
        let report = try await FFProbe.inspect(folder.file("take.mov"))
        #expect(abs((report.audio.first?.duration?.value ?? 0) - 2) < 0.001)
    }
}
