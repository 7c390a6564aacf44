import MediaTypes

/// Which frames go to the encoders: one of so many.
struct FrameDecimation: Sendable, Equatable {
    /// Of the movie; of the composed one, where there are several cameras.
    var movie = 1
    /// Of each camera's own movie beside it.
    var eachCamera = 1
    /// Of the cameras that are insets, before they are decoded; each frame of the movie stays, and shows their newest.
    var insets = 1
    /// Whether frames of a movie are left out.
    var losesFrames: Bool { movie > 1 || eachCamera > 1 }
}

/// Decides which frames are left out while the encoders lie behind: of insets every second one, which leaves each frame of the movie; then of
/// the movie every second one, then three of four, of each camera's own movie first. Evenly, and before those that wait fill all memory: what
/// is dropped then leaves gaps at random. Pure.
///
/// AVFoundation leaves this to its apps, which lower the frame rate where `systemPressureState` says so.
struct LoadRelief: Sendable {
    /// Frames that wait for an encoder, and how many may.
    struct Backlog: Sendable, Equatable {
        var waiting = 0
        var limit = 1

        /// Whether so much waits that a faster encoder is better.
        var isGrowing: Bool { waiting > max(RecordingMonitor.fewWaiting, limit / 6) }
        /// Whether so much waits that the encoder falls behind.
        var isBehind: Bool { waiting > max(RecordingMonitor.fewWaiting, limit / 3) }
        fileprivate var isHalfFull: Bool { waiting > max(RecordingMonitor.fewWaiting, limit / 2) }
        /// Whether frames will soon be dropped.
        var isNearlyFull: Bool { waiting > max(RecordingMonitor.fewWaiting, limit * 3 / 4) }
        var isEmpty: Bool { waiting <= max(RecordingMonitor.fewWaiting, limit / 20) }
        /// The same as if it did not grow, nor were empty.
        var asSteady: Backlog {
            isGrowing ? Backlog(waiting: max(RecordingMonitor.fewWaiting, limit / 6), limit: limit) : self
        }
        /// The one of which more is full.
        func fuller(_ other: Backlog) -> Backlog { other.level > level ? other : self }
        fileprivate var level: Double { Double(waiting) / Double(max(1, limit)) }
    }

    private(set) var decimation = FrameDecimation()
    private var lastStep: (time: MediaTime, level: Double)?
    private var emptySince: MediaTime?
    /// How long the encoders must have kept up before more frames are tried.
    private var calm = Self.shortestCalm
    private var steppedBack: MediaTime?

    private static let most = 4
    /// So much more of all places is not waited for to settle.
    private static let surge = 0.15
    /// A step shows in what waits only after so long.
    private static let settling = 2 * MediaTime.second
    /// It grows with each attempt that fails: on a machine that is too slow, going to and fro would never end.
    private static let (shortestCalm, longestCalm) = (5 * MediaTime.second, 80 * MediaTime.second)

    /// - Parameters:
    ///   - movie: what waits for the movie's encoder.
    ///   - cameras: for those of each camera's own movie.
    ///   - hasInsets: whether some need not be decoded.
    ///   - time: of the look, running time.
    ///   - mayLeaveOut: whether nothing better is left to be tried.
    /// - Returns: what is left out from now on, in a sentence; `nil` where nothing changes.
    mutating func evaluate(
        _ movie: Backlog, _ cameras: [Backlog], hasInsets: Bool = false, time: MediaTime, mayLeaveOut: Bool = true
    ) -> String? {
        let all = [movie] + cameras
        let isEmpty = all.allSatisfy(\.isEmpty)
        if !isEmpty { emptySince = nil }
        // Earlier than all that loses frames of a movie, so that there is time to see whether it is enough.
        let isForInsets = hasInsets && decimation == FrameDecimation()
        guard all.contains(where: { isForInsets ? $0.isBehind : $0.isHalfFull }) else {
            return isEmpty ? stepBack(at: time) : nil
        }
        guard mayLeaveOut else { return nil }
        let level = all.map(\.level).max() ?? 0
        if let lastStep {
            // What fewer frames of insets bring is little, and not waited for where much more waits already.
            let isUrgent = !decimation.losesFrames && level - lastStep.level > Self.surge
            if time - lastStep.time < Self.settling && !isUrgent || level < lastStep.level * 0.95 { return nil }
        }
        if isForInsets {
            decimation.insets = 2
        } else if !step(isMovieBehind: movie.isHalfFull, hasOthers: !cameras.isEmpty) {
            return nil
        }
        lastStep = (time, level)
        if let steppedBack, time - steppedBack < 2 * calm { calm = min(2 * calm, Self.longestCalm) }
        return words(hasOthers: !cameras.isEmpty)
    }

    /// Tries more frames again, where nothing has waited for long enough.
    private mutating func stepBack(at time: MediaTime) -> String? {
        guard decimation != FrameDecimation() else { return nil }
        guard let since = emptySince, time - since >= calm else {
            emptySince = emptySince ?? time
            return nil
        }
        let hasOthers = decimation.eachCamera > 1
        // The way back is the way here.
        if !decimation.losesFrames {
            decimation.insets = 1
        } else if decimation.movie >= decimation.eachCamera {
            decimation.movie /= 2
        } else {
            decimation.eachCamera /= 2
        }
        (emptySince, steppedBack, lastStep) = (time, time, nil)
        return words(hasOthers: hasOthers)
    }

    /// False if nothing more can be left out.
    private mutating func step(isMovieBehind: Bool, hasOthers: Bool) -> Bool {
        if hasOthers, decimation.eachCamera < Self.most, !isMovieBehind || decimation.eachCamera <= decimation.movie {
            decimation.eachCamera *= 2
        } else if isMovieBehind, decimation.movie < Self.most {
            decimation.movie *= 2
        } else {
            return false
        }
        return true
    }

    private func words(hasOthers: Bool) -> String {
        func share(_ divisor: Int) -> String {
            switch divisor {
            case 1: "every frame"
            case 2: "only every second frame"
            default: "only every fourth frame"
            }
        }
        guard decimation != FrameDecimation() else {
            return "The encoders have caught up: all frames are being recorded."
        }
        let insets = decimation.insets > 1 ? "insets show \(share(decimation.insets)) of theirs, and " : ""
        let movie = "\(share(decimation.movie)) is recorded"
        let others = hasOthers ? ", and \(share(decimation.eachCamera)) in each camera's own movie" : ""
        return "To relieve the encoders, \(insets)\(movie)\(others) until they have caught up."
    }
}

/// How many frames may wait for the encoder before one is given up.
enum FrameBacklog {
    /// Seconds: what keeps a machine busy for a moment is over by then, and the audio's queues hold as much.
    static let seconds = 3.0
    /// Of a camera's own stream, which is small, and whose frames need each other: as long as audio waits.
    static let secondsOfStreams = 20.0
    /// Bytes, however much memory is free.
    static let most = 512_000_000
    /// So few are always held: each encoder takes some at once.
    static let fewest = 4

    /// - Parameters:
    ///   - rate: frames a second.
    ///   - frameBytes: of one frame.
    ///   - freeMemory: bytes; a quarter of them is used.
    static func limit(rate: Double, frameBytes: Int, freeMemory: Int64, seconds: Double = Self.seconds) -> Int {
        let room = min(Int64(most), max(0, freeMemory) / 4)
        let wanted = Int(min(10_000, (rate > 0 ? rate : 30) * seconds))
        return max(fewest, min(wanted, Int(room / Int64(max(1, frameBytes)))))
    }
}
