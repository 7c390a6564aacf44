import Foundation
import LiveActivity
import TestSupport
import Testing

@testable import ActivityPage

/// The page says numbers as terminals and desktops do.
@Suite(.timeLimit(.minutes(5)), .requires(tool: "chromium", package: "chromium")) struct WordsTests {
    private static let seconds = [
        0, 0.4, 1, 59.9, 60, 99.9, 100, 101, 725, 3599.5, 3600, 5399, 5400, 12_000, 86_400, 172_799, 172_800, 900_000,
    ]
    private static let bytes: [Int64] = [
        0, 1, 999, 1000, 1005, 1115, 9994, 9995, 12_345, 99_949, 99_950, 123_456, 999_499, 999_500, 1_250_000,
        48_200_000, 999_499_999, 999_500_000, 1_250_000_000, 7_000_000_000_000, 1_000_000_000_000_000,
    ]

    /// What one of the page's functions makes of numbers, as the browser runs it.
    private func said(_ function: String, of numbers: [String], _ browser: BrowserPage) async throws -> [String] {
        let list = numbers.joined(separator: ", ")
        let text = try await browser.evaluate(
            "import('/page/words.js').then(words => [\(list)].map(words.\(function)).join('|'))")
        return try #require(text).split(separator: "|").map(String.init)
    }

    @Test func `lengths, estimates and sizes read as in a terminal`() async throws {
        let page = try await RunningPage()
        let browser = try BrowserPage()
        try await browser.open(page.link)
        let seconds = Self.seconds.map { "\($0)" }
        #expect(try await said("clock", of: seconds, browser) == Self.seconds.map(Quantities.clock))
        #expect(try await said("span", of: seconds, browser) == Self.seconds.map(Quantities.span))
        let spaces = Self.seconds.map { Quantities.space(for: $0)?.replacing("space for ", with: "") ?? "" }
        #expect(try await said("space", of: seconds, browser) == spaces)
        let lengths = try await said("length", of: ["0.04", "2.97", "9.94", "9.96", "59.6"], browser)
        #expect(lengths == ["0.0 s", "3.0 s", "9.9 s", "0:10", "1:00"])
        #expect(try await said("size", of: Self.bytes.map { "\($0)" }, browser) == Self.bytes.map(Quantities.bytes))
        let speeds = ["0", "0.026", "0.094", "0.095", "0.96", "12.34"]
        #expect(
            try await said("speed", of: speeds, browser)
                == speeds.map { Quantities.speed(Double($0)!) })
        await page.server.stop()
    }
}
