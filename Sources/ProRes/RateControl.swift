import Foundation

/// Chooses how coarsely each frame is written, from how large the one before became.
///
/// An easy frame is written with the finest step, whatever its size. From a part of the ceiling on, three quarters of what
/// a frame would need more are given to it, and at the ceiling nothing more: so the quality of hard frames falls slowly,
/// and together over the whole frame, where an encoder that limits each row takes it from a few rows at once.
struct RateControl: Sendable, Equatable {
    /// The step for the next frame, in quarters of a level.
    private(set) var step: Double
    private let finest: Double
    /// Bytes that no frame is larger than, but one that three attempts could not make smaller.
    let ceiling: Double
    private var attempts = 0

    /// Where the rate begins to be held, what is given of what a frame would need beyond, and where it ends; parts of the
    /// ceiling and of a byte.
    private static let (start, share, end) = (0.6, 0.75, 0.96)
    /// Twice the step makes a frame 2 to the power of this smaller (0.55 to 0.58, Big Buck Bunny and noise).
    private static let slope = 0.57
    private static let coarsest = 2048.0
    private static let mostAttempts = 3

    init(finest: Double, ceiling: Double) { (step, self.finest, self.ceiling) = (finest, finest, ceiling) }

    /// Learns what became of the frame.
    ///
    /// - Returns: whether it is to be written again, with the new step, as it is beyond the ceiling: a cut to a hard scene.
    mutating func wrote(bytes: Int) -> Bool {
        let needed = Double(bytes) * pow(step / finest, Self.slope)
        let wanted = min(
            needed, Self.start * ceiling + Self.share * max(0, needed - Self.start * ceiling), Self.end * ceiling)
        let last = step
        step = min(finest * pow(max(1, needed / max(wanted, 1)), 1 / Self.slope), Self.coarsest)
        attempts += 1
        guard Double(bytes) > ceiling, attempts < Self.mostAttempts, step > last else {
            attempts = 0
            return false
        }
        return true
    }
}
