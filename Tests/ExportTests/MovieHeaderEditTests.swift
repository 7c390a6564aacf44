import Testing

@testable import Export
@testable import Workarounds

/// Indexes that are made up, and samples that look like one.
@Suite struct MovieHeaderEditTests {
    private func box(_ type: String, _ payload: [UInt8]) -> [UInt8] {
        withUnsafeBytes(of: UInt32(payload.count + 8).bigEndian) { Array($0) } + type.utf8 + payload
    }

    /// A header of version 0 that lasts 1000 ticks of a thousandth.
    private var header: [UInt8] {
        box(
            "mvhd",
            [UInt8](repeating: 0, count: 12) + [0, 0, 3, 0xE8, 0, 0, 3, 0xE8] + [UInt8](repeating: 0, count: 80))
    }

    @Test func `an index no longer says how long the movie lasts`() {
        var bytes = box("moov", header)
        bytes.withUnsafeMutableBytes { MovieHeaderEdit.apply(to: $0) }
        #expect(Array(bytes[28..<32]) == [0, 0, 3, 0xE8] && Array(bytes[32..<36]) == [0, 0, 0, 0])
    }

    @Test func `a sample that begins like an index stays as it is`() {
        let sample = box("moov", header) + [1, 2, 3]
        var bytes = sample
        bytes.withUnsafeMutableBytes { MovieHeaderEdit.apply(to: $0) }
        #expect(bytes == sample)
    }

    @Test(arguments: ["moov", "trak", "stbl"]) func `boxes that lie in each other without end are left alone`(
        type: String
    ) {
        let depth = 300_000
        var bytes: [UInt8] = []
        for level in 0..<depth {
            withUnsafeBytes(of: UInt32((depth - level) * 8).bigEndian) { bytes += $0 }
            bytes += (level == 0 ? "moov" : type).utf8
        }
        let before = bytes
        bytes.withUnsafeMutableBytes { MovieHeaderEdit.apply(to: $0) }
        #expect(bytes == before)
    }
}
