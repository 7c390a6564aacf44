import Errors
import GStreamer
import MediaTypes

/// The frames of one movie behind libavfilter, whatever they are on the way there.
struct FilteredFrames: Sendable {
    private let text: String
    private var filter: FrameFilter?
    /// Whether it is known what the frames are.
    var hasBegun: Bool { filter != nil }
    /// How many came out.
    private(set) var count = 0
    /// Where the last one ends, and where it begins.
    private(set) var end: MediaTime = .zero
    private(set) var latest: MediaTime = .zero
    /// The longest time from one to the next.
    private(set) var longest: MediaTime = .zero

    init(_ text: String) { self.text = text }

    /// Frames of other caps follow, or the first ones.
    ///
    /// - Returns: what was left of those before, and what comes out from now on.
    mutating func begin(_ caps: Caps) throws(RushesError) -> (left: [FrameFilter.Timed], caps: Caps) {
        let left = try finish()
        let next = try FrameFilter(text, caps)
        filter = next
        return (left, next.caps)
    }

    mutating func apply(to frame: Buffer, time: MediaTime, duration: MediaTime) throws(RushesError)
        -> [FrameFilter.Timed]
    {
        counted(try filter?.apply(to: frame, time: time, duration: duration) ?? [])
    }

    /// No more comes.
    mutating func finish() throws(RushesError) -> [FrameFilter.Timed] { counted(try filter?.end() ?? []) }

    private mutating func counted(_ frames: [FrameFilter.Timed]) -> [FrameFilter.Timed] {
        for frame in frames {
            if count > 0 { longest = max(longest, frame.time - latest) }
            (latest, end) = (frame.time, max(end, frame.time + frame.duration))
            count += 1
        }
        return frames
    }
}
