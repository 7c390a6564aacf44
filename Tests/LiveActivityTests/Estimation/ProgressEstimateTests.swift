import Testing

@testable import LiveActivity

@Suite("What remains") struct ProgressEstimateTests {
    private var estimate = ProgressEstimate()

    private mutating func at(
        _ seconds: Double, _ fraction: Double?, _ phase: ContentState.Phase = .running
    ) -> ContentState {
        var state = ContentState(phase: phase, fraction: fraction, elapsed: seconds)
        estimate.apply(to: &state, at: seconds)
        return state
    }

    private func isNear(_ value: Double?, _ expected: Double) -> Bool {
        value.map { abs($0 - expected) < expected * 0.05 } ?? false
    }

    @Test("Steady work of a hundred seconds has as much left as is left") mutating func steady() {
        for second in 0...90 {
            let remaining = at(Double(second), Double(second) / 100).remaining
            #expect(second < 3 ? remaining == nil : isNear(remaining, Double(100 - second)))
        }
    }

    @Test("Nothing is said before it means something") mutating func hidden() {
        #expect(at(0, nil).remaining == nil)
        #expect(at(2.9, 0.5).remaining == nil)
        #expect(at(3, 0.5).remaining != nil)
        var long = Self()
        for second in 0...29 { #expect(long.at(Double(second), Double(second) / 36_000).remaining == nil) }
        #expect(isNear(long.at(30, 30.0 / 36_000).remaining, 36_000))
        var stuck = Self()
        for second in 0...600 { #expect(stuck.at(Double(second), 0).remaining == nil) }
    }

    @Test("A slower part is noticed within seconds, and not taken for the whole") mutating func slower() {
        for second in 0...40 { _ = at(Double(second), Double(second) / 100) }
        var last = 0.0
        for second in 41...50 { last = at(Double(second), 0.4 + Double(second - 40) / 1000).remaining ?? 0 }
        // At the old pace 59 seconds, at the new one 590.
        #expect(last > 90 && last < 300)
    }

    @Test("Time that it was paused does not count, and the estimate stands still") mutating func paused() {
        for second in 0...50 { _ = at(Double(second), Double(second) / 100) }
        for second in 51...1000 { #expect(isNear(at(Double(second), 0.51, .paused).remaining, 50)) }
        for second in 1001...1010 {
            #expect(isNear(at(Double(second), 0.51 + Double(second - 1001) / 100).remaining, Double(1050 - second)))
        }
    }

    @Test("The fraction never falls and is not 1 before it is finished; what is being completed has no time")
    mutating func fractions() {
        for second in 0...9 { _ = at(Double(second), Double(second) / 10) }
        #expect(at(10, 0.2).fraction == 0.9)
        #expect(at(10, nil).fraction == 0.9)
        #expect(at(11, 1).fraction == 0.999)
        let finishing = at(12, 1, .finishing)
        #expect(finishing.fraction == 0.999 && finishing.remaining == nil)
        let finished = at(13, 1, .finished)
        #expect(finished.fraction == 1 && finished.remaining == nil)
    }

    @Test("A clock that stands still or jumps back breaks nothing") mutating func oddClock() {
        for fraction in [0.1, 0.2, 0.3] { #expect(at(5, fraction).remaining == nil) }
        _ = at(1, 0.4)
        let remaining = at(9, 0.5).remaining
        #expect(remaining.map { $0.isFinite && $0 > 0 } == true)
    }
}
