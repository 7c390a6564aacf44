import Encoding
public import MediaTypes
import Photos
public import SystemPackage

/// A timelapse of a video or of photos: what an ``ExportSession`` makes a movie of.
///
/// The inputs are only read. A timelapse of a video that has several video tracks is made of the first.
public struct Timelapse: Sendable, Hashable {
    /// How fast it is.
    #if hasAttribute(nonexhaustive)
        @nonexhaustive
    #endif
    public enum Pace: Sendable, Hashable {
        /// So many times as fast as the video; of photos, every so many-th of them. Above 1, of a video 1 too, for what is done to its
        /// light; with ``Timelapse/keepsTimes`` above 0.
        case speed(Double)
        /// As fast as it has to be to last so long. Above zero.
        case length(MediaTime)
        /// Of a video: so fast from these moments on, eased between them. At least one.
        case ramp([SpeedPoint])
    }

    /// What it is made of.
    package enum Source: Sendable, Hashable {
        case video(FilePath)
        /// Files, folders of them and patterns as shells have them.
        case photos([FilePath])
    }

    package var source: Source
    /// How fast it is; nil: all photos are shown, or as many as one frame is made of at once.
    public var pace: Pace?
    /// Frames a second; 30 unless set.
    public var rate = Fraction(30)
    /// Whether each moment of a video is shown to the frame, which takes longer; else by a key frame near it, where there is one.
    public var isExact = false
    /// Whether a video's first audio track is as fast as its frames, its pitch kept; at one speed, up to ``fastestAudio``.
    public var keepsAudio = false
    /// Whether photos are as far apart as they were taken, at the speed of the pace, and not evenly. All must say when that was.
    public var keepsTimes = false
    /// Whether photos of another shape than the movie have black beside them; else their edges are cut off.
    public var padsPhotos = false
    /// What is done about light that differs from frame to frame.
    public var light = TimelapseLight()
    /// What is done to its frames, and what images are made of them.
    public var look = TimelapseLook()
    /// The movie's, of photos; nil: that of most photos, up to 4K.
    package var size: VideoSize?

    /// Thirty frames a second, of key frames where they are near enough.
    public init(ofVideo path: FilePath, _ pace: Pace) { (source, self.pace) = (.video(path), pace) }

    /// All photos, thirty a second, in the order in which they were taken where all say when, else in that of their names.
    ///
    /// - Parameter paths: files, folders of them, and patterns as shells have them (`shots/*.jpg`).
    public init(ofPhotos paths: [FilePath]) { source = .photos(paths) }

    /// How many times as fast audio can be understood.
    package static let fastestAudio = 4.0

    /// What was named.
    var paths: [FilePath] {
        switch source {
        case .video(let path): [path]
        case .photos(let paths): paths
        }
    }
    /// The first that was named.
    var input: FilePath { paths.first ?? "" }
    /// What becomes of photos of another shape.
    var fit: PhotoFit { padsPhotos ? .pad : .crop }
}

extension ExportSettings {
    /// The same for a timelapse: all frames are encoded, at the times that it gives them.
    ///
    /// - Parameter keepsAudio: whether there is audio.
    func ofTimelapse(keepsAudio: Bool) -> ExportSettings {
        var settings = self
        (settings.reencodes, settings.rate, settings.range) = (true, nil, nil)
        settings.parts = nil
        if !keepsAudio { settings.audio = .codec(.none) }
        return settings
    }
}
