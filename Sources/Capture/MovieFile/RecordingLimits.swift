/// What ends a take, or one of its files, by itself, and how much of the past it keeps. AVFoundation's words.
public struct RecordingLimits: Sendable, Equatable {
    /// How long the movie may be, kept to the frame and the sample. What lies before a start that was waited for does not count.
    public var maxRecordedDuration: Duration?
    /// Bytes of all files; the last fragment and the index may go a little beyond.
    public var maxRecordedFileSize: Int64?
    /// After how long the recording goes on in another file, at the next key frame; the encoder is asked for one just
    /// there. The files, "take.mov", "take-002.mov" and so on, have every frame and sample once.
    public var maxPartDuration: Duration?
    /// Bytes before which the recording goes on in another file; a fragment or two may go beyond.
    public var maxPartFileSize: Int64?
    /// Bytes of all complete files of the recording together: when they are more, the oldest are deleted, but for the newest and those kept by
    /// ``Recording/pin()``. The file that is written comes on top.
    public var maxKeptFileSize: Int64?
    /// The take ends before less than this many bytes are free on its disk.
    public var minFreeDiskSpaceLimit: Int64
    /// How much of the last seconds is kept in memory at all times, for ``Recording/save(last:to:)``; a key frame's distance more, as it is
    /// encoded, and less where that is larger than a quarter of the memory that is free.
    public var maxReplayDuration: Duration?
    /// Bytes that what is kept in memory may have; a quarter of what is free where left out.
    package var maxReplayBytes: Int?
    /// Whether the take ends where a device is lost. Left out it goes on without: in silence for a microphone, with the other cameras, or
    /// with black frames that say why, and the device is taken up again where it comes back. What can neither be gone on without nor come
    /// back ends the take in any case.
    public var endsOnDeviceLoss: Bool
    /// Whether a lost camera is waited for that does not come back, as somebody lets another follow it.
    package var waitsForOtherCamera = false

    /// - Parameter minFreeDiskSpaceLimit: by default 50 MB, so that there is always room for the index.
    public init(
        maxRecordedDuration: Duration? = nil, maxRecordedFileSize: Int64? = nil,
        maxPartDuration: Duration? = nil, maxPartFileSize: Int64? = nil, minFreeDiskSpaceLimit: Int64 = 50_000_000,
        endsOnDeviceLoss: Bool = false, maxReplayDuration: Duration? = nil
    ) {
        self.maxReplayDuration = maxReplayDuration
        (self.maxPartDuration, self.maxPartFileSize) = (maxPartDuration, maxPartFileSize)
        self.maxRecordedDuration = maxRecordedDuration
        self.maxRecordedFileSize = maxRecordedFileSize
        self.endsOnDeviceLoss = endsOnDeviceLoss
        self.minFreeDiskSpaceLimit = minFreeDiskSpaceLimit
    }
}
