import Capture
import Errors
import Foundation
import GStreamer
import TestSupport
import Testing

@Suite struct LaunchLineTests {
    @Test(arguments: [
        "videotestsrc is-live=true",
        "videotestsrc is-live=true ! video/x-raw,width=320,height=240",
        "videotestsrc is-live=true ! jpegenc",
        "videotestsrc is-live=true ! jpegenc ! image/jpeg",
        "videotestsrc is-live=true ! jpegenc ! rtpjpegpay",
        "videotestsrc is-live=true ! jpegenc ! decodebin",
        "videotestsrc is-live=true ! jpegenc ! decodebin ! videoconvert",
        "videotestsrc is-live=true ! jpegenc ! matroskamux ! matroskademux",
        "videotestsrc is-live=true ! tee",
    ]) func `a line that ends in raw, compressed, packed or late outputs becomes raw frames`(line: String)
        async throws
    {
        let plan = try VideoSourcePlan(.launchLine(line))
        let run = try await PlanRun(plan.nodes, count: 5)
        #expect(run.arrivals.count == 5)
        #expect(run.caps?.first?.name == "video/x-raw")
        #expect(["I420", "NV12", "YUY2", "UYVY", "Y42B"].contains(run.caps?.first?["format"]?.stringValue))
    }

    @Test(arguments: [
        "audiotestsrc is-live=true", "audiotestsrc is-live=true ! wavenc ! decodebin",
        "audiotestsrc is-live=true ! audio/x-raw,rate=8000,channels=1 ! mulawenc",
    ]) func `a line that makes audio becomes floats at 48 kHz`(line: String) async throws {
        let plan = try AudioSourcePlan(.launchLine(line), channels: 2)
        let run = try await PlanRun(plan.nodes, count: 5)
        #expect(run.caps?.first?["rate"] == .int(48000))
    }

    @Test func `a file plays at its own speed`() async throws {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID()).mkv").path
        defer { try? FileManager.default.removeItem(atPath: file) }
        let writer = try PipelineDescription([
            [
                .make("videotestsrc", ["num-buffers": 30]),
                .caps(Caps("video/x-raw,width=160,height=120,framerate=10/1")),
                .make("jpegenc"), .make("matroskamux"), .make("filesink", ["location": .text(file)]),
            ]
        ]).build()
        let messages = writer.bus.messages()
        try await writer.setState(.playing)
        for await message in messages { if case .endOfStream = message.content { break } }
        await writer.stop()
        for line in ["filesrc location=\(file) ! decodebin ! videoconvert", "filesrc location=\(file) ! matroskademux"]
        {
            let run = try await PlanRun(VideoSourcePlan(.launchLine(line)).nodes, count: 30, startsNow: true)
            #expect(run.arrivals.count == 30)
            #expect((run.arrivals.last?.arrival ?? 0) >= 2800 * .millisecond)
        }
    }

    @Test(arguments: [
        "nosuchelement", "videotestsrc ! ! ", "videotestsrc ! fakesink", "videotestsrc pattern=nosuch", "fakesink",
    ]) func `a line that cannot be a source is refused before anything runs`(line: String) {
        let error = #expect(throws: RushesError.self) { try VideoSourcePlan(.launchLine(line)) }
        #expect(error?.code == .badSource)
        #expect(error?.description.hasPrefix("gst:\(line): ") == true)
    }
}
