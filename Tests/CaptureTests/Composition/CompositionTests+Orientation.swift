import Encoding
import Errors
import Foundation
import GStreamer
import Imaging
import MediaTypes
import MovieFiles
import SystemPackage
import TestSupport
import Testing

@testable import Capture

/// Cameras that do not hang upright.
extension CompositionTests {
    /// Red at the left, green at the right.
    private func halves(_ orientation: MovieOrientation = .upright, rate: Int = 30) throws -> VideoSourcePlan {
        var plan = try VideoSourcePlan(
            .launchLine(
                "videotestsrc is-live=true pattern=red ! video/x-raw,format=I420,width=160,height=180,framerate=\(rate)/1 ! "
                    + "videobox right=-160 fill=green ! video/x-raw,format=I420"))
        plan.orientation = orientation
        return plan
    }

    private func record(_ plans: [VideoSourcePlan], layout: String) async throws -> RecordingResult {
        let session = CaptureSession()
        try await session.configure { $0.cameras = plans }
        try await session.start()
        let recording = try await record(
            session, Layout(layout), seconds: 1, eachCamera: plans.count > 1 ? TestTake.settings : nil)
        let result = await recording.result
        await session.stop()
        #expect(result.isPlayable && result.reason == .maximumDurationReached, "\(result)")
        return result
    }

    @Test func `a camera that hangs on its side is composed upright, and its own movie is shown so`() async throws {
        let blue = try VideoSourcePlan(camera(.blue, 640, 360, rate: 30))
        let result = try await record(
            [blue, halves(MovieOrientation(rotation: .quarter, isMirrored: true))], layout: "top-left,size=50%,margin=0"
        )
        // Mirrored, what was at the left is at the right, and turned clockwise at the bottom; 101 wide and 180 high.
        for frame in [0, 29] {
            #expect(try await colour(48, 30, ofFrame: frame) == .green)
            #expect(try await colour(48, 140, ofFrame: frame) == .red)
            #expect(try await colour(110, 90, ofFrame: frame) == .blue)
        }
        let own = try result.cameraMovies.map { try MovieInfo(contentsOf: #require($0.path)).video }
        #expect(own.map { $0.first?.rotation } == [0, 90] && own.map { $0.first?.mirrored } == [false, true])
        #expect(own[1].first?.width == 320 && own[1].first?.displayWidth == 180)
        #expect(try MovieInfo(contentsOf: #require(result.path)).video.first?.rotation == 0)
    }

    @Test func `a main camera on its side makes an upright movie as high as it is wide`() async throws {
        let result = try await record(
            [halves(MovieOrientation(rotation: .threeQuarters)), halves(MovieOrientation(rotation: .half))],
            layout: "x=0,y=75%,width=50%")
        let video = try MovieInfo(contentsOf: #require(result.path)).video.first
        #expect(video?.width == 180 && video?.height == 320 && video?.rotation == 0)
        #expect(try await colour(140, 20, ofFrame: 5) == .green)
        #expect(try await colour(140, 200, ofFrame: 5) == .red)
        // The inset is upside down, 90 wide.
        #expect(try await colour(12, 262, ofFrame: 5) == .green)
        #expect(try await colour(74, 262, ofFrame: 5) == .red)
    }

    @Test func `one camera on its side makes a movie that players turn`() async throws {
        let result = try await record([halves(MovieOrientation(rotation: .quarter))], layout: "main-only")
        let video = try MovieInfo(contentsOf: #require(result.path)).video.first
        #expect(video?.width == 320 && video?.rotation == 90)
    }
}
