import Errors
import GStreamer
import MediaTypes

/// Frames that are larger than the first one of their stream, as those of calls are whose connection gets better: the encoder takes all as large
/// as the first.
struct ResizedFrames: Sendable, Comparable {
    let first: VideoSize
    /// The largest frame's.
    let largest: VideoSize

    /// - Returns: nil where the frames are no larger.
    init?(_ first: Caps?, _ other: Caps) {
        guard let first = first?.frameSize, let other = other.frameSize,
            other.width > first.width || other.height > first.height
        else { return nil }
        (self.first, largest) = (first, other)
    }

    static func < (one: Self, other: Self) -> Bool { one.largest.pixels < other.largest.pixels }

    /// What is said of them.
    var note: String {
        "The frames change their size: they are \(first) at first, as all are in the output, and up to \(largest) later; choose another \(Term.size) for more of them."
    }
}

extension Caps {
    fileprivate var frameSize: VideoSize? {
        guard let format = first, let width = format["width"]?.intValue, let height = format["height"]?.intValue else {
            return nil
        }
        return VideoSize(width, height)
    }
}
