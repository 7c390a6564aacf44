import Foundation
import Testing

@testable import ProRes

/// Frames are numbers here: how large one would be with the finest step.
@Suite struct RateControlTests {
    var rate = RateControl(finest: 6, ceiling: 1_000_000)

    /// Writes one frame; returns its size in the end and how often it was written.
    mutating func write(needing finest: Double, slope: Double = 0.57) -> (bytes: Int, attempts: Int) {
        var attempts = 0
        while true {
            attempts += 1
            let bytes = Int(finest * pow(6 / rate.step, slope))
            if !rate.wrote(bytes: bytes) { return (bytes, attempts) }
        }
    }

    @Test mutating func easyFramesKeepTheFinestStep() {
        for _ in 0..<10 { #expect(write(needing: 590_000) == (590_000, 1)) }
        #expect(rate.step == 6)
    }

    @Test(arguments: [700_000.0, 900_000, 1_100_000, 5_000_000], [0.45, 0.57, 0.7])
    mutating func hardFramesEndBelowTheCeilingAndAboveTheStart(needed: Double, slope: Double) {
        var last = 0
        for _ in 0..<20 { last = write(needing: needed, slope: slope).bytes }
        #expect(last <= 1_000_000)
        #expect(last > 600_000)
    }

    @Test mutating func aHarderFrameIsNeverGivenLessThanAnEasierOne() {
        var sizes: [Int] = []
        for needed in stride(from: 300_000.0, through: 3_000_000, by: 50_000) {
            rate = RateControl(finest: 6, ceiling: 1_000_000)
            for _ in 0..<10 { _ = write(needing: needed) }
            sizes.append(write(needing: needed).bytes)
        }
        for (easier, harder) in zip(sizes, sizes.dropFirst()) { #expect(harder >= easier - 2) }
    }

    @Test mutating func aCutToAHardSceneIsWrittenAgainAtOnce() {
        _ = write(needing: 200_000)
        let cut = write(needing: 2_000_000)
        #expect(cut.attempts == 2)
        #expect(cut.bytes <= 1_000_000)
    }

    @Test mutating func aCutToAnEasySceneCostsOneFrameOnly() {
        for _ in 0..<5 { _ = write(needing: 3_000_000) }
        _ = write(needing: 100_000)
        #expect(rate.step == 6)
    }

    @Test mutating func whatCannotBecomeSmallIsWrittenThreeTimesAtMost() {
        #expect(write(needing: 50_000_000, slope: 0).attempts <= 3)
        #expect(rate.step.isFinite)
        _ = rate.wrote(bytes: 0)
        #expect(rate.step == 6)
    }
}
