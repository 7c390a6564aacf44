/// Where the times of a Matroska file begin again in the middle, as of two recordings in one segment: demuxers show one over the other. Here
/// what follows is shown behind what came before.
///
/// All times are in ticks.
struct RestartedTimes: Sendable {
    private(set) var isRestarted = false
    /// How much later than the file says what follows is shown.
    private var shift: Int64 = 0
    private var clusters: (first: Int64, latest: Int64)?
    private var tracks: [UInt64: Track] = [:]

    /// In seconds: no file that is not made to break readers is longer.
    private static let longest: Int64 = 100_000_000

    private struct Track {
        /// As the file says them.
        let first: Int64
        var latest: Int64
        /// When the last block is shown, and how long one is.
        var shown: Int64
        var length: Int64 = 0
    }

    /// Of the time of a cluster, where its blocks are not read.
    ///
    /// - Parameter second: how many ticks that is.
    mutating func note(cluster time: Int64, second: Int64) {
        guard let told = clusters else { return clusters = (time, time) }
        if time <= min(told.latest, told.first + second / 10) { isRestarted = true }
        clusters?.latest = time
    }

    /// When a block is shown.
    mutating func shown(_ time: Int64, of number: UInt64, second: Int64) -> Int64 {
        guard let track = tracks[number] else {
            tracks[number] = Track(first: time, latest: time, shown: time + shift)
            return time + shift
        }
        let end = tracks.values.map { $0.shown + $0.length }.max() ?? 0
        let isBehind =
            track.latest - time >= second && time <= track.first + second / 10 && end - time < Self.longest * second
        if isBehind {
            (isRestarted, shift) = (true, end - time)
            tracks = tracks.mapValues { track in
                var track = track
                track.latest = time
                return track
            }
        }
        // Frames may be told in another order than they are shown in.
        let step = time + shift - track.shown
        tracks[number]?.latest = max(time, isBehind ? time : track.latest)
        if step > 0 {
            tracks[number]?.shown = time + shift
            tracks[number]?.length = track.length == 0 ? step : min(track.length, step)
        }
        return time + shift
    }
}
