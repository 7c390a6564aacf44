/// How long a thread waits. For tasks there is ``withTimeout(_:_:)``, for what happens once ``AsyncSignal``.
package struct TimeLimit: Sendable {
    private let end: ContinuousClock.Instant

    /// Begins now.
    package init(_ duration: Duration) { end = .now + duration }

    /// What is left of it.
    package var left: Duration { max(.zero, end - .now) }
    package var isOver: Bool { left == .zero }

    /// Asks again and again, at least once, for what nothing announces. Blocks its thread in between.
    ///
    /// - Returns: false if the time was over first.
    package func wait<Failure: Error>(
        every pause: Duration = .milliseconds(10), until isSo: () throws(Failure) -> Bool
    ) throws(Failure) -> Bool {
        while try !isSo() {
            if isOver { return false }
            OwnThread.sleep(min(pause, left))
        }
        return true
    }
}
