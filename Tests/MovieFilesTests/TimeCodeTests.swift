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
        #expect(code.advanced(by: 1).description == "00:10:01;00")
    }

    @Test func `what is no time of day, and no rate, is no time code`() {
        #expect(code(24, 0, 0, 0) == nil)
        #expect(code(0, 0, 0, 25) == nil)
        #expect(code(0, 0, 0, 0, rate: 0) == nil)
        #expect(code(0, 0, 0, 24)?.description == "00:00:00:24")
    }

    private func code(
        _ hours: UInt32, _ minutes: UInt32, _ seconds: UInt32, _ frames: UInt32, rate: UInt32 = 25
    ) -> TimeCode? {
        TimeCode(
            hours: hours, minutes: minutes, seconds: seconds, frames: frames, rateNumerator: rate, rateDenominator: 1,
            isDropFrame: false)
    }
}
