public import MediaTypes
public import SystemPackage

/// One of several files of a recording: one that another follows without a gap, or a camera's own movie beside a composed one.
public struct RecordingPart: Sendable, Equatable {
    /// Of a camera's own movie: what the camera is called.
    public var camera: String?
    /// Where the file is; `nil` if it could not be kept.
    public var path: FilePath?
    /// Where it begins in the recording.
    public var start: MediaTime
    /// How long it lasts.
    public var duration: MediaTime
    /// Its size.
    public var bytes: Int64
    public var frames: Int
    /// Of a camera's own movie: frames that the camera lost, or that the encoder had no time for.
    package var droppedFrames = 0
    /// Whether the file is there, complete and playable to its end.
    public var isPlayable: Bool
    /// Where the recording went on. While that replaces an old file it has another name.
    package var next: FilePath?
    /// Whether it was deleted, as those that came later took its room.
    package var isDeleted = false
    /// What kept the file from being good, or `nil`.
    public var problem: String?
}
