import Testing

@testable import Threads

struct DurationUnitsTests {
    @Test func `poll waits for a rest of less than a millisecond, and never for ever`() {
        #expect(Duration.microseconds(400).pollMilliseconds == 1)
        #expect(Duration.nanoseconds(1).pollMilliseconds == 1 && Duration.zero.pollMilliseconds == 0)
        #expect(Duration.milliseconds(20).pollMilliseconds == 20 && Duration.seconds(2).pollMilliseconds == 2000)
        #expect((Duration.seconds(1) + .nanoseconds(1)).pollMilliseconds == 1001)
        // poll(2) takes what is below zero for no limit at all.
        #expect(Duration.seconds(-1).pollMilliseconds == 0)
        for long in [
            Duration.seconds(10_000_000), .seconds(Int64.max), .seconds(Int64.max / 1000) + .milliseconds(999),
        ] {
            #expect(long.pollMilliseconds == .max)
        }
    }

    @Test func `sentences have seconds without a fraction that says nothing`() {
        #expect(Duration.seconds(10).secondsText == "10" && Duration.milliseconds(500).secondsText == "0.5")
        #expect(Duration.milliseconds(300).secondsText == "0.3")
    }
}
