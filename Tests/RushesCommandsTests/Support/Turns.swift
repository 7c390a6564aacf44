import TestSupport
import Testing

/// Lets only a few tests run at a time, of all that start commands: a live encoder that gets no core drops frames, and
/// two hundred commands at once leave it none. What judges by times or counts every frame runs by itself: `by_the_clock`
/// in scripts/test.
struct TakesTurns: TestTrait, SuiteTrait, TestScoping {
    let cost: Int
    static let all = 4
    private static let turns = Turns(all)

    /// Once for every test and case, never for a whole suite.
    func scopeProvider(for test: Test, testCase: Test.Case?) -> Self? { testCase == nil ? nil : self }
    var isRecursive: Bool { true }

    // The package's functions run where their caller does, Testing's protocol asks for one that does not; Swift 6.1 knows
    // neither.
    #if compiler(>=6.2)
        @concurrent func provideScope(
            for test: Test, testCase: Test.Case?, performing function: @concurrent @Sendable () async throws -> Void
        ) async throws {
            await Self.turns.begin(cost)
            let begin = ContinuousClock.now
            defer { Task { await Self.turns.end(cost) } }
            try await function()
            // `scripts/lib/test_times.py` reads it: Testing's own time has the wait for the turn in it.
            print("Turn of “\(test.displayName ?? test.name)” took \(begin.duration(to: .now) / .seconds(1)) seconds")
        }
    #else
        func provideScope(for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void)
            async throws
        {
            await Self.turns.begin(cost)
            let begin = ContinuousClock.now
            defer { Task { await Self.turns.end(cost) } }
            try await function()
            // `scripts/lib/test_times.py` reads it: Testing's own time has the wait for the turn in it.
            print("Turn of “\(test.displayName ?? test.name)” took \(begin.duration(to: .now) / .seconds(1)) seconds")
        }
    #endif
}

extension Trait where Self == TakesTurns {
    /// A light take or a command: four of them run beside each other, as a take mostly waits for its next frame.
    static var turn: Self { TakesTurns(cost: 1) }
    /// What needs the machine for itself, as it measures times or encodes at full load.
    static var alone: Self { TakesTurns(cost: TakesTurns.all) }
}
