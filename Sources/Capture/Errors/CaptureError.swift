public import GStreamer

/// Why a device, a format or a source cannot be used, in one sentence with the cure.
public struct CaptureError: Error, Sendable, Equatable, CustomStringConvertible {
    /// What went wrong, for programs; more codes may come.
    public struct Code: Sendable, Hashable, RawRepresentable, CustomStringConvertible {
        /// The name, in one word.
        public var rawValue: String
        /// A code by its name; those that Rushes uses are constants below.
        public init(rawValue: String) { self.rawValue = rawValue }
        public var description: String { rawValue }

        /// The text that names a source cannot be read, or an option of it has a bad value.
        public static let badSource = Code(rawValue: "badSource")
        /// A part of a name fits more than one device.
        public static let ambiguousDevice = Code(rawValue: "ambiguousDevice")
        /// The device has no such size, rate or compressed stream.
        public static let unsupportedFormat = Code(rawValue: "unsupportedFormat")
        /// No device of this name or kind is there, or it has been unplugged.
        public static let deviceNotFound = Code(rawValue: "deviceNotFound")
        /// Another program uses the device.
        public static let deviceBusy = Code(rawValue: "deviceBusy")
        /// This user may not open the device.
        public static let deviceForbidden = Code(rawValue: "deviceForbidden")
        /// The device or its server gave no answer in time.
        public static let deviceSilent = Code(rawValue: "deviceSilent")
        /// The device reported a fault.
        public static let deviceFailed = Code(rawValue: "deviceFailed")
        /// A plugin of GStreamer is not installed.
        public static let missingPlugin = Code(rawValue: "missingPlugin")
        /// Somebody stopped the take before anything was recorded.
        public static let stopped = Code(rawValue: "stopped")
        /// The session has not been started.
        public static let notRunning = Code(rawValue: "notRunning")
    }

    /// What went wrong, for programs.
    public var code: Code
    /// One sentence for people: what failed on what, and what to do about it.
    public var message: String
    /// What GStreamer said, if it said anything.
    public var underlying: GStreamerError?

    /// - Parameter message: one sentence for people, with the cure.
    public init(_ code: Code, _ message: String, underlying: GStreamerError? = nil) {
        self.code = code
        self.message = message
        self.underlying = underlying
    }

    /// Whether what was asked for is at fault (exit status 64), and not the device or the machine (exit status 1).
    public var isUsage: Bool { [.badSource, .ambiguousDevice, .unsupportedFormat].contains(code) }

    public var description: String { message }
}
