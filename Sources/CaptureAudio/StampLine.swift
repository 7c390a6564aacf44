/// The line below the first stamps of a microphone, where some lie close to it at all times, so that it is the microphone's clock.
///
/// No stamp is early, so of all lines that have every stamp on them or above, the one with the least sum of distances is the clock's: the side of
/// the stamps' lower convex hull below their middle. Source: Moon, Skelly and Towsley, "Estimation and Removal of Clock Skew from Network
/// Delay Measurements", INFOCOM 1999.
struct StampLine: Sendable {
    /// When the first position's sample was taken, in seconds; how much longer than promised one sample lasts, as a ratio; and by how much
    /// that may be off.
    let (time, skew, uncertainty): (Double, Double, Double)
    /// How late the earliest stamp of each part is in the mean, in seconds.
    let lateness: Double

    struct Stamp: Sendable {
        /// Seconds after the first position, by the promised rate.
        var promised: Double
        /// The stamp less that, in seconds.
        var time: Double
    }

    /// How close to the line the earliest stamp of each part is, in seconds: where none is, all may have been late then.
    private static let close = 0.0005
    private static let parts = 6
    /// In so many parts none need be, where the clock is seen to be off by more than any crystal.
    private static let (mostLate, crystal) = (2, 0.002)
    private static let fewest = 12
    /// A clock that is off by more is none.
    private static let mostSkew = 0.01
    /// The least ``uncertainty``, of one stamp: of sixty in 0.6 s, a tenth of a millisecond late in the mean, the line is off by less than
    /// 0.01 %.
    private static let scatter = 0.006

    /// - Parameter stamps: in the order of their positions.
    init?(_ stamps: [Stamp]) {
        guard stamps.count >= Self.fewest, let span = stamps.last?.promised, span > 0 else { return nil }
        let middle = stamps.reduce(0) { $0 + $1.promised } / Double(stamps.count)
        let hull = Self.lowerHull(stamps)
        guard let end = hull.firstIndex(where: { $0.promised >= middle }), end > 0 else { return nil }
        let (before, after) = (hull[end - 1], hull[end])
        let skew = (after.time - before.time) / (after.promised - before.promised)
        let time = before.time - skew * before.promised
        guard abs(skew) < Self.mostSkew else { return nil }
        var earliest = Array(repeating: Double.infinity, count: Self.parts)
        for stamp in stamps {
            let part = min(Self.parts - 1, Int(stamp.promised / span * Double(Self.parts)))
            earliest[part] = min(earliest[part], stamp.time - time - skew * stamp.promised)
        }
        let late = earliest.count { $0 >= Self.close }
        guard late <= (abs(skew) > Self.crystal ? Self.mostLate : 0) else { return nil }
        (self.time, self.skew) = (time, skew)
        lateness = earliest.reduce(0) { $0 + min($1, Self.close) } / Double(Self.parts)
        uncertainty = max(Self.scatter / Double(stamps.count), 3 * lateness / span)
    }

    /// What a line from below touches, from left to right.
    private static func lowerHull(_ stamps: [Stamp]) -> [Stamp] {
        var hull: [Stamp] = []
        for stamp in stamps {
            if let last = hull.last, last.promised >= stamp.promised { continue }
            while hull.count > 1 {
                let (before, last) = (hull[hull.count - 2], hull[hull.count - 1])
                let rise = (last.time - before.time) * (stamp.promised - before.promised)
                if rise < (stamp.time - before.time) * (last.promised - before.promised) { break }
                hull.removeLast()
            }
            hull.append(stamp)
        }
        return hull
    }
}
