import LiveActivity
import MediaTypes
import Rushes

/// Notices that a microphone that runs gives silence: pure, fed with levels.
struct SilenceWatch {
    enum News: Equatable {
        /// It gave silence for so many seconds.
        case silent(Int)
        /// It gives audio again.
        case returned
    }

    /// Decibels: a quiet room is louder, what is muted or not plugged in is not.
    private static let threshold = -70.0
    /// Twice as long after each warning: a microphone that falls silent between words is known by then.
    private var limit = Duration.seconds(10)
    private var begin: Duration?
    private var isTold = false

    /// - Parameters:
    ///   - levels: of each channel, in decibels; `nil` where nothing was measured.
    ///   - time: how long was listened.
    mutating func take(_ levels: [Double]?, at time: Duration) -> News? {
        guard let loudest = levels?.max() else { return nil }
        guard loudest < Self.threshold else {
            defer { (begin, isTold) = (nil, false) }
            return isTold ? .returned : nil
        }
        let since = begin ?? time
        begin = since
        guard !isTold, time - since >= limit else { return nil }
        defer { (isTold, limit) = (true, limit * 2) }
        return .silent(Int(limit.components.seconds))
    }
}

/// How many frames a second are recorded now, from how many there were a few seconds ago: pure.
struct RecentFrameRate {
    private static let window = 3 * MediaTime.second
    private var counts: [(frames: Int, time: MediaTime)] = []

    /// - Parameter time: the movie's, which stands still in a pause.
    /// - Returns: `nil` until there are enough frames to tell.
    mutating func take(_ frames: Int, at time: MediaTime) -> Double? {
        // The movie's time begins anew with a part.
        if let last = counts.last, time < last.time || frames < last.frames { counts = [] }
        counts.append((frames, time))
        while counts.count > 2, time - counts[1].time >= Self.window { counts.removeFirst() }
        guard let first = counts.first, time - first.time >= .second else { return nil }
        return Double(frames - first.frames) / (time - first.time).seconds
    }
}

/// The meters of all microphones' channels beside each other: one that has said nothing for a moment stays where it was.
struct ChannelMeters {
    private var last: [[Double]?] = []

    /// - Parameter levels: of each microphone.
    /// - Returns: of each channel, in decibels; `nil` as long as nothing has come from any.
    mutating func take(_ levels: [AudioLevel?]) -> [Double]? {
        if levels.count != last.count, !levels.isEmpty { last = Array(repeating: nil, count: levels.count) }
        for (index, level) in levels.enumerated() where level != nil { last[index] = level?.average }
        let known = last.compactMap(\.self)
        return known.isEmpty ? nil : known.flatMap(\.self)
    }

    /// The loudest channel of each of several microphones; `nil` of one.
    func microphones(_ names: [String], isMuted: (Int) -> Bool) -> [MicrophoneLevel]? {
        guard names.count > 1, names.count == last.count else { return nil }
        return names.indices.map { index in
            MicrophoneLevel(name: names[index], level: last[index]?.max(), muted: isMuted(index))
        }
    }
}
