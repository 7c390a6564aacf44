import TestSupport
import Testing

@testable import CaptureAudio

@Suite struct StampLineTests {
    /// Sixty stamps in 0.6 s of a clock that is off, each so late.
    private func stamps(skew: Double, late: (Int) -> Double) -> [StampLine.Stamp] {
        (0..<60).map { place in
            let promised = Double(place) * 0.01
            return StampLine.Stamp(promised: promised, time: 100 + skew * promised + late(place))
        }
    }

    @Test(arguments: [0, 0.0004, -0.005, 0.009])
    func `the line lies below the stamps, whatever some are late by`(skew: Double) throws {
        let line = try #require(StampLine(stamps(skew: skew) { $0 % 7 == 3 ? 0.02 : Double($0 % 3) * 0.0001 }))
        #expect(abs(line.skew - skew) < 1e-9 && abs(line.time - 100) < 1e-9)
        var random = SeededRandom(seed: 7)
        for _ in 0..<50 {
            let delays = (0..<60).map { _ in (random.uniform() < 0.05 ? 0.003 : 0.0001) * random.exponential() }
            let line = try #require(StampLine(stamps(skew: skew) { delays[$0] }))
            #expect(abs(line.skew - skew) < 2 * line.uncertainty && abs(line.time - 100) < 0.0001)
        }
    }

    @Test func `where a sixth of the stamps is late as a whole, there is none`() {
        for part in 0..<6 { #expect(StampLine(stamps(skew: 0) { $0 / 10 == part ? 0.005 : 0 }) == nil) }
        // Of a clock that is off by more than any crystal enough is seen all the same, but not of half of the stamps.
        let skewed = StampLine(stamps(skew: 0.005) { $0 / 20 == 1 ? 0.005 : 0 })
        #expect(skewed.map { abs($0.skew - 0.005) < 1e-9 } == true)
        #expect(StampLine(stamps(skew: 0.005) { $0 / 30 == 1 ? 0.005 : 0 }) == nil)
        // Ever less late, as the first of a stream: such a clock there is not.
        #expect(StampLine(stamps(skew: -0.08) { _ in 0 }) == nil)
    }

    @Test func `the later the earliest are, the less it is believed`() throws {
        let prompt = try #require(StampLine(stamps(skew: 0) { Double($0 % 3) * 0.0001 }))
        let late = try #require(StampLine(stamps(skew: 0) { $0 / 10 % 2 == 0 ? 0 : 0.0004 }))
        #expect(prompt.uncertainty <= 0.0001 && late.uncertainty > 0.0005)
    }

    @Test func `a few stamps tell nothing, and those that do not go on neither`() {
        #expect(StampLine(Array(stamps(skew: 0) { _ in 0 }.prefix(11))) == nil)
        #expect(StampLine(Array(repeating: StampLine.Stamp(promised: 1, time: 100), count: 60)) == nil)
        #expect(StampLine([]) == nil)
    }
}
