/// What ends a take by itself. AVFoundation's words.
public struct RecordingLimits: Sendable, Equatable {
    /// Seconds of the movie, kept to the frame and the sample.
    public var maxRecordedDuration: Double?
    /// Bytes of the file; the last fragment and the index may go a little beyond.
    public var maxRecordedFileSize: Int64?
    /// The take ends before less than this many bytes are free on its disk.
    public var minFreeDiskSpaceLimit: Int64

    /// - Parameter minFreeDiskSpaceLimit: by default 50 MB, so that there is always room for the index.
    public init(
        maxRecordedDuration: Double? = nil, maxRecordedFileSize: Int64? = nil, minFreeDiskSpaceLimit: Int64 = 50_000_000
    ) {
        self.maxRecordedDuration = maxRecordedDuration
        self.maxRecordedFileSize = maxRecordedFileSize
        self.minFreeDiskSpaceLimit = minFreeDiskSpaceLimit
    }
}
