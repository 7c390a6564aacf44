import Foundation

/// The way of a zoom to another one: each step changes the field of view by the same factor.
struct ControlRamp: Sendable, Equatable {
    let control: V4L2Control
    let from, to: Int32
    /// Seconds.
    let duration: Double

    /// How often the lens is told where to be, in seconds.
    static let interval = 0.04

    /// What the driver is told so many seconds after the beginning.
    func value(at time: Double) -> Int32 {
        let place = duration > 0 ? min(max(time / duration, 0), 1) : 1
        guard place < 1 else { return to }
        let (low, high) = (Double(from), Double(to))
        // A zoom that begins at zero has no factor.
        guard low > 0, high > 0 else { return control.nearest(to: low + (high - low) * place) }
        return control.nearest(to: low * pow(high / low, place))
    }
}
