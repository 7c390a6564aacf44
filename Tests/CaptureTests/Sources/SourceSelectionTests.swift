import Errors
import GStreamer
import Testing

@testable import Capture

private let devices = [
    CaptureDevice(
        id: "usb-0000:00:14.0-1:1.0-video-index0", name: "HD Webcam", kind: .camera, backend: .v4l2, isDefault: true,
        path: "/dev/video0"),
    CaptureDevice(
        id: "usb-0000:00:14.0-2:1.0-video-index0", name: "HD Webcam", kind: .camera, backend: .v4l2, path: "/dev/video2"
    ),
    CaptureDevice(id: "bunny", name: "Big Buck Bunny", kind: .camera, backend: .pipewire),
    CaptureDevice(id: "tst", name: "A test none default", kind: .camera, backend: .pipewire),
    CaptureDevice(id: "mic0", name: "Test Microphone", kind: .microphone, backend: .pulseaudio, isDefault: true),
    CaptureDevice(id: "mic1", name: "Second Microphone", kind: .microphone, backend: .pulseaudio),
    .testCamera, .testMicrophone,
]

@Suite struct SourceSelectionTests {
    @Test(arguments: [
        ("default", "usb-0000:00:14.0-1:1.0-video-index0"), ("bunny", "bunny"), ("buck", "bunny"),
        ("Big Buck Bunny", "bunny"), ("/dev/video2", "usb-0000:00:14.0-2:1.0-video-index0"),
        ("usb-0000:00:14.0-2:1.0-video-index0", "usb-0000:00:14.0-2:1.0-video-index0"), ("a test", "tst"),
    ]) func `a camera is found`(text: String, id: String) throws {
        let source = try SourceSelection(text, for: .camera).videoSource(among: devices)
        guard case .device(let device)? = source else { return #expect(Bool(false), "\(String(describing: source))") }
        #expect(device.id == id)
    }

    @Test(arguments: [("default", "mic0"), ("second", "mic1"), ("mic1", "mic1"), ("TEST MICROPHONE", "mic0")])
    func `a microphone is found`(text: String, id: String) throws {
        switch try SourceSelection(text, for: .microphone).audioSource(among: devices) {
        // Only whoever says "default" gets whichever that becomes.
        case .defaultDevice(let device): #expect(device.id == id && text == "default")
        case .device(let device): #expect(device.id == id && text != "default")
        case let source: Issue.record("\(String(describing: source))")
        }
    }

    @Test func `the words none, default and test win over names`() throws {
        #expect(try SourceSelection("none", for: .camera) == .none)
        #expect(try SourceSelection("default", for: .camera) == .defaultDevice)
        #expect(try SourceSelection("test", for: .camera) == .testPattern(TestPattern()))
        #expect(try SourceSelection("test", for: .microphone) == .testTone(TestTone()))
        #expect(try SourceSelection.none.videoSource(among: devices) == nil)
        #expect(try !SourceSelection("test", for: .camera).needsDevices)
    }

    @Test func `test takes options`() throws {
        #expect(
            try SourceSelection("test:pattern=ball,size=1280x720,rate=29.97", for: .camera)
                == .testPattern(TestPattern(pattern: "ball", size: VideoSize(1280, 720), rate: Fraction(30000, 1001))))
        #expect(
            try SourceSelection("test:frequency=1000,volume=0.1,wave=ticks", for: .microphone)
                == .testTone(TestTone(frequency: 1000, volume: 0.1, wave: "ticks")))
        #expect(try SourceSelection("test:", for: .camera) == .testPattern(TestPattern()))
    }

    @Test func `gst: takes a launch line as it is`() throws {
        #expect(
            try SourceSelection("gst: videotestsrc ! jpegenc", for: .camera) == .launchLine("videotestsrc ! jpegenc"))
    }

    @Test(arguments: [
        ("", "a camera's name cannot be empty; DeviceDiscovery lists them, none and test exist"),
        ("gst:", "gst: needs elements as for gst-launch-1.0, such as gst:videotestsrc"),
        ("test:size", "test:size: “size” is not name=value, as in test:pattern=ball,size=1280x720,rate=30"),
        ("test:size=big", "test:size=big: size cannot be “big”; write it as in size=1280x720"),
        ("test:rate=0", "test:rate=0: rate cannot be “0”; write it as in rate=30 or 30000/1001"),
        ("test:frequency=1", "test:frequency=1: test has no option “frequency” here; it has pattern, size, rate"),
    ]) func `a text that means nothing is wrong usage`(text: String, message: String) {
        let error = #expect(throws: RushesError.self) { try SourceSelection(text, for: .camera) }
        #expect(error?.description == message)
        #expect(error?.code == .badSource)
    }

    @Test func `a part of a name that fits several devices lists them`() throws {
        let selection = try SourceSelection("webcam", for: .camera)
        let error = #expect(throws: RushesError.self) { try selection.videoSource(among: devices) }
        #expect(
            error?.description
                == "“webcam” fits 2 cameras: HD Webcam (usb-0000:00:14.0-1:1.0-video-index0), "
                + "HD Webcam (usb-0000:00:14.0-2:1.0-video-index0); name one by its id")
        #expect(error?.code == .ambiguousDevice)
    }

    @Test(arguments: [
        ("Buny", "did you mean Big Buck Bunny?"), ("microfone", nil), ("zzz", nil),
        ("hd webcm", "did you mean HD Webcam?"),
    ]) func `a name that nothing has is not found, with what is near`(text: String, guess: String?) throws {
        let selection = try SourceSelection(text, for: .camera)
        let error = #expect(throws: RushesError.self) { try selection.videoSource(among: devices) }
        let cure = guess ?? "DeviceDiscovery lists what there is, and a session can do without a camera"
        #expect(error?.description == "no camera is called “\(text)”; \(cure)")
        #expect(error?.code == .deviceNotFound && error?.subject == text)
    }

    @Test func `without devices the default is an error that says what else exists`() {
        let error = #expect(throws: RushesError.self) {
            try SourceSelection.defaultDevice.audioSource(among: [.testCamera, .testMicrophone])
        }
        #expect(
            error?.description
                == "no microphone was found; DeviceDiscovery lists what there is, and a session can do without a microphone"
        )
        #expect(error?.code == .deviceNotFound)
    }
}
