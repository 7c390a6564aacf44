import Encoding
import Errors
import Foundation
import MediaTypes
import TestSupport
import Testing

@testable import Capture

/// What becomes of a session's devices when nobody holds it any more, or a change of them is cancelled.
@Suite(.timeLimit(.minutes(5))) struct SessionLifeTests {
    private static func camera(_ pattern: String) throws -> VideoSourcePlan {
        try VideoSourcePlan(
            .launchLine(
                "videotestsrc is-live=true pattern=\(pattern) ! video/x-raw,format=I420,width=320,height=180,framerate=30/1"
            ), FormatRequest())
    }

    @Test func `a session that nobody holds closes its camera`() async throws {
        weak var input: CaptureInput?
        do {
            let session = CaptureSession()
            let plan = try Self.camera("ball")
            try await session.configure { $0.camera = plan }
            try await session.start()
            input = await session.running?.video.first?.input
            #expect(input != nil)
        }
        // What looked for the device ends in its own time; the suite's limit is that of this wait.
        while input != nil { await Task.yield() }
    }

    /// A pipe that nobody writes to keeps a source from opening for as long.
    @Test func `a change whose task is cancelled leaves the camera that ran`() async throws {
        let folder = try TemporaryFolder()
        let pipe = folder.file("pipe")
        #expect(mkfifo(pipe, 0o600) == 0)
        let session = CaptureSession()
        let plan = try Self.camera("ball")
        try await session.configure { $0.camera = plan }
        try await session.start()
        let slow = try VideoSourcePlan(
            .launchLine("filesrc location=\(pipe) ! decodebin ! videoconvert ! video/x-raw,format=I420"),
            FormatRequest())
        let change = Task { try await session.configure { $0.cameras = [plan, slow] } }
        // It stands in the opening of the pipe once somebody else can open it without waiting.
        var writer: Int32 = -1
        while writer < 0 {
            writer = open(pipe, O_WRONLY | O_NONBLOCK)
            await Task.yield()
        }
        defer { close(writer) }
        change.cancel()
        await #expect(throws: (any Error).self) { try await change.value }
        #expect(await session.configuration.cameras == [plan])
        #expect(await session.isRunning)
        let feed = try #require(await session.running?.video.first)
        _ = try await feed.firstFrame()
        await session.stop()
    }

    @Test func `limits and settings that mean nothing are refused before a file is made`() async throws {
        let folder = try TemporaryFolder()
        let session = try await TestTake.session()
        let output = try await TestTake.output(of: session)
        let wrong: [RecordingLimits] = [
            RecordingLimits(maxRecordedDuration: .zero), RecordingLimits(maxRecordedFileSize: 0),
            RecordingLimits(maxPartDuration: .zero), RecordingLimits(maxPartFileSize: 0),
            RecordingLimits(maxReplayDuration: .zero), RecordingLimits(maxKeptFileSize: 10_000_000),
            RecordingLimits(maxPartFileSize: 8_000_000, maxKeptFileSize: 10_000_000),
        ]
        for limits in wrong {
            let failure = await #expect(throws: RushesError.self, "\(limits)") {
                try await output.startRecording(to: TestTake.destination(folder), limits: limits)
            }
            #expect(failure?.code == .invalidSettings, "\(limits)")
        }
        var settings = TestTake.settings
        settings.audioDelay = .seconds(3600)
        await #expect(throws: RushesError.self) {
            try await output.startRecording(to: TestTake.destination(folder), settings: settings)
        }
        await #expect(throws: RushesError.self) { try await session.configure { $0.microphone?.gain = .nan } }
        await #expect(throws: RushesError.self) { try await session.addOutput(VideoFrameOutput(size: VideoSize(0, 0))) }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
        // A duration of hundreds of years, as of somebody who wants no end, is none.
        let take = try await output.startRecording(
            to: TestTake.destination(folder), settings: TestTake.settings,
            limits: RecordingLimits(maxRecordedDuration: .seconds(Int64.max)))
        await take.reaches(seconds: 0.5)
        #expect(await take.stop().isPlayable)
        await session.stop()
    }
}
