/// Says by a camera's own count how many frames were lost before each one. Pure.
///
/// A count is believed once it rises by the same from most frames to the next: some drivers count fields, some count nothing at all.
struct FrameSequence: Sendable {
    private var last: FrameNumber?
    /// By how much it rose, most recently.
    private var steps: [UInt64] = []
    private(set) var isBelieved = false
    /// Whether the last number followed one of the same opening.
    private(set) var isContinued = false

    /// So many steps show by how much a count rises for each frame.
    private static let memory = 8
    /// So many frames more may be lost than there is time for: the one before was late. What rises by more has been set.
    private static let farthest = 128

    /// Takes note of a frame that is not recorded: what is lost before it is nobody's loss.
    mutating func skip(_ number: FrameNumber?) {
        if let last, last.opening != number?.opening { steps = [] }
        last = number
    }

    /// Takes the number of a frame that is recorded.
    ///
    /// - Parameter distance: how long after the one before it comes, in frames.
    /// - Returns: how many were lost between it and the one before. Where that is known only now, those before count too.
    mutating func lost(before number: FrameNumber?, distance: Double = 1) -> Int {
        defer { last = number }
        guard let number, let last, last.opening == number.opening, number.value > last.value,
            Double((number.value - last.value) / (steps.min() ?? 1)) <= distance + Double(Self.farthest)
        else {
            // A camera that was opened anew begins anew with its count; one that gives the same number again counts nothing.
            if number == nil || last == number { isBelieved = false }
            (steps, isContinued) = ([], false)
            return 0
        }
        isContinued = true
        let step = number.value - last.value
        steps.append(step)
        if steps.count > Self.memory { steps.removeFirst() }
        let usual = steps.min() ?? step
        let wasBelieved = isBelieved
        if steps.count == Self.memory { isBelieved = steps.count { $0 == usual } > Self.memory / 2 }
        guard isBelieved else { return 0 }
        return wasBelieved ? Int(step / usual) - 1 : steps.reduce(0) { $0 + Int($1 / usual) - 1 }
    }
}
