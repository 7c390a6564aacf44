package import GStreamer

/// Why a device, a format or a source cannot be used, in one sentence with the cure.
public struct CaptureError: Error, Sendable, Equatable, CustomStringConvertible {
    /// What went wrong, for programs; more codes may come.
    public struct Code: Sendable, Hashable {
        private let name: String
        private init(_ name: String) { self.name = name }

        /// The text that names a source cannot be read, or an option of it has a bad value.
        public static let badSource = Code("badSource")
        /// A part of a name fits more than one device.
        public static let ambiguousDevice = Code("ambiguousDevice")
        /// The device has no such size, rate or compressed stream.
        public static let unsupportedFormat = Code("unsupportedFormat")
        /// No device of this name or kind is there, or it has been unplugged.
        public static let deviceNotFound = Code("deviceNotFound")
        /// Another program uses the device.
        public static let deviceBusy = Code("deviceBusy")
        /// This user may not open the device.
        public static let deviceForbidden = Code("deviceForbidden")
        /// The device or its server gave no answer in time.
        public static let deviceSilent = Code("deviceSilent")
        /// The device reported a fault.
        public static let deviceFailed = Code("deviceFailed")
        /// A plugin of GStreamer is not installed.
        public static let missingPlugin = Code("missingPlugin")
        /// Somebody stopped the take before anything was recorded.
        public static let stopped = Code("stopped")
        /// The session has not been started.
        public static let notRunning = Code("notRunning")
    }

    /// What went wrong, for programs.
    public var code: Code
    /// One sentence for people: what failed on what, and what to do about it.
    package var message: String
    /// What GStreamer said, if it said anything.
    package var underlying: GStreamerError?

    /// - Parameter message: one sentence for people, with the cure.
    package init(_ code: Code, _ message: String, underlying: GStreamerError? = nil) {
        self.code = code
        self.message = message
        self.underlying = underlying
    }

    /// Whether what was asked for is at fault (exit status 64), and not the device or the machine (exit status 1).
    package var isUsage: Bool { [.badSource, .ambiguousDevice, .unsupportedFormat].contains(code) }

    public var description: String { message }
}
