import MediaTypes

/// Which frames go to the encoders: one of so many.
struct FrameDecimation: Sendable, Equatable {
    /// Of the movie; of the composed one, where there are several cameras.
    var movie = 1
    /// Of each camera's own movie beside it.
    var eachCamera = 1
}

/// Decides which frames are left out while the encoders lie behind: every second one, then three of four, of each camera's own movie
/// first. Evenly, and before those that wait fill all memory: what is dropped then leaves gaps at random. Pure.
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
        fileprivate var level: Double { Double(waiting) / Double(max(1, limit)) }
    }

    private(set) var decimation = FrameDecimation()
    private var lastStep: (time: MediaTime, level: Double)?
    private var emptySince: MediaTime?
    /// How long the encoders must have kept up before more frames are tried.
    private var calm = Self.shortestCalm
    private var steppedBack: MediaTime?

    private static let most = 4
    /// A step shows in what waits only after so long.
    private static let settling = 2 * MediaTime.second
    /// It grows with each attempt that fails: on a machine that is too slow, going to and fro would never end.
    private static let (shortestCalm, longestCalm) = (5 * MediaTime.second, 80 * MediaTime.second)

    /// - Parameters:
    ///   - movie: what waits for the movie's encoder.
    ///   - cameras: for those of each camera's own movie.
    ///   - time: of the look, running time.
    ///   - mayLeaveOut: whether nothing better is left to be tried.
    /// - Returns: what is left out from now on, in a sentence; `nil` where nothing changes.
    mutating func look(
        at movie: Backlog, _ cameras: [Backlog], time: MediaTime, mayLeaveOut: Bool = true
    ) -> String? {
        let all = [movie] + cameras
        let isEmpty = all.allSatisfy(\.isEmpty)
        if !isEmpty { emptySince = nil }
        guard all.contains(where: \.isHalfFull) else { return isEmpty ? stepBack(at: time) : nil }
        guard mayLeaveOut else { return nil }
        let level = all.map(\.level).max() ?? 0
        if let lastStep, time - lastStep.time < Self.settling || level < lastStep.level * 0.95 { return nil }
        guard step(isMovieBehind: movie.isHalfFull, hasOthers: !cameras.isEmpty) else { return nil }
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
        if decimation.movie >= decimation.eachCamera { decimation.movie /= 2 } else { decimation.eachCamera /= 2 }
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
            case 2: "every second frame"
            default: "every fourth frame"
            }
        }
        guard decimation != FrameDecimation() else {
            return "The encoders have caught up: all frames are being recorded."
        }
        let movie = "\(share(decimation.movie)) is recorded"
        let others = hasOthers ? ", and \(share(decimation.eachCamera)) in each camera's own movie" : ""
        return "To relieve the encoders, \(movie)\(others), until they have caught up."
    }
}
