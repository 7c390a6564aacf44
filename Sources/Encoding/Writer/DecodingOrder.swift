package import MediaTypes

/// Finds where a stream can be cut whose frames are coded in another order than they are shown: so that all frames before the cut are there
/// with all that they need, and none behind it.
///
/// Frames that are shown before a cut may come after ones that are shown behind it. A decoder that puts `depth` frames into order shows the
/// earliest of them as soon as another one comes: so once more than that many have come that are shown behind a moment, no other one is shown
/// before it (ITU-T H.264 annex E, `max_num_reorder_frames`).
package struct DecodingOrder: Sendable, Equatable {
    package enum Answer: Sendable, Equatable {
        case pass
        /// Whether a frame before the cut needs it is not known yet.
        case wait
        /// All that is shown before the cut has passed; the earliest frame behind it begins at this time.
        case over(next: MediaTime)
    }

    /// How many frames that are shown behind another one may come before it.
    package let depth: Int
    /// Where the last of the frames ends that have passed since the beginning; `nil` where there is none.
    package private(set) var reached: MediaTime?
    /// When the last of them is shown.
    package private(set) var latest: MediaTime?
    /// When the frames are shown that wait.
    private var waiting: [MediaTime] = []

    package init(depth: Int) { self.depth = depth }

    /// A stream, or what follows a pause, begins.
    package mutating func begin() { (reached, latest, waiting) = (nil, nil, []) }

    /// - Parameters:
    ///   - time: when the frame is shown.
    ///   - border: where the stream is to be cut; far away where it is not.
    package mutating func decide(_ time: MediaTime, border: MediaTime) -> Answer {
        // By when they begin: where frames lie closer than they last, as those of a clock that is a little fast, ends would move on for ever.
        guard time >= border, latest.map({ time > $0 }) ?? true else { return .pass }
        waiting.append(time)
        guard waiting.count > depth else { return .wait }
        defer { waiting = [] }
        return .over(next: waiting.min() ?? time)
    }

    /// A frame belongs to what lies before the cut, and so do those that wait.
    package mutating func pass(_ time: MediaTime, lasting length: MediaTime) {
        let last = (waiting + [time]).reduce(latest ?? time) { max($0, $1) }
        (latest, reached) = (last, max(reached ?? time, last + length))
        waiting = []
    }
}
