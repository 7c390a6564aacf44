import Foundation
import MediaTypes
import MovieFiles
import Testing

@Suite struct TimeCodeTests {
    @Test(arguments: [
        (0, 0, 0, 0, "00:00:00;00"), (0, 0, 59, 29, "00:00:59;29"), (0, 1, 0, 2, "00:01:00;02"),
        (0, 9, 59, 29, "00:09:59;29"), (0, 10, 0, 0, "00:10:00;00"), (10, 11, 12, 13, "10:11:12;13"),
        (23, 59, 59, 29, "23:59:59;29"),
    ])
    func `frames that are left out are counted as they are named`(
        hours: UInt32, minutes: UInt32, seconds: UInt32, frames: UInt32, text: String
    ) throws {
        let code = try #require(
            TimeCode(
                hours: hours, minutes: minutes, seconds: seconds, frames: frames, rateNumerator: 30_000,
                rateDenominator: 1001, isDropFrame: true))
        #expect(code.description == text)
    }

    @Test func `ten minutes are 17,982 frames, and a second later is 30 frames later`() throws {
        let code = try #require(
            TimeCode(
                hours: 0, minutes: 10, seconds: 0, frames: 0, rateNumerator: 30_000, rateDenominator: 1001,
                isDropFrame: true))
        #expect(code.frameNumber == 17_982)
        #expect(code.advanced(by: .second).description == "00:10:01;00")
    }

    @Test func `what is no time of day, and no rate, is no time code`() {
        #expect(code(24, 0, 0, 0) == nil)
        #expect(code(0, 0, 0, 25) == nil)
        #expect(code(0, 0, 0, 0, rate: 0) == nil)
        #expect(code(0, 0, 0, 24)?.description == "00:00:00:24")
    }

    @Test(arguments: [
        (Fraction(30), "14:03:22:10"), (Fraction(25), "14:03:22:08"), (Fraction(24), "14:03:22:08"),
        (Fraction(60), "14:03:22:21"),
        (Fraction(15, 2), "14:03:22:10"), (Fraction(15), "14:03:22:10"), (Fraction(10), "14:03:22:10"),
        (Fraction(20), "14:03:22:21"),
        (Fraction(5), "14:03:22:08"), (Fraction(15_000, 1001), "14:03:22;10"), (Fraction(90), nil),
        (Fraction(30_000, 1001), "14:03:22;10"),
        (Fraction(60_000, 1001), "14:03:22;21"),
        (Fraction(24_000, 1001), "14:03:22:08"), (Fraction(10_000_000, 333_333), "14:03:22:10"),
        (Fraction(2997, 100), "14:03:22;10"),
        (Fraction(1, 2), "14:03:22:08"), (Fraction(0), nil), (Fraction(1, 0), nil), (Fraction(1000), nil),
        (Fraction(-30), nil),
    ])
    func `the time of day is counted in frames, and numbers are left out where only so they keep up`(
        rate: Fraction, text: String?
    ) throws {
        let date = try #require(MovieDate("2026-11-21T14:03:22.350+0100"))
        #expect(TimeCode(date, rate: rate)?.description == text)
    }

    @Test func `numbers that do not exist are passed over, and the first and last frame of a day are its own`() throws {
        func code(_ time: String, _ rate: Fraction = Fraction(30_000, 1001)) throws -> String? {
            let date = try #require(MovieDate("2026-11-21T\(time)"))
            return TimeCode(date, rate: rate)?.description
        }
        #expect(try code("14:03:00.001Z") == "14:03:00;02")
        #expect(try code("14:10:00.001Z") == "14:10:00;00")
        #expect(try code("23:59:59.999Z", Fraction(30)) == "23:59:59:29")
        #expect(try code("00:00:00Z", Fraction(30)) == "00:00:00:00")
        let old = MovieDate(Date(timeIntervalSince1970: -0.5))
        #expect(TimeCode(old, rate: Fraction(30))?.description == "23:59:59:15")
    }

    @Test(arguments: [Fraction(25), Fraction(30_000, 1001)]) func `behind a day's last frame it begins again`(
        rate: Fraction
    ) throws {
        let date = try #require(MovieDate("2026-11-21T23:59:59.999Z"))
        let last = try #require(TimeCode(date, rate: rate))
        #expect(last.advanced(by: 40 * .millisecond).description.dropLast(3) == "00:00:00")
        #expect(last.advanced(by: 40 * .millisecond).frameNumber == 0)
    }

    private func code(
        _ hours: UInt32, _ minutes: UInt32, _ seconds: UInt32, _ frames: UInt32, rate: UInt32 = 25
    ) -> TimeCode? {
        TimeCode(
            hours: hours, minutes: minutes, seconds: seconds, frames: frames, rateNumerator: rate, rateDenominator: 1,
            isDropFrame: false)
    }
}
