import Encoding
import MediaTypes

/// Decides what is told of the machine before anything of a recording is lost: heat, other programs, a slow disk. AVFoundation's
/// `systemPressureState` in sentences. Each is told when it comes, and again only when it was gone for a while. Pure.
struct PressureMonitor: Sendable {
    struct Snapshot: Sendable {
        var machine = MachinePressure()
        /// The machine's cores, and how many of them others leave free; `nil` where that is not known.
        var cores: (count: Int, free: Double)?
        /// How long the disk takes for what it was given last.
        var diskDelay = MediaTime.zero
    }

    private enum Kind { case heat, load, disk }

    /// What has been told, and when each was seen last.
    private var seen: [Kind: MediaTime] = [:]

    /// Degrees from the limit: where it is told, and where it is over.
    static let heat = (near: 3.0, far: 8.0)
    /// The part of the time in which something waits for a core.
    static let load = (much: 0.6, little: 0.3)
    /// A disk that takes so long for half a second of a movie; frames wait in memory meanwhile.
    static let delay = (long: MediaTime.second, short: 300 * MediaTime.millisecond)
    /// So long it must have been over before it is told again.
    static let pause = 30 * MediaTime.second

    /// - Parameter time: of the look, running time.
    /// - Returns: sentences.
    mutating func evaluate(_ snapshot: Snapshot, time: MediaTime) -> [String] {
        [evaluateHeat(snapshot, time), evaluateLoad(snapshot, time), evaluateDisk(snapshot, time)].compactMap(\.self)
    }

    private mutating func evaluateHeat(_ snapshot: Snapshot, _ time: MediaTime) -> String? {
        guard let zone = snapshot.machine.hottest else { return nil }
        guard isNew(.heat, zone.margin <= Self.heat.near, zone.margin < Self.heat.far, time) else { return nil }
        let degrees = "\(Int(zone.temperature.rounded())) °C, of \(Int(zone.limit.rounded()))"
        return "The machine is hot (\(zone.name): \(degrees)): it may slow down soon, and the encoder with it."
    }

    private mutating func evaluateLoad(_ snapshot: Snapshot, _ time: MediaTime) -> String? {
        guard let waiting = snapshot.machine.waitingForCores else { return nil }
        // What waits may be this process's own threads.
        let others = snapshot.others
        let isMuch = waiting >= Self.load.much && others != nil
        guard isNew(.load, isMuch, waiting >= Self.load.little && others != nil, time), let others else { return nil }
        return "Other programs are using \(others): the encoder may fall behind."
    }

    private mutating func evaluateDisk(_ snapshot: Snapshot, _ time: MediaTime) -> String? {
        let delay = snapshot.diskDelay
        guard isNew(.disk, delay >= Self.delay.long, delay > Self.delay.short, time) else { return nil }
        return
            "The disk is slow: it has taken \(delay.tenths) seconds for half a second of the movie, which waits in memory meanwhile."
    }

    /// Whether it has come now.
    private mutating func isNew(_ kind: Kind, _ isThere: Bool, _ isStillThere: Bool, _ time: MediaTime) -> Bool {
        if let last = seen[kind] {
            if isStillThere { seen[kind] = time }
            guard isThere, time - last >= Self.pause else { return false }
        }
        if isThere { seen[kind] = time }
        return isThere
    }
}

extension PressureMonitor.Snapshot {
    /// How much others take of the cores, where that is half of them or more: "1.4 of 2 cores".
    var others: String? {
        guard let cores, Double(cores.count) - cores.free >= Double(cores.count) / 2 else { return nil }
        let tenths = Int(((Double(cores.count) - cores.free) * 10).rounded())
        return "\(tenths / 10).\(tenths % 10) of \(cores.count == 1 ? "one core" : "\(cores.count) cores")"
    }
}
