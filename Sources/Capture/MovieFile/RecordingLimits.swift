/// What ends a take, or one of its files, by itself. AVFoundation's words.
public struct RecordingLimits: Sendable, Equatable {
    /// How long the movie may be, kept to the frame and the sample.
    public var maxRecordedDuration: Duration?
    /// Bytes of all files; the last fragment and the index may go a little beyond.
    public var maxRecordedFileSize: Int64?
    /// After how long the recording goes on in another file, at the next key frame; the encoder is asked for one just
    /// there. The files, "take.mov", "take-002.mov" and so on, have every frame and sample once.
    public var maxPartDuration: Duration?
    /// Bytes before which the recording goes on in another file; a fragment or two may go beyond.
    public var maxPartFileSize: Int64?
    /// The take ends before less than this many bytes are free on its disk.
    public var minFreeDiskSpaceLimit: Int64

    /// - Parameter minFreeDiskSpaceLimit: by default 50 MB, so that there is always room for the index.
    public init(
        maxRecordedDuration: Duration? = nil, maxRecordedFileSize: Int64? = nil,
        maxPartDuration: Duration? = nil, maxPartFileSize: Int64? = nil, minFreeDiskSpaceLimit: Int64 = 50_000_000
    ) {
        (self.maxPartDuration, self.maxPartFileSize) = (maxPartDuration, maxPartFileSize)
        self.maxRecordedDuration = maxRecordedDuration
        self.maxRecordedFileSize = maxRecordedFileSize
        self.minFreeDiskSpaceLimit = minFreeDiskSpaceLimit
    }
}
