import Capture
import Encoding
import Errors
import Foundation
import GStreamer
import MediaTypes
import SystemPackage
import TestSupport
import Testing

/// Takes of test sources in this process, judged by ffprobe.
@Suite(.timeLimit(.minutes(10)), .requires(tool: "ffprobe", package: "ffmpeg"))
struct MovieFileOutputTests {
    private let folder: TemporaryFolder
    /// Stereo of 16 bits.
    private static let bytesPerFrame = 4.0

    init() throws { folder = try TemporaryFolder() }

    @Test func `two seconds are sixty frames and 96000 samples, and the events tell of them`() async throws {
        let session = try await TestTake.session()
        let output = try await TestTake.output(of: session)
        var settings = TestTake.settings
        settings.audioCodec = .pcm
        let take = try await output.startRecording(
            to: TestTake.destination(folder), settings: settings, limits: TestTake.limits(seconds: 2))
        var words: [String] = []
        var levels: [AudioLevel] = []
        for await event in take.events {
            switch event {
            case .started(let start):
                words.append("started")
                #expect(start.latency > 0)
            case .progress(let progress):
                words.append("progress")
                if let level = progress.level { levels.append(level) }
            case .finishing: words.append("finishing")
            case .paused, .resumed: words.append("paused")
            // That others leave little of the machine may be told at any time, and is no part of what is expected.
            case .warning: break
            case .marked: words.append("marked")
            case .finishedPart, .deletedPart, .pinned, .saved, .standby: words.append("part")
            case .moved, .switchedCamera: words.append("moved")
            case .finished: words.append("finished")
            }
        }
        let result = await take.result
        await session.stop()
        #expect(result.reason == .maximumDurationReached)
        #expect(result.isPlayable)
        #expect(result.problem == nil)
        #expect(words.first == "started")
        #expect(words.suffix(2) == ["finishing", "finished"])
        // Of several that wait only the newest is told.
        #expect(words.contains("progress"))
        // A sine at half of full scale: -9 dB on average, -6 dB at its peak.
        let loud = try #require(levels.last)
        #expect(loud.average.allSatisfy { (-9.4)...(-8.7) ~= $0 })
        #expect(loud.peak.allSatisfy { (-6.4)...(-5.7) ~= $0 })

        let report = try await FFProbe.inspect(folder.file("take.mov"))
        // A busy machine's encoder may drop some, which it tells.
        let (frames, dropped) = (result.progress.frames, result.progress.droppedFrames)
        #expect(frames + dropped == 60, "\(result.progress)")
        #expect(report.video.first?.nbFrames?.value == Double(frames))
        #expect(dropped > 0 || report.video.first?.duration?.value == 2)
        let packets = try await FFProbe.packets("a:0", of: folder.file("take.mov"))
        #expect(packets.compactMap(\.size?.value).reduce(0, +) == 96_000 * Self.bytesPerFrame)
        #expect(report.audio.first?.duration?.value == 2)
        #expect(result.progress.bytes == Int64(report.format.size?.value ?? 0))
        #expect(folder.contents == ["take.mov"])
    }

    @Test func `what a camera loses is counted, frame by frame`() async throws {
        // One frame in ten never comes, at random.
        let session = try await TestTake.session(
            camera: TestTake.camera(
                "videotestsrc is-live=true ! video/x-raw,format=I420,width=320,height=180,framerate=30/1"
                    + " ! identity drop-probability=0.1"))
        let take = try await TestTake.output(of: session).startRecording(
            to: TestTake.destination(folder), settings: TestTake.settings, limits: TestTake.limits(seconds: 3))
        let result = await take.result
        await session.stop()
        let packets = try await FFProbe.packets("v:0", of: folder.file("take.mov"))
        #expect(packets.count == result.progress.frames)
        #expect(result.progress.droppedFrames > 0)
        #expect(result.progress.frames + result.progress.droppedFrames == 90, "\(result.progress)")
    }

