import MediaTypes
import MovieFiles
import TestSupport
import Testing

@testable import Encoding

@Suite struct StreamTimeCodesTests {
    private func code(_ frame: UInt32, seconds: UInt32 = 0) throws -> TimeCode {
        try #require(
            TimeCode(
                hours: 0, minutes: 0, seconds: seconds, frames: frame, rateNumerator: 30, rateDenominator: 1,
                isDropFrame: false))
    }

    @Test func `a frame has its own code, whatever was left out before it`() throws {
        var codes = StreamTimeCodes()
        #expect(codes.code(at: .zero) == nil)
        codes.note(try code(2), at: .zero)
        codes.note(try code(2, seconds: 2), at: 2 * .second)
        // Six seconds of a pause lie between.
        codes.note(try code(12, seconds: 10), at: MediaTime(seconds: 4.34))
        codes.note(try code(12, seconds: 12), at: MediaTime(seconds: 6.34))
        #expect(codes.code(at: .zero)?.description == "00:00:00:02")
        #expect(codes.code(at: .second)?.description == "00:00:01:02")
        #expect(codes.code(at: MediaTime(seconds: 4.34) - 1)?.description == "00:00:10:12")
        #expect(codes.code(at: MediaTime(seconds: 7.34))?.description == "00:00:13:12")
        #expect(codes.code(at: 3 * .second)?.description == "00:00:03:02")
    }

    @Test func `of a camera whose times scatter the newest thousands are known`() throws {
        var codes = StreamTimeCodes()
        for frame in 0..<20_000 {
            // Each is another than the time since the last says.
            codes.note(try code(UInt32(frame % 30), seconds: UInt32(frame / 30 % 60)), at: frame * 50 * .millisecond)
        }
        #expect(codes.code(at: .zero) == nil)
        #expect(codes.code(at: 18_000 * 50 * .millisecond) == (try code(0, seconds: 0)))
    }
}
