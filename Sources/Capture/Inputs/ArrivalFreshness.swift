import MediaTypes

/// Tells frames that have just been taken from those that lay in a queue, where they are stamped as they arrive: a server keeps half a
/// second of them for a program that is held up, and hands them out at once when that goes on. Pure.
///
/// After a gap a frame is old, unless the camera had no other; those that follow closely are too, up to the first that comes as long after the
/// one before as frames usually do.
struct ArrivalFreshness: Sendable {
    private let frameDuration: MediaTime
    private var last: MediaTime?
    /// The last ones, from one frame to the next.
    private var intervals: [MediaTime] = []
    /// From one frame to the next, as it is now.
    private var usual: MediaTime
    /// Whether frames may be old.
    private var isDoubtful = true

    private static let memory = 16
    /// So many that did not come at once show how fast the camera is.
    private static let fewest = 8
    /// In usual intervals: what is longer is a gap, and what is shorter comes out of a queue.
    private static let gap = 1.25
    private static let close = 0.7

    /// - Parameter frameDuration: from one frame to the next, as the camera promises.
    init(frameDuration: MediaTime) {
        self.frameDuration = max(.nanosecond, frameDuration)
        usual = self.frameDuration
    }

    /// Whether the frame with that stamp has just been taken. Asked for each frame, in order.
    mutating func isFresh(_ stamp: MediaTime) -> Bool {
        defer { last = stamp }
        guard let last else { return false }
        if isGap(before: stamp) {
            isDoubtful = true
        } else if (stamp - last) / usual >= Self.close {
            isDoubtful = false
        }
        intervals.append(stamp - last)
        if intervals.count > Self.memory { intervals.removeFirst() }
        usual = usualInterval
        return !isDoubtful
    }

    /// Whether a frame with that stamp would come after a gap.
    func isGap(before stamp: MediaTime) -> Bool { last.map { (stamp - $0) / usual > Self.gap } ?? false }

    /// A camera may be slower in the dark than it promises, and a faster one delivers more. What
    /// comes at once tells neither.
    private var usualInterval: MediaTime {
        let single = intervals.filter { $0 > frameDuration / 4 }.sorted()
        guard single.count >= Self.fewest else { return frameDuration }
        // Many are long where the machine is busy, and then a few are as usual.
        let shorter = single[single.count / 4]
        let mean = intervals.reduce(.zero, +) / intervals.count
        return shorter >= frameDuration ? shorter : min(frameDuration, max(shorter, mean))
    }
}