    @Test func `a camera that changes its size goes on in the same movie, and a line tells of it`() async throws {
        func part(_ size: String, _ rest: String) -> String {
            "videotestsrc \(rest) ! video/x-raw,format=I420,\(size),framerate=30/1 ! c."
        }
        let session = try await TestTake.session(
            camera: TestTake.camera(
                "concat name=c \(part("width=320,height=180", "num-buffers=60")) "
                    + "\(part("width=640,height=480", "pattern=ball")) c. ! identity"))
        let take = try await TestTake.output(of: session).startRecording(
            to: TestTake.destination(folder), settings: TestTake.settings, limits: TestTake.limits(seconds: 4))
        var warnings: [String] = []
        for await event in take.events { if case .warning(let words) = event { warnings.append(words) } }
        let result = await take.result
        await session.stop()
        #expect(result.reason == .maximumDurationReached)
        #expect(result.isPlayable)
        #expect(
            warnings.count { $0.hasSuffix("changed its frames from 320×180 to 640×480; they are fitted into 320×180.") }
                == 1)
        #expect(result.progress.frames + result.progress.droppedFrames == 120, "\(result.progress)")
        let report = try await FFProbe.inspect(folder.file("take.mov"))
        #expect(report.video.first?.width == 320)
        #expect(report.video.first?.nbFrames?.value == Double(result.progress.frames))
    }

    @Test func `takes follow each other, and run beside each other, while the devices go on`() async throws {
        let session = try await TestTake.session()
        let one = try await TestTake.output(of: session)
        let two = try await TestTake.output(of: session)
        let first = try await one.startRecording(
            to: TestTake.destination(folder, "a.mov"), settings: TestTake.settings,
            limits: TestTake.limits(seconds: 0.5))
        #expect(await first.result.isPlayable)
        async let second = one.startRecording(
            to: TestTake.destination(folder, "b.mp4"), settings: TestTake.settings, limits: TestTake.limits(seconds: 1))
        async let third = two.startRecording(
            to: TestTake.destination(folder, "c.mkv"), settings: TestTake.settings,
            limits: TestTake.limits(seconds: 1.5))
        var results = [await first.result]
        for take in try await [second, third] { results.append(await take.result) }
        await session.stop()
        for (result, (name, frames)) in zip(results, [("a.mov", 15), ("b.mp4", 30), ("c.mkv", 45)]) {
            #expect(result.isPlayable, "\(result)")
            let packets = try await FFProbe.packets("v:0", of: folder.file(name))
            #expect(packets.count + result.progress.droppedFrames == frames, "\(result)")
            #expect(try await FFProbe.inspect(folder.file(name)).audio.count == 1)
        }
    }

    @Test func `a stop completes the file`() async throws {
        let session = try await TestTake.session()
        let take = try await TestTake.output(of: session).startRecording(
            to: TestTake.destination(folder), settings: TestTake.settings, limits: TestTake.limits())
        await take.reaches(seconds: 1)
        let result = await take.stop()
        await session.stop()
        #expect(result.reason == .stopped)
        #expect(result.isPlayable)
        let report = try await FFProbe.inspect(folder.file("take.mov"))
        let (frame, audio) = (report.video.first?.duration?.value ?? 0, report.audio.first?.duration?.value ?? 0)
        // Half a frame, and a packet of audio.
        #expect(abs(frame - audio) < 0.04, "\(frame) \(audio)")
    }

    @Test func `audio alone is a movie too`() async throws {
        let session = try await TestTake.session(camera: nil)
        let take = try await TestTake.output(of: session).startRecording(
            to: TestTake.destination(folder), settings: TestTake.settings, limits: TestTake.limits(seconds: 1))
        var starts = 0
        for await event in take.events { if case .started = event { starts += 1 } }
        let result = await take.result
        await session.stop()
        #expect(starts == 1)
        #expect(result.isPlayable)
        let report = try await FFProbe.inspect(folder.file("take.mov"))
        #expect(report.video.isEmpty)
        #expect(abs((report.audio.first?.duration?.value ?? 0) - 1) < 0.001)
    }

    @Test func `a frame alone is a movie too`() async throws {
        let session = try await TestTake.session(microphone: nil)
        let take = try await TestTake.output(of: session).startRecording(
            to: TestTake.destination(folder), settings: TestTake.settings, limits: TestTake.limits(seconds: 1))
        let result = await take.result
        #expect(result.isPlayable)
        await session.stop()
        let report = try await FFProbe.inspect(folder.file("take.mov"))
        #expect(report.audio.isEmpty)
        #expect(report.video.first?.nbFrames?.value == Double(30 - result.progress.droppedFrames), "\(result)")
    }

    @Test func `a session with nothing in it is refused`() async throws {
        let session = try await TestTake.session(camera: nil, microphone: nil)
        await #expect(throws: RushesError.self) {
            try await TestTake.output(of: session).startRecording(
                to: TestTake.destination(folder), settings: TestTake.settings, limits: TestTake.limits())
        }
        await session.stop()
        await #expect(throws: RushesError.self) {
            try await TestTake.output(of: session).startRecording(
                to: TestTake.destination(folder), settings: TestTake.settings, limits: TestTake.limits())
        }
        #expect(folder.contents.isEmpty)
    }

    @Test func `a limit of the size is not overshot by more than what is under way`() async throws {
        let session = try await TestTake.session(
            camera: TestTake.camera(
                "videotestsrc is-live=true pattern=snow ! video/x-raw,format=I420,width=320,height=180,framerate=30/1"))
        let take = try await TestTake.output(of: session).startRecording(
            to: TestTake.destination(folder), settings: TestTake.settings, limits: TestTake.limits(bytes: 3_000_000))
        let result = await take.result
        await session.stop()
        #expect(result.reason == .maximumSizeReached)
        #expect(result.isPlayable)
        // It is looked at twice a second, by a busy machine later.
        #expect(result.progress.bytes > 1_500_000 && result.progress.bytes < 10_000_000, "\(result.progress)")
    }
}
