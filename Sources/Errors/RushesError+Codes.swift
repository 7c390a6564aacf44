extension RushesError {
    /// What went wrong, for programs. The names stay the same in later versions; new ones may come, so a switch ends with
    /// `@unknown default`.
    #if hasAttribute(nonexhaustive)
        @nonexhaustive
    #endif
    public enum Code: String, Sendable {
        // MARK: Settings and names
        /// The settings contradict each other, or the container, the codec or the input cannot be used with them.
        case invalidSettings
        /// The text that names a source cannot be read, or an option of it has a bad value.
        case badSource
        /// A part of a name fits more than one device.
        case ambiguousDevice
        /// The device has no such size, rate or compressed stream.
        case unsupportedFormat

        // MARK: Devices
        /// No device of this name or kind is there, or it has been unplugged.
        case deviceNotFound
        /// Another program uses the device.
        case deviceBusy
        /// This user may not open the device.
        case deviceForbidden
        /// The device or its server gave no answer in time.
        case deviceSilent
        /// The device reported a fault.
        case deviceFailed
        /// The session has not been started.
        case notRunning
        /// Recording ended before the first frame or audio came.
        case nothingRecorded

        // MARK: What has to be installed
        /// A plugin of GStreamer, or a library that is loaded when it is needed, is not installed.
        case missingPlugin
        /// Nothing that is installed writes the codec.
        case encoderMissing
        /// Nothing that is installed measures the quality that was asked for.
        case metricMissing
        /// The encoder tables or a preset cannot be found or read.
        case noPipelineFiles

        /// The system has no further thread or memory for it.
        case systemLimit

        // MARK: Files
        /// The folder does not exist.
        case noFolder
        /// Something has the name already.
        case fileExists
        /// The folder or the file cannot be written.
        case notWritable
        /// The disk is full.
        case diskFull
        /// The file could not be written or could not get its name.
        case writeFailed
        /// The input is missing, a folder, no media, encrypted or damaged.
        case badInput

        // MARK: Work that was under way
        /// An encoder failed.
        case encoderFailed
        /// No video or audio came for the stated time.
        case stalled
        /// No quality of the encoder is as good as what was asked for.
        case qualityUnreachable
        /// What was written is not good; nothing was kept.
        case notVerified
        /// It was cancelled or stopped before anything was made.
        case cancelled
        /// There is no such activity, it has ended, does not answer, or does not take the request.
        case controlRefused
        /// The page cannot be served at that address.
        case addressUnavailable
    }
}
