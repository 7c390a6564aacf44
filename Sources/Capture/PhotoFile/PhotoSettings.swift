public import MediaTypes
public import MovieFiles
public import SystemPackage

/// How photos are written.
public struct PhotoSettings: Sendable, Equatable {
    /// Of a JPEG that is encoded here, from 1 to 100 as libjpeg counts it. A camera's own JPEG is kept as it is, a PNG loses nothing.
    public var quality = 90
    /// Make, model, software and location for the EXIF tags. Left out: the camera's name as the model. The date is always the frame's.
    public var metadata = MovieMetadata()
    /// How the frame is turned to be shown, kept as a tag; `nil` as the camera hangs (``VideoSourcePlan/orientation``).
    public var orientation: MovieOrientation?

    /// JPEGs of quality 90.
    public init() {}
}

/// A photo that is on the disk.
public struct CapturedPhoto: Sendable, Equatable {
    /// Where it is.
    public let path: FilePath
    /// Of its pixels as they are stored.
    public let size: VideoSize
    /// When its frame was taken.
    public let date: MovieDate
    /// The frame's running time in the session.
    package let time: MediaTime
    /// How much earlier than the instant of asking the frame was taken; below zero where there was none so early.
    package let lag: MediaTime
    /// Whether it is the camera's own JPEG.
    package let isOriginal: Bool
}
