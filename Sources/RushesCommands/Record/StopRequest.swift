/// Carries a wish to stop to work that may not have begun yet: a recording, a timelapse, an export.
actor StopRequest<Work: Sendable> {
    private let end: @Sendable (Work) async -> Void
    private var starting: Task<Work, any Error>?
    private var work: Work?
    private(set) var isWanted = false

    /// - Parameter end: ends what has begun.
    init(_ end: @escaping @Sendable (Work) async -> Void) { self.end = end }

    func attach(_ starting: Task<Work, any Error>) {
        self.starting = starting
        if isWanted { starting.cancel() }
    }

    func attach(_ work: Work) {
        self.work = work
        if isWanted { Task { await end(work) } }
    }

    func stop() async {
        isWanted = true
        starting?.cancel()
        if let work { await end(work) }
    }
}
