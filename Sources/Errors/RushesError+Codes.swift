// Settings and names.
extension RushesError.Code {
    /// The settings contradict each other, or the container, the codec or the input cannot be used with them.
    public static let invalidSettings = Self("invalidSettings")
    /// The text that names a source cannot be read, or an option of it has a bad value.
    public static let badSource = Self("badSource")
    /// A part of a name fits more than one device.
    public static let ambiguousDevice = Self("ambiguousDevice")
    /// The device has no such size, rate or compressed stream.
    public static let unsupportedFormat = Self("unsupportedFormat")
}

// Devices.
extension RushesError.Code {
    /// No device of this name or kind is there, or it has been unplugged.
    public static let deviceNotFound = Self("deviceNotFound")
    /// Another program uses the device.
    public static let deviceBusy = Self("deviceBusy")
    /// This user may not open the device.
    public static let deviceForbidden = Self("deviceForbidden")
    /// The device or its server gave no answer in time.
    public static let deviceSilent = Self("deviceSilent")
    /// The device reported a fault.
    public static let deviceFailed = Self("deviceFailed")
    /// The session has not been started.
    public static let notRunning = Self("notRunning")
    /// Recording ended before the first frame or audio came.
    public static let nothingRecorded = Self("nothingRecorded")
}

// What has to be installed.
extension RushesError.Code {
    /// A plugin of GStreamer is not installed.
    public static let missingPlugin = Self("missingPlugin")
    /// Nothing that is installed writes the codec.
    public static let encoderMissing = Self("encoderMissing")
    /// Nothing that is installed measures the quality that was asked for.
    public static let metricMissing = Self("metricMissing")
    /// The encoder tables or a preset cannot be found or read.
    public static let noPipelineFiles = Self("noPipelineFiles")
}

// Files.
extension RushesError.Code {
    /// The folder does not exist.
    public static let noFolder = Self("noFolder")
    /// Something has the name already.
    public static let fileExists = Self("fileExists")
    /// The folder or the file cannot be written.
    public static let notWritable = Self("notWritable")
    /// The disk is full.
    public static let diskFull = Self("diskFull")
    /// The file could not be written or could not get its name.
    public static let writeFailed = Self("writeFailed")
    /// The input is missing, a folder, no media, encrypted or damaged.
    public static let badInput = Self("badInput")
}

// Work that was under way.
extension RushesError.Code {
    /// An encoder failed.
    public static let encoderFailed = Self("encoderFailed")
    /// No video or audio came for the stated time.
    public static let stalled = Self("stalled")
    /// No quality of the encoder is as good as what was asked for.
    public static let qualityUnreachable = Self("qualityUnreachable")
    /// What was written is not good; nothing was kept.
    public static let notVerified = Self("notVerified")
    /// It was cancelled or stopped before anything was made.
    public static let cancelled = Self("cancelled")
    /// There is no such activity, it has ended, does not answer, or does not take the request.
    public static let controlRefused = Self("controlRefused")
    /// The page cannot be served at that address.
    public static let addressUnavailable = Self("addressUnavailable")
}
