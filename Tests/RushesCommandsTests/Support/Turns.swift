import Synchronization
import Testing

/// Lets only a few takes run at a time: a live encoder that gets no core drops pictures, which would be the test's fault.
struct TakesTurns: TestTrait, SuiteTrait, TestScoping {
    let cost: Int

    /// Once for every test and case, never for a whole suite.
    func scopeProvider(for test: Test, testCase: Test.Case?) -> Self? { testCase == nil ? nil : self }
    var isRecursive: Bool { true }

    // The package's functions run where their caller does, Testing's protocol asks for one that does not; Swift 6.1 knows
    // neither.
    #if compiler(>=6.2)
        @concurrent func provideScope(
            for test: Test, testCase: Test.Case?, performing function: @concurrent @Sendable () async throws -> Void
        ) async throws {
            await Turns.shared.begin(cost)
            defer { Task { await Turns.shared.end(cost) } }
            try await function()
        }
    #else
        func provideScope(for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void)
            async throws
        {
            await Turns.shared.begin(cost)
            defer { Task { await Turns.shared.end(cost) } }
            try await function()
        }
    #endif
}

extension Trait where Self == TakesTurns {
    /// A light take: two of them run beside each other.
    static var lightTake: Self { TakesTurns(cost: 1) }
    /// A take that needs the machine for itself, as it measures times or encodes at full load.
    static var heavyTake: Self { TakesTurns(cost: 2) }
}

/// A semaphore that suspends; first come, first served, so that a heavy take is not passed over for ever.
private actor Turns {
    static let shared = Turns()
    private var free = 2
    private var waiting: [(cost: Int, continuation: CheckedContinuation<Void, Never>)] = []

    func begin(_ cost: Int) async {
        if waiting.isEmpty, cost <= free {
            free -= cost
            return
        }
        await withCheckedContinuation { waiting.append((cost, $0)) }
    }

    func end(_ cost: Int) {
        free += cost
        while let first = waiting.first, first.cost <= free {
            free -= first.cost
            waiting.removeFirst().continuation.resume()
        }
    }
}
