import Testing

@testable import MovieFiles

/// A sequence header as libaom writes it for 320×240, and what becomes of it.
@Suite struct AV1ColourTests {
    /// Temporal delimiter, sequence header without colours, the beginning of a frame.
    private let unit: [UInt8] = [
        0x12, 0x00, 0x0A, 0x0C, 0x00, 0x00, 0x00, 0x04, 0x3C, 0xFF, 0xBF, 0x81, 0xB5, 0xF2, 0x00, 0x80, 0x32, 0x03,
        0x01,
        0x02, 0x03,
    ]

    @Test func `colours are put into a header that has none, and all else stays`() throws {
        let before = try #require(AV1SequenceHeader(obusIn: unit[...]))
        #expect(before.missingDescription != nil)
        let described = try #require(
            AV1Colour.describing(unit, primaries: 9, transfer: 18, matrix: 9, isFullRange: true))
        let after = try #require(AV1SequenceHeader(obusIn: described[...]))
        #expect(after.colour == ColorInformation(primaries: 9, transfer: 18, matrix: 9, isFullRange: true))
        #expect((after.profile, after.level, after.bitDepth) == (before.profile, before.level, before.bitDepth))
        #expect(after.chromaSamplePosition == before.chromaSamplePosition)
        #expect(described.prefix(2) == unit.prefix(2))
        #expect(described.suffix(5) == unit.suffix(5), "the frame follows")
        #expect(described[3] == 15, "three bytes more")
    }

    @Test func `a header that tells its colours is left alone, as is a unit without one`() throws {
        let described = try #require(
            AV1Colour.describing(unit, primaries: 1, transfer: 1, matrix: 1, isFullRange: false))
        #expect(AV1Colour.describing(described, primaries: 9, transfer: 9, matrix: 9, isFullRange: false) == nil)
        #expect(AV1Colour.describing([0x12, 0x00], primaries: 1, transfer: 1, matrix: 1, isFullRange: false) == nil)
        for length in 0..<16 {
            #expect(
                AV1Colour.describing(
                    Array(unit.prefix(length)), primaries: 1, transfer: 1, matrix: 1, isFullRange: false) == nil)
        }
    }
}
