import GStreamer
import MediaTypes
import TestSupport
import Testing

@testable import Capture

@Suite struct CameraLossesTests {
    @Test func `what a main camera lost while another stood in for it counts once, and what it gave too late`() {
        var counts = RunningRecording.Counts(missingFrames: 2, toldMissingFrames: 5)
        counts.cameraLosses = [60, 1]
        counts.lateFrames = 3
        #expect(counts.mainLostFrames == 60 && counts.lostFrames == 64)
    }

    private static let frame = 40 * MediaTime.millisecond

    /// What is missing of an inset's camera at 25 that delivers these frames, by their number, while its main camera's begin a recording at
    /// one time and end it at another.
    private func missing(_ frames: [Int], begin: MediaTime, end: MediaTime) throws -> Int {
        let buffer = [UInt8(0)].withUnsafeBytes { Buffer(copying: $0, presentationTime: nil, duration: nil) }
        let caps = try Caps("video/x-raw,framerate=25/1")
        var losses = CameraLosses(rate: Fraction(25, 1))
        var timeline = RecordingTimeline(startsWithVideo: true)
        for number in frames {
            let time = number * Self.frame
            if timeline.start == nil, time >= begin {
                timeline.request(at: begin)
                timeline.begin(at: begin)
            }
            losses.add(CaptureInput.TimedSample(buffer: buffer, caps: caps, time: time), timeline)
        }
        timeline.end(at: end)
        losses.finish(timeline)
        return losses.frames
    }

    @Test func `a camera that delivers all owes nothing`() throws {
        #expect(try missing(Array(0..<200), begin: 1010 * .millisecond, end: 6010 * .millisecond) == 0)
        #expect(try missing(Array(0..<200), begin: 1000 * .millisecond, end: 6000 * .millisecond) == 0)
    }

    @Test func `what is lost between the beginning and the first frame counts, and what was lost before does not`()
        throws
    {
        let frames = Array(0..<20) + Array(29..<200)
        #expect(try missing(frames, begin: 1010 * .millisecond, end: 6010 * .millisecond) == 3)
    }

    @Test func `a camera that has given nothing yet owes nothing until it does`() throws {
        #expect(try missing(Array(29..<200), begin: 1010 * .millisecond, end: 6010 * .millisecond) == 0)
    }
}
