import Testing

@testable import RushesCommands

/// Signals that come with others, by an injected time.
struct StopSignalFilterTests {
    private typealias Signal = StopSignalFilter.Signal

    /// Which wish each of the signals is that come after so many milliseconds.
    private func wishes(_ signals: [(Signal, Int)]) -> [Int?] {
        let begin = ContinuousClock.now
        var wishes = StopSignalFilter()
        return signals.map { wishes.take($0, at: begin + .milliseconds($1)) }
    }

    @Test func `what a terminal, a session and timeout send at once is one wish`() {
        #expect(wishes([(.hangUp, 0), (.hangUp, 3)]) == [1, nil])
        #expect(wishes([(.terminate, 0), (.hangUp, 20), (.terminate, 900)]) == [1, nil, nil])
        #expect(wishes([(.interrupt, 0), (.interrupt, 299)]) == [1, nil])
        // However late: only a person means more by it.
        #expect(wishes([(.interrupt, 0), (.hangUp, 60_000)]) == [1, nil])
    }

    @Test func `a second interrupt and another SIGTERM a second later are wishes of their own`() {
        #expect(wishes([(.interrupt, 0), (.interrupt, 300), (.interrupt, 301), (.interrupt, 600)]) == [1, 2, nil, 3])
        #expect(wishes([(.terminate, 0), (.terminate, 1000), (.interrupt, 1300)]) == [1, 2, 3])
        #expect(wishes([(.hangUp, 0), (.interrupt, 300)]) == [1, 2])
    }
}
