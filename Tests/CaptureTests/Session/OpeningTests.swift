import Capture
import Errors
import GStreamer
import Testing

@Suite(.timeLimit(.minutes(10))) struct OpeningTests {
    @Test func `a camera that is not there is named, with the cure, and nothing runs`() async throws {
        let format = CaptureFormat(
            encoding: .raw, pixelFormat: "YUY2", size: VideoSize(640, 480), rates: [Fraction(30)])
        let camera = CaptureDevice(
            id: "gone", name: "HD Webcam", kind: .camera, backend: .v4l2, path: "/dev/video987", formats: [format])
        let session = CaptureSession()
        try await session.configure { $0.camera = try VideoSourcePlan(.device(camera)) }
        let error = await #expect(throws: RushesError.self) { try await session.start() }
        #expect(error?.code == .deviceNotFound && error?.subject == "HD Webcam")
        #expect(error?.underlying is GStreamerError)
        #expect(error?.description == "HD Webcam is no longer there; DeviceDiscovery lists what is.")
        #expect(await !session.isRunning)
    }
}
