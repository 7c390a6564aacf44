import Testing

@testable import MovieFiles

@Suite("Matroska's elements and blocks")
struct BlockLayoutTests {
    @Test("are read with identifiers and sizes of any length")
    func headers() throws {
        let cluster = try #require(ElementHeader([0x1F, 0x43, 0xB6, 0x75, 0x01, 0, 0, 0, 0, 0, 1, 2], at: 100))
        #expect(cluster.id == .cluster && cluster.size == 258 && cluster.dataOffset == 112 && cluster.end == 370)
        let block = try #require(ElementHeader([0xA3, 0x42, 0x01, 9], at: 0))
        #expect(block.id == .simpleBlock && block.size == 0x201 && block.dataOffset == 3)
        let unknown = try #require(ElementHeader([0x1F, 0x43, 0xB6, 0x75, 0xFF], at: 0))
        #expect(unknown.size == nil && unknown.end == nil)
    }

    @Test(
        "are refused where they are damaged",
        arguments: [[], [0x00, 0x81], [0x08, 0, 0, 0, 0, 0x81], [0xA3], [0xA3, 0x00], [0xA3, 0x40]] as [[UInt8]])
    func damagedHeaders(_ bytes: [UInt8]) {
        #expect(ElementHeader(bytes[...], at: 0) == nil)
    }

    @Test("hold numbers and texts")
    func values() throws {
        let elements = try Elements([
            0xD7, 0x81, 5, 0x44, 0x61, 0x82, 0xFF, 0xFE, 0xB5, 0x84, 0x47, 0x3B, 0x80, 0, 0x86, 0x85, 0x41, 0x5F, 0x42,
            0,
            0x43, 0xEC, 0x80,
        ])
        #expect(elements.unsigned(.trackNumber) == 5)
        #expect(elements.signed(.dateUTC) == -2)
        #expect(elements.float(.samplingFrequency) == 48_000)
        #expect(elements.text(.codecID) == "A_B")
        #expect(elements.unsigned(.void) == 0 && elements.unsigned(.title) == nil)
        #expect(throws: MovieFileError.self) { try Elements([0xD7, 0x85, 5]) }
    }

    @Test("hold one frame without lacing")
    func plain() throws {
        let layout = try #require(BlockLayout([0x81, 0xFF, 0xFE, 0x80, 7, 7], size: 1000))
        #expect(layout.trackNumber == 1 && layout.relativeTime == -2 && layout.isKeyframe)
        #expect(layout.headSize == 4 && layout.frameSizes == [996])
    }

    @Test("hold frames of sizes that are told in each of three ways")
    func lacing() throws {
        // 300, 5 and what is left: Xiph's.
        let xiph = try #require(BlockLayout([0x81, 0, 0, 0x02, 2, 255, 45, 5], size: 8 + 300 + 5 + 95))
        #expect(xiph.headSize == 8 && xiph.frameSizes == [300, 5, 95])
        // 800, 300 less, and what is left: EBML's (RFC 9559 section 10.3.3).
        let differences = try #require(
            BlockLayout([0x81, 0, 0, 0x06, 2, 0x43, 0x20, 0x5E, 0xD3], size: 9 + 800 + 500 + 1000))
        #expect(differences.headSize == 9 && differences.frameSizes == [800, 500, 1000])
        let fixed = try #require(BlockLayout([0x81, 0, 0, 0x04, 3], size: 5 + 400))
        #expect(fixed.headSize == 5 && fixed.frameSizes == [100, 100, 100, 100])
    }

    @Test(
        "are refused where sizes contradict each other",
        arguments: [
            ([0x81, 0, 0], 3), ([0x81, 0, 0, 0x02, 1, 255, 255], 100), ([0x81, 0, 0, 0x04, 2], 5 + 100),
            ([0x81, 0, 0, 0x06, 1, 0x43, 0x20], 100), ([0x81, 0, 0, 0x06, 2, 0x81, 0x80], 100),
            ([0x81, 0, 0, 0x02], 4),
        ] as [([UInt8], UInt64)])
    func contradictions(_ bytes: [UInt8], _ size: UInt64) {
        #expect(BlockLayout(bytes[...], size: size) == nil)
    }
}
