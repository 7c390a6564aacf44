/// How many frames a second are recorded now, from how many there were a few seconds ago: pure.
struct RecentFrameRate {
    /// Seconds.
    private static let window = 3.0
    private var counts: [(frames: Int, time: Double)] = []

    /// - Parameter time: seconds of the movie, which stand still in a pause.
    /// - Returns: `nil` until there are enough frames to tell.
    mutating func take(_ frames: Int, at time: Double) -> Double? {
        // The movie's time begins anew with a part.
        if let last = counts.last, time < last.time || frames < last.frames { counts = [] }
        counts.append((frames, time))
        while counts.count > 2, time - counts[1].time >= Self.window { counts.removeFirst() }
        guard let first = counts.first, time - first.time >= 1 else { return nil }
        return Double(frames - first.frames) / (time - first.time)
    }
}
