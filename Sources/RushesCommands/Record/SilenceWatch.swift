/// Notices that nothing is heard from a microphone that runs: pure, fed with levels.
struct SilenceWatch {
    enum News: Equatable {
        /// Nothing was heard for so many seconds.
        case silent(Int)
        /// Something is heard again.
        case heard
    }

    /// Decibels: a quiet room is louder, what is muted or not plugged in is not.
    private static let threshold = -70.0
    /// Seconds. Twice as many after each warning: a microphone that falls silent between words is known by then.
    private var limit = 10.0
    private var begin: Double?
    private var isTold = false

    /// - Parameters:
    ///   - levels: of each channel, in decibels; `nil` where nothing was measured.
    ///   - time: seconds of the recording.
    mutating func take(_ levels: [Double]?, at time: Double) -> News? {
        guard let loudest = levels?.max() else { return nil }
        guard loudest < Self.threshold else {
            defer { (begin, isTold) = (nil, false) }
            return isTold ? .heard : nil
        }
        let since = begin ?? time
        begin = since
        guard !isTold, time - since >= limit else { return nil }
        defer { (isTold, limit) = (true, limit * 2) }
        return .silent(Int(limit))
    }
}
