import GStreamer

/// A camera or a microphone that can be opened, or what a loudspeaker plays.
public struct CaptureDevice: Sendable, Hashable, Identifiable {
    /// What a device records. A monitor captures what a loudspeaker plays, and is recorded like a microphone.
    public enum Kind: String, Sendable, Hashable, CaseIterable { case camera, microphone, monitor }

    /// The system service or driver through which a device is opened.
    #if hasAttribute(nonexhaustive)
        @nonexhaustive
    #endif
    public enum Backend: String, Sendable, Hashable, CaseIterable { case v4l2, libcamera, pipewire, pulseaudio, test }

    /// The same after a restart and after replugging into the same port.
    public var id: String
    /// The name for people; two equal cameras have the same.
    public var name: String
    /// What it records.
    public var kind: Kind
    /// The system service or driver through which it is opened.
    public var backend: Backend
    /// Whether it is the one that `default` means.
    public var isDefault: Bool
    /// The device file, such as "/dev/video0", where there is one. Not stable.
    package var path: String?
    /// What a camera can deliver; empty for a microphone.
    public var formats: [CaptureFormat]
    /// A microphone's own number of channels, where its server tells.
    package var channels: Int?
    /// Where a camera is built in, where its driver tells.
    public var position: Position?
    /// What the source element needs to open it: a path, a node's or a source's name.
    package var address: String

    /// A device that somebody has found. Its address is the path, or else the identifier, where none is given.
    package init(
        id: String, name: String, kind: Kind, backend: Backend, isDefault: Bool = false, path: String? = nil,
        formats: [CaptureFormat] = [], channels: Int? = nil, position: Position? = nil,
        address: String? = nil
    ) {
        self.id = id
        self.name = name
        self.kind = kind
        self.backend = backend
        self.isDefault = isDefault
        self.path = path
        self.formats = formats
        self.channels = channels
        self.position = position
        self.address = address ?? path ?? id
    }

    /// Whether all its frames are grey: the infrared half of a camera that knows faces. Never the default.
    package var isInfrared: Bool {
        kind == .camera && !formats.isEmpty && formats.allSatisfy { $0.pixelFormat?.hasPrefix("GRAY") == true }
    }
}

extension CaptureDevice {
    /// Where a camera is built in.
    #if hasAttribute(nonexhaustive)
        @nonexhaustive
    #endif
    public enum Position: String, Sendable, Hashable {
        /// It looks at whoever looks at the screen.
        case front
        /// It looks the same way as whoever looks at the screen.
        case back
        /// It hangs on a cable, or stands elsewhere.
        case external
    }

    /// The camera or microphone that the system, or else the order of its devices, makes the default.
    ///
    /// - Throws: ``RushesError`` if there is none.
    public static func `default`(for kind: Kind) async throws -> CaptureDevice {
        let devices = await DeviceDiscovery(includesTestSources: false).devices()
        return try DeviceMatch(kind, devices).defaultDevice()
    }

    /// The moving test pattern as a camera. It takes any size and rate; these are the useful ones, so that what is
    /// chosen by itself is not more than software encoders hold.
    public static let testCamera = CaptureDevice(
        id: "test", name: "Test pattern", kind: .camera, backend: .test,
        formats: [VideoSize(1280, 720), VideoSize(640, 480), VideoSize(640, 360)].map {
            CaptureFormat(
                encoding: .raw, pixelFormat: "I420", size: $0, rates: [Fraction(60), Fraction(30), Fraction(25)])
        })

    /// The test tone as a microphone.
    package static let testMicrophone = CaptureDevice(
        id: "test", name: "Test tone", kind: .microphone, backend: .test, channels: 2)
}
