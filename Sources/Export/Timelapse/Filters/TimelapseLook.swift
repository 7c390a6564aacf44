public import Encoding
package import Imaging

/// What is done to the frames of a timelapse on their way, and what images are made of all of them.
public struct TimelapseLook: Sendable, Hashable {
    /// How many frames of the source become one.
    #if hasAttribute(nonexhaustive)
        @nonexhaustive
    #endif
    public enum Blend: Sendable, Hashable {
        /// Those of a video while a shutter is open: degrees of the time from one frame of the timelapse to the next, up to 360.
        case shutter(degrees: Double)
        /// So many photos.
        case photos(Int)
    }

    /// A slow move of the camera: what is shown of the frames at the beginning and at the end.
    package struct Pan: Sendable, Hashable {
        package var begin: FrameArea
        package var end: FrameArea

        package init(from begin: FrameArea, to end: FrameArea) { (self.begin, self.end) = (begin, end) }
    }

    /// nil: each frame is one of the source.
    public var blend: Blend?
    /// nil: all of each frame is shown.
    package var pan: Pan?
    /// When each frame was taken, in its lower left corner, in the words of `strftime`, such as `%F %R`; nil: nothing.
    public var stamp: String?
    /// Where one column of each frame goes, a PNG; nil: nowhere.
    public var keogram: MovieDestination?
    /// Where the brightest pixels of all dark frames go, a PNG; nil: nowhere.
    public var trails: MovieDestination?

    /// Frames as they are.
    package init() {}

    /// Whether frames stay as they are.
    var isPlain: Bool { self == TimelapseLook() }
    /// Whether it matters where something lies in the frames as they are shown.
    var isPlaced: Bool { pan != nil || stamp != nil || !images.isEmpty }
    package var images: [MovieDestination] { [keogram, trails].compactMap(\.self) }

    /// For how much of the time from a frame to the next the shutter is open.
    var shutter: Double { if case .shutter(let degrees) = blend { min(max(degrees / 360, 0), 1) } else { 0 } }
    /// How many photos become one frame.
    var photosPerFrame: Int { if case .photos(let count) = blend { max(1, count) } else { 1 } }
}
