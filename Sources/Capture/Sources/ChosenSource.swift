/// The one camera, test pattern or launch line that a selection came to.
public enum VideoSource: Sendable, Hashable {
    case device(CaptureDevice)
    case test(TestPattern)
    /// GStreamer elements as a person wrote them after `gst:`.
    case launchLine(String)

    /// For people.
    package var name: String {
        switch self {
        case .device(let device): device.name
        case .test: CaptureDevice.testCamera.name
        case .launchLine(let line): "gst:\(line)"
        }
    }
}

/// The one microphone, test tone or launch line that a selection came to.
public enum AudioSource: Sendable, Hashable {
    /// This one and no other.
    case device(CaptureDevice)
    /// Whichever is the default: this one for now. The recording goes over to another that takes its place.
    case defaultDevice(CaptureDevice)
    case test(TestTone)
    /// GStreamer elements as a person wrote them after `gst:`.
    case launchLine(String)

    /// For people.
    package var name: String {
        switch self {
        case .device(let device), .defaultDevice(let device): device.name
        case .test: CaptureDevice.testMicrophone.name
        case .launchLine(let line): "gst:\(line)"
        }
    }

    /// Whether it is the test tone, whichever way it was named.
    var isTest: Bool {
        switch self {
        case .device(let device), .defaultDevice(let device): device.backend == .test
        case .test: true
        case .launchLine: false
        }
    }
}
