import Foundation
public import MediaTypes

/// How many times as fast as its source a timelapse is from a moment of the source on.
public struct SpeedPoint: Sendable, Hashable {
    package var time: MediaTime
    package var speed: Double

    /// - Parameters:
    ///   - speed: how many times as fast as the source; above 0.
    ///   - time: in the source.
    public init(_ speed: Double, at time: MediaTime) { (self.speed, self.time) = (speed, time) }
}

/// How fast a timelapse is at each moment of its source: evenly, or eased from one speed to the next.
///
/// Between two points the logarithm of the speed is eased (smoothstep): twice as fast takes as long as four times as fast from
/// there. Before the first and behind the last the speed stays.
struct SpeedCurve: Sendable, Hashable {
    /// In order; at least one.
    private let points: [SpeedPoint]
    /// Where pieces begin in the source and in the timelapse, in seconds: short enough for Simpson's rule.
    private var nodes: [(source: Double, shown: Double)] = [(0, 0)]

    private static let piecesPerPoint = 256

    /// The same speed everywhere.
    init(_ speed: Double) { self.init([SpeedPoint(speed, at: .zero)]) }

    /// - Parameter points: at least one.
    init(_ points: [SpeedPoint]) {
        self.points = points.sorted { $0.time < $1.time }
        let times = self.points.map(\.time.seconds).filter { $0 > 0 }
        for (begin, end) in zip([0] + times, times) {
            for piece in 1...Self.piecesPerPoint {
                let source = begin + (end - begin) * Double(piece) / Double(Self.piecesPerPoint)
                let last = nodes[nodes.count - 1]
                nodes.append((source, last.shown + span(last.source, source)))
            }
        }
    }

    static func == (one: SpeedCurve, other: SpeedCurve) -> Bool { one.points == other.points }
    func hash(into hasher: inout Hasher) { hasher.combine(points) }

    /// The speed at a time of the source.
    func speed(at source: Double) -> Double {
        guard let next = points.firstIndex(where: { $0.time.seconds > source }) else {
            return points[points.count - 1].speed
        }
        guard next > 0 else { return points[0].speed }
        let (one, other) = (points[next - 1], points[next])
        let share = (source - one.time.seconds) / (other.time.seconds - one.time.seconds)
        let eased = share * share * (3 - 2 * share)
        return one.speed * pow(other.speed / one.speed, eased)
    }

    /// When a moment of the source is shown: the integral of the inverse of the speed.
    func shown(at source: Double) -> Double {
        let node = nodes[lastNode { $0.source <= source }]
        return node.shown + span(node.source, source)
    }

    /// The moment of the source that is shown at a time.
    func source(at shown: Double) -> Double {
        let index = lastNode { $0.shown <= shown }
        let node = nodes[index]
        let rest = shown - node.shown
        var source = node.source + rest * speed(at: node.source)
        // Newton's method; from the last node on the first guess is right.
        guard index + 1 < nodes.count else { return source }
        for _ in 0..<4 { source -= (span(node.source, source) - rest) * speed(at: source) }
        return source
    }

    /// How long a short part of the source is shown, by Simpson's rule.
    private func span(_ begin: Double, _ end: Double) -> Double {
        let middle = 1 / speed(at: (begin + end) / 2)
        return (end - begin) / 6 * (1 / speed(at: begin) + 4 * middle + 1 / speed(at: end))
    }

    private func lastNode(_ isBefore: ((source: Double, shown: Double)) -> Bool) -> Int {
        var range = nodes.indices
        while range.count > 1 {
            let middle = range.lowerBound + range.count / 2
            if isBefore(nodes[middle]) { range = middle..<range.upperBound } else { range = range.lowerBound..<middle }
        }
        return range.lowerBound
    }
}
