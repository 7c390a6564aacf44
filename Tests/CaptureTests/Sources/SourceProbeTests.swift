import Capture
import GStreamer
import Testing

@Suite(.timeLimit(.minutes(1))) struct SourceProbeTests {
    @Test func `a source that delivers passes`() async throws {
        try await SourceProbe.check(VideoSourcePlan(.test(TestPicture())).nodes, name: "Test picture")
        try await SourceProbe.check(AudioSourcePlan(.test(TestTone())).nodes, name: "Test tone")
    }

    @Test func `a camera that is not there is named, with the cure`() async throws {
        let format = CaptureFormat(
            encoding: .raw, pixelFormat: "YUY2", size: VideoSize(640, 480), rates: [Fraction(30)])
        let camera = CaptureDevice(
            id: "gone", name: "HD Webcam", kind: .camera, backend: .v4l2, path: "/dev/video987", formats: [format])
        let error = await #expect(throws: CaptureError.self) {
            try await SourceProbe.check(VideoSourcePlan(.device(camera)).nodes, name: camera.name)
        }
        #expect(error?.code == .deviceNotFound)
        #expect(error?.message == "HD Webcam is not there any more; 'rushes devices' lists what is.")
    }

    @Test func `a source that never gives anything is given up in time`() async throws {
        let error = await #expect(throws: CaptureError.self) {
            try await SourceProbe.check([.make("appsrc")], name: "Silence", within: 0.5)
        }
        #expect(error?.code == .deviceSilent)
    }
}
