import Errors
import GStreamer
import Testing

@testable import Capture

@Suite struct DiscoveryReportTests {
    private let microphone = CaptureDevice(id: "mic0", name: "Mic", kind: .microphone, backend: .pulseaudio)

    @Test func `a machine with all has nothing to say`() {
        let camera = CaptureDevice(id: "cam", name: "Cam", kind: .camera, backend: .v4l2)
        #expect(DiscoveryReport(outcomes: [.v4l2: .answered], devices: [camera, microphone]).sentences == [])
    }

    @Test func `a server that hangs is named, and not called absent`() {
        let report = DiscoveryReport(
            outcomes: [.pulseaudio: .silent, .pipewire: .silent], devices: [.testCamera, .testMicrophone])
        #expect(
            report.sentences == [
                "PipeWire did not answer within 5 seconds, so its devices are left out; restart it",
                "PulseAudio did not answer within 5 seconds, so its devices are left out; restart it",
            ])
    }

    @Test func `missing permission comes with its cure`() {
        let report = DiscoveryReport(
            devices: [microphone], videoNodes: ["/dev/video0", "/dev/video1"], forbiddenNodes: ["/dev/video0"])
        #expect(
            report.sentences == [
                "you have no permission to open /dev/video0; add yourself to the group video (sudo usermod -aG video $USER) and log in again"
            ])
    }

    @Test(arguments: [
        (
            DiscoveryReport.Outcome.refused,
            "no camera: nothing is at /dev/video*, and no PipeWire session is running (systemctl --user start pipewire wireplumber)"
        ), (.missing, "no camera: nothing is at /dev/video*; for PipeWire's cameras install gstreamer1.0-pipewire"),
        (.answered, "no camera: nothing is at /dev/video*, and PipeWire has none"),
    ]) func `no camera says where was looked`(outcome: DiscoveryReport.Outcome, sentence: String) {
        #expect(DiscoveryReport(outcomes: [.pipewire: outcome], devices: [microphone]).sentences == [sentence])
    }

    @Test func `no microphone says what to start or to install`() {
        func sentence(_ outcomes: [CaptureDevice.Backend: DiscoveryReport.Outcome]) -> String? {
            DiscoveryReport(outcomes: outcomes, forbiddenNodes: ["/dev/video0"]).sentences.last
        }
        #expect(sentence([.pulseaudio: .answered])?.contains("has no input") == true)
        #expect(sentence([.pulseaudio: .refused, .pipewire: .answered])?.contains("pipewire-pulse") == true)
        #expect(sentence([.pulseaudio: .missing])?.contains("libpulse is not installed") == true)
        #expect(sentence([.pulseaudio: .refused])?.contains("no sound server is running") == true)
    }

    @Test(arguments: [
        ("Device '/dev/video0' is busy", "Device or resource busy", RushesError.Code.deviceBusy),
        ("Could not open device", "system error: Permission denied", .deviceForbidden),
        ("Cannot identify device '/dev/video7'.", "system error: No such file or directory", .deviceNotFound),
        ("Failed to connect stream: No such entity", "", .deviceNotFound),
        ("Disconnected: Entity killed", "", .deviceNotFound),
        ("Disconnected: Connection terminated", "", .deviceFailed),
        ("Failed to connect: Connection refused", "", .deviceFailed),
        ("Internal data stream error.", "streaming stopped, reason not-negotiated (-4)", .unsupportedFormat),
        ("Internal data stream error.", "streaming stopped, reason error (-5)", .deviceFailed),
    ]) func `what GStreamer said becomes a sentence`(message: String, debug: String, code: RushesError.Code) {
        let error = RushesError(
            opening: "HD Webcam", GStreamerError(element: "source", message: message, debug: debug))
        #expect(error.code == code)
        #expect(error.description.hasPrefix("HD Webcam "))
    }

    @Test func `a camera that gets no room on its bus is told with a mode that needs half of it`() throws {
        let formats = [(1920, 1080), (1280, 720), (640, 480)].map {
            CaptureFormat(encoding: .raw, pixelFormat: "YUY2", size: VideoSize($0.0, $0.1), rates: [Fraction(30)])
        }
        let plan = try VideoSourcePlan(
            .device(CaptureDevice(id: "a", name: "HD Webcam", kind: .camera, backend: .v4l2, formats: formats)))
        let failure = GStreamerError(
            element: "source", message: "Failed to allocate required memory.",
            debug: "gstv4l2src.c(956): gst_v4l2src_decide_allocation ():\nBuffer pool activation failed")
        let error = try #require(RushesError(starting: plan, failure))
        #expect(
            error.description.contains("does not begin to deliver 1920×1080 at 30")
                && error.description.contains("such as 1280×720 at 30,"), "\(error)")
        let busy = GStreamerError(element: "source", message: "Device '/dev/video0' is busy")
        #expect(RushesError(starting: plan, busy) == nil)
    }

    @Test func `a source is taken for a launch line by what it is and not by its name`() throws {
        let failure = GStreamerError(
            domain: "gst-stream-error-quark", element: "source", message: "Internal data stream error.",
            debug: "not-negotiated\nwhat is really wrong")
        let device = RushesError(opening: "gst: the camera", failure)
        #expect(device.code == .unsupportedFormat)
        let line = RushesError(opening: "the camera", isLaunchLine: true, failure)
        #expect(line.description == "the camera cannot be opened: what is really wrong")
        #expect(try VideoSourcePlan(.launchLine("videotestsrc")).isLaunchLine)
        #expect(try AudioSourcePlan(.launchLine("audiotestsrc")).isLaunchLine)
        #expect(try !VideoSourcePlan(.test(TestPattern())).isLaunchLine)
    }
}
