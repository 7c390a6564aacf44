/// Looks for the lowest of an encoder's constant qualities that reaches a score, with as few tries as it can.
///
/// The score rises with the quality, and nearly straight on ``TargetQuality/Metric/linearized(_:)``, so each try is where a line
/// through the nearest two says. A guess that was wrong too often is followed by the middle, which ends any search.
struct QualitySearch: Sendable {
    enum Step: Sendable, Equatable {
        case attempt(Int)
        /// The level that was looked for, and its score.
        case found(Int, score: Double)
        /// The best of all levels does not reach it either.
        case unreachable(score: Double)
    }

    private struct Point: Sendable {
        var level: Int
        var score: Double
    }

    private let goal: TargetQuality
    private let count: Int
    private let first: Int
    /// The lowest level that reached the goal, and the highest that did not.
    private var above: Point?
    private var below: Point?
    private(set) var tries = 0
    /// How far the last try beyond all others was; the next goes at least twice as far.
    private var stride = 1

    /// - Parameters:
    ///   - count: of levels; the first is the worst.
    ///   - first: the level to begin with.
    init(_ goal: TargetQuality, count: Int, first: Int) {
        (self.goal, self.count) = (goal, count)
        self.first = min(max(0, first), count - 1)
    }

    mutating func take(_ score: Double, at level: Int) {
        if tries > 0, above == nil || below == nil {
            stride = max(1, abs(level - (above ?? below ?? Point(level: level, score: 0)).level))
        }
        tries += 1
        let point = Point(level: level, score: score)
        if score >= goal.score {
            if level < above?.level ?? count { above = point }
        } else if level > below?.level ?? -1 {
            below = point
        }
    }

    var next: Step {
        let (low, high) = (below?.level ?? -1, above?.level ?? count)
        guard high - low > 1 else {
            if let above { return .found(above.level, score: above.score) }
            return .unreachable(score: below?.score ?? 0)
        }
        switch (below, above) {
        case (nil, nil): return .attempt(first)
        case (nil, let above?): return .attempt(beyond(above, within: 0...high - 1))
        case (let below?, nil): return .attempt(beyond(below, within: low + 1...count - 1))
        case (let below?, let above?): return between(below, above)
        }
    }

    private func distance(_ score: Double) -> Double {
        goal.metric.linearized(goal.score) - goal.metric.linearized(score)
    }

    /// All tries were on one side: on by what the usual slope says, and at least twice as far as the last time.
    private func beyond(_ point: Point, within range: ClosedRange<Int>) -> Int {
        let missing = distance(point.score) / goal.metric.usualSlope
        let steps = max(missing.magnitude.rounded(.up), tries > 1 ? Double(2 * stride) : 1)
        let wanted = Double(point.level) + (missing > 0 ? steps : -steps)
        return Int(min(max(wanted, Double(range.lowerBound)), Double(range.upperBound)))
    }

    private func between(_ below: Point, _ above: Point) -> Step {
        let (low, high) = (below.level, above.level)
        let rise = distance(below.score) - distance(above.score)
        guard tries < Self.guesses, rise > 0 else { return .attempt((low + high) / 2) }
        let wanted = Double(low) + distance(below.score) / rise * Double(high - low)
        // Between near neighbours the line is good to less than half of a level: the one below would miss.
        if high - low <= Self.near, wanted > Double(high) - 0.5 { return .found(high, score: above.score) }
        return .attempt(min(max(Int(wanted.rounded(.up)), low + 1), high - 1))
    }

    /// Tries after which lines are no longer believed.
    private static let guesses = 5
    private static let near = 3
}
