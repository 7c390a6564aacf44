/// A semaphore that suspends; first come, first served, so that what needs all of it is not passed over for ever.
public actor Turns {
    private var free: Int
    private var waiting: [(cost: Int, continuation: CheckedContinuation<Void, Never>)] = []

    public init(_ count: Int) { free = count }

    public func begin(_ cost: Int = 1) async {
        if waiting.isEmpty, cost <= free {
            free -= cost
            return
        }
        await withCheckedContinuation { waiting.append((cost, $0)) }
    }

    public func end(_ cost: Int = 1) {
        free += cost
        while let first = waiting.first, first.cost <= free {
            free -= first.cost
            waiting.removeFirst().continuation.resume()
        }
    }
}
