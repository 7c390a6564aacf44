import Foundation

/// How a camera's exposure follows the light, shot by shot, so that no shot is seen to be exposed otherwise than the last: pure.
///
/// All shots are to be as light as the first, whose exposure the camera chose. Gain makes frames noisy, so it is raised only where the
/// exposure time is at its end, and lowered first; below what it was at the first shot only where the time is at its other end.
struct ExposureRamp: Sendable, Hashable {
    /// Of the first shot.
    private let target: Double
    /// What the gain was at the first shot; `nil` where the camera has none.
    private let firstGain: Int32?

    /// From one shot to the next the exposure changes by no more, in stops; where the smallest step that the control has is more, by that.
    static let largestStep = 1.0 / 6
    /// Of an error so much is taken away at once: what moves in the frame is not to make it swing.
    private static let share = 0.5
    /// Errors below it are left, in stops.
    private static let tolerance = 1.0 / 24

    /// From one shot to the next the gain changes by no more of its whole range. Its numbers have no unit: where they are a factor, a
    /// sixth of a stop is a share of the number, as of exposure times; where they are decibels, this is one of up to 48.
    private static let largestShareOfGain = 1.0 / 48

    /// - Parameters:
    ///   - luma: of the first shot, in percent.
    ///   - gain: the number of its control then.
    init(luma: Double, gain: Int32? = nil) { (target, firstGain) = (Self.stops(luma), gain) }

    /// What the driver is told for the next shot; nil: all stays.
    ///
    /// - Parameters:
    ///   - time: the control of the exposure time, with its value now; nil where the camera has none.
    ///   - gain: the same of the gain.
    ///   - luma: of the newest shot, in percent.
    func next(time: V4L2Control?, gain: V4L2Control?, luma: Double) -> V4L2Setting? {
        let isDarker = target > Self.stops(luma)
        let value = gain?.value
        // What was raised above the first shot's gain is lowered first, and the other way round.
        let isGainAway = value.flatMap { value in firstGain.map { isDarker ? value < $0 : value > $0 } } ?? false
        if !isGainAway, let time, let value = time.value, !Self.isAtEnd(time, value, upward: isDarker) {
            return next(time, luma: luma).map { V4L2Setting(id: time.id, value: $0) }
        }
        guard let gain, let limit = isGainAway ? firstGain : isDarker ? gain.range.upperBound : gain.range.lowerBound
        else { return nil }
        return nextGain(gain, towards: limit, luma: luma).map { V4L2Setting(id: gain.id, value: $0) }
    }

    /// Whether no step of the control lies further on.
    private static func isAtEnd(_ control: V4L2Control, _ value: Int32, upward: Bool) -> Bool {
        // A time of zero would be none.
        upward
            ? Int(value) > Int(control.range.upperBound) - Int(control.step)
            : Int(value) - Int(control.step) < max(Int(control.range.lowerBound), 1)
    }

    /// - Parameter limit: it goes no further.
    private func nextGain(_ control: V4L2Control, towards limit: Int32, luma: Double) -> Int32? {
        guard let value = control.value, value != limit else { return nil }
        let error = target - Self.stops(luma)
        guard abs(error) > Self.tolerance else { return nil }
        let stops = min(abs(error) * Self.share, Self.largestStep)
        let range = Double(control.range.upperBound) - Double(control.range.lowerBound)
        let part = abs(Double(value)) * (pow(2, stops) - 1)
        let most = range * Self.largestShareOfGain * stops / Self.largestStep
        let steps = max(1, (min(part, most) / Double(control.step)).rounded(.down))
        let next = Double(value) + (limit > value ? steps : -steps) * Double(control.step)
        return control.nearest(to: limit > value ? min(next, Double(limit)) : max(next, Double(limit)))
    }

    /// The next value of the exposure time; nil: it stays.
    ///
    /// - Parameters:
    ///   - control: of the exposure time, which is linear, with its value now.
    ///   - luma: of the newest shot, in percent.
    func next(_ control: V4L2Control, luma: Double) -> Int32? {
        guard let value = control.value, value > 0 else { return nil }
        let error = target - Self.stops(luma)
        guard abs(error) > Self.tolerance else { return nil }
        let change = min(max(error * Self.share, -Self.largestStep), Self.largestStep)
        var next = control.nearest(to: Double(value) * pow(2, change))
        // Rounding may have made it more.
        while next != value, abs(log2(Double(next) / Double(value))) > Self.largestStep + 1e-9 {
            let nearer = next > value ? next - control.step : next + control.step
            // The value itself may lie between two steps.
            next = (nearer > value) == (next > value) ? nearer : value
        }
        if next == value {
            next = error > 0 ? value &+ control.step : value - control.step
            guard control.range.contains(next), next > 0, abs(log2(Double(next) / Double(value))) <= abs(error) else {
                return nil
            }
        }
        return next
    }

    /// Of light, for luma that has the usual curve; what is black has some.
    private static func stops(_ luma: Double) -> Double { 2.2 * log2(max(luma, 0.5) / 100) }
}
