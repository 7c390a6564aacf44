import Encoding
import Foundation
import GStreamer
import Imaging
import MediaTypes
import SystemPackage
import TestSupport
import Testing

@testable import Capture

/// Cameras that change what they deliver.
extension CompositionTests {
    @Test func `an inset whose frames change their size keeps its place, and its own movie its size`() async throws {
        let format = "video/x-raw,format=I420,framerate=30/1"
        // It changes four seconds behind the session's start: a busy machine takes its time until the recording begins.
        let changing = VideoSource.launchLine(
            "videotestsrc num-buffers=120 pattern=red ! \(format),width=320,height=180 ! c. "
                + "videotestsrc pattern=green ! \(format),width=640,height=480 ! c. concat name=c ! identity sync=true")
        let session = try await session([camera(.blue, 640, 360, rate: 30), changing])
        let recording = try await record(
            session, Layout("top-left,size=50%,margin=0"), seconds: 6, eachCamera: TestTake.settings)
        var warnings: [String] = []
        for await event in recording.events { if case .warning(let words) = event { warnings.append(words) } }
        let result = await recording.result
        await session.stop()
        let words = "changed its frames from 320×180 to 640×480; they are fitted into its place."
        #expect(warnings.count { $0.hasSuffix(words) } == 1, "\(warnings)")
        #expect(result.isPlayable && result.reason == .maximumDurationReached, "\(result)")
        #expect(try await colour(100, 60, ofFrame: 3) == .red)
        // Of 4:3 it is less wide now.
        #expect(try await colour(100, 60, ofFrame: 175) == .green)
        #expect(try await colour(300, 60, ofFrame: 175) == .blue)
        for movie in result.cameraMovies {
            let path = try #require(movie.path?.string)
            try await FFmpeg.decode(path)
            #expect(try await FFProbe.inspect(path).video.first?.width == (movie == result.cameraMovies[0] ? 640 : 320))
        }
    }

    @Test func `an inset whose frames cannot be composed any more is told once, and its last frame stays`() async throws
    {
        let size = "width=320,height=180,framerate=30/1"
        var changing = try VideoSourcePlan(.launchLine("videotestsrc"))
        // As a driver might that keeps to no format: nothing converts its frames.
        changing.nodes = [
            .launchLine(
                "videotestsrc num-buffers=120 pattern=red ! video/x-raw,format=I420,\(size) ! c. "
                    + "videotestsrc pattern=green ! video/x-raw,format=RGB16,\(size) ! c. concat name=c ! identity sync=true"
            )
        ]
        changing.outputFormat = .raw(Caps("video/x-raw", ["format": .string("I420")]))
        let (main, inset) = (try VideoSourcePlan(camera(.blue, 640, 360, rate: 30)), changing)
        let session = CaptureSession()
        try await session.configure { $0.cameras = [main, inset] }
        try await session.start()
        let recording = try await record(session, Layout("top-left,size=50%,margin=0"), seconds: 6)
        var warnings: [String] = []
        for await event in recording.events { if case .warning(let words) = event { warnings.append(words) } }
        let result = await recording.result
        await session.stop()
        #expect(warnings.count { $0.contains("to RGB16, which cannot be composed") } == 1, "\(warnings)")
        #expect(result.isPlayable && result.reason == .maximumDurationReached, "\(result)")
        #expect(try await colour(100, 60, ofFrame: 30) == .red)
        #expect(try await colour(600, 300, ofFrame: 175) == .blue)
    }
}
