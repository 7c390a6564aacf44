public import Encoding
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

    /// The camera of several whose own frame is taken, as it comes and not as it is composed, by its name or a part that fits no other;
    /// `nil` takes the main camera's, or what is recorded. It is the next frame that the camera gives.
    public var camera: String?
    /// Bytes that stay free on the photo's disk; by default 16 MiB. A photo that would need them is not written, so that a recording on the same
    /// disk is not ended by photos.
    package var minFreeDiskSpaceLimit: Int64 = 16 << 20

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

extension Recording {
    /// Makes a moving still of a photo, AVFoundation's Live Photo: writes about three seconds around it, from the key frame before, to a movie of its
    /// own, while all goes on. Where a movie has the photo's name but for its ending, photo managers take both for one. Returns when the movie is
    /// complete, a second and a half after the photo; told as ``RecordingEvent/saved(_:)``.
    ///
    /// - Throws: ``RushesError`` if nothing is kept of that time, as `maxReplayDuration` of ``RecordingLimits`` says three seconds or more, or the file cannot be
    ///   had.
    @discardableResult
    public func saveMovie(around photo: CapturedPhoto, to destination: MovieDestination) async throws -> RecordingPart {
        try await supervisor.save(around: photo.time, to: destination)
    }
}
