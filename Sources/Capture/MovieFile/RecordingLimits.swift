/// What ends a recording, or one of its files, automatically, and how much of the past is kept. The names are AVFoundation's.
public struct RecordingLimits: Sendable, Equatable {
    package var maxRecordedDuration: Duration?
    package var maxRecordedFileSize: Int64?
    package var maxPartDuration: Duration?
    package var maxPartFileSize: Int64?
    package var maxKeptFileSize: Int64?
    package var minFreeDiskSpaceLimit: Int64
    package var maxReplayDuration: Duration?
    /// Bytes that what is kept in memory may have; a quarter of what is free where left out.
    package var maxReplayBytes: Int?
    package var endsOnDeviceLoss: Bool
    /// Whether a lost camera is waited for that does not come back, as somebody lets another follow it.
    package var waitsForOtherCamera = false

    /// - Parameters:
    ///   - maxRecordedDuration: how long the movie may be, kept to the frame and the sample; `nil`: until it is stopped. What lies before a
    ///     start that was waited for does not count.
    ///   - maxRecordedFileSize: bytes that all files together never exceed, but for those that are deleted for others and those of the
    ///     last seconds that are saved. The movie ends there; frames that did not fit any more are not dropped ones.
    ///   - maxPartDuration: after how long the recording continues in another file, at the next key frame; the encoder is asked for one
    ///     just there. The files, "take.mov", "take-002.mov" and so on, have every frame and sample once.
    ///   - maxPartFileSize: bytes before which the recording continues in another file; a fragment or two may go beyond.
    ///   - minFreeDiskSpaceLimit: the recording ends before fewer than this many bytes are free on its disk; by default 50 MB, so that
    ///     there is always space for the index; 0 fills the disk.
    ///   - endsOnDeviceLoss: whether the recording ends when a device is lost. If not, it continues without: in silence for a microphone,
    ///     with the other cameras, or with black frames that say why, and the device is taken up again where it comes back. Where nothing
    ///     is left to record, and the device cannot come back, the recording ends in any case.
    ///   - maxReplayDuration: how much of the last seconds is kept in memory at all times, for ``Recording/save(last:to:)``; a key
    ///     frame's distance more, as it is encoded, and less where that is larger than a quarter of the memory that is free.
    ///   - maxKeptFileSize: bytes of all complete files of the recording together: when they are more, the oldest are deleted, but for
    ///     the newest and those kept by ``Recording/pin()``. The file that is written comes on top.
    public init(
        maxRecordedDuration: Duration? = nil, maxRecordedFileSize: Int64? = nil,
        maxPartDuration: Duration? = nil, maxPartFileSize: Int64? = nil, minFreeDiskSpaceLimit: Int64 = 50_000_000,
        endsOnDeviceLoss: Bool = false, maxReplayDuration: Duration? = nil, maxKeptFileSize: Int64? = nil
    ) {
        (self.maxRecordedDuration, self.maxRecordedFileSize) = (maxRecordedDuration, maxRecordedFileSize)
        (self.maxPartDuration, self.maxPartFileSize) = (maxPartDuration, maxPartFileSize)
        (self.maxReplayDuration, self.maxKeptFileSize) = (maxReplayDuration, maxKeptFileSize)
        (self.minFreeDiskSpaceLimit, self.endsOnDeviceLoss) = (minFreeDiskSpaceLimit, endsOnDeviceLoss)
    }
}
