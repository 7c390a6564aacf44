import GStreamer

/// Estimates when a camera took its frames, where they are stamped as they arrive.
///
/// Such a stamp is late by however busy the machine is, and never early, and a camera's frames lie on an even grid. So the
/// earliest of the last half second tells where the grid lies, and a frame that comes after its place was taken there.
/// The other way round nothing is done: where most stamps do not lie on the grid, as with a camera that changes its rate in
/// the dark, they are believed as they are. No time is later than its stamp.
struct TimestampDejitter: Sendable {
    /// From one frame to the next, as the camera promises.
    let frameDuration: MediaTime
    /// The places on the grid and the stamps of the last half second.
    private var recent: [(place: Int, stamp: MediaTime)] = []
    private var last: MediaTime?

    /// How long a frame is remembered. A camera that is 0.1 % off its promise, as 29.97 is of 30, moves by half a
    /// millisecond in it.
    private static let memory: MediaTime = 500 * .millisecond
    /// So many frames show where the grid lies.
    private static let fewest = 5

    init(frameDuration: MediaTime) { self.frameDuration = max(.nanosecond, frameDuration) }

    /// The time at which the frame was taken, for its stamp.
    mutating func time(of stamp: MediaTime) -> MediaTime {
        follow(stamp)
        var time = stamp
        if let place = recent.last?.place, isSteady { time = min(stamp, grid + place * frameDuration) }
        // Two that come at once after a pause keep their order.
        if let last { time = min(stamp, max(time, last + .millisecond)) }
        last = time
        return time
    }

    /// Where place 0 of the grid lies: as the earliest frame says, but one. That one may be a frame that came so late
    /// that it was taken for the next.
    private var grid: MediaTime {
        let sorted = recent.map(lateness).sorted()
        return sorted.count < Self.fewest ? sorted.first ?? .zero : sorted[1]
    }

    private func lateness(_ frame: (place: Int, stamp: MediaTime)) -> MediaTime {
        frame.stamp - frame.place * frameDuration
    }

    /// Whether half of the frames lie within an eighth of their distance of the grid.
    private var isSteady: Bool {
        guard recent.count >= Self.fewest else { return false }
        let sorted = recent.map(lateness).sorted()
        return sorted[sorted.count / 2] - sorted[1] <= frameDuration / 8
    }

    private mutating func follow(_ stamp: MediaTime) {
        recent.removeAll { $0.stamp < stamp - Self.memory || $0.stamp > stamp }
        guard let last = recent.last else {
            recent = [(0, stamp)]
            return
        }
        // A frame may be later than its place by seven eighths, and earlier by one. One that is later still takes the next
        // place, which that place's own frame then shares.
        let since = stamp - (grid + last.place * frameDuration)
        recent.append((last.place + max(0, (since + frameDuration / 8).quotient(dividingBy: frameDuration)), stamp))
    }
}
