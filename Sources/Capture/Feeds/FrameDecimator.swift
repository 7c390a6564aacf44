/// Keeps one of so many frames, evenly.
struct FrameDecimator: Sendable {
    /// How many frames there are to each that is kept.
    var divisor = 1 { didSet { next = min(next, divisor) } }
    private(set) var leftOut = 0
    /// How many frames from now the next one is kept.
    private var next = 1

    /// Whether the next frame is kept. The first is.
    mutating func keeps() -> Bool {
        next -= 1
        guard next > 0 else {
            next = divisor
            return true
        }
        leftOut += 1
        return false
    }
}
