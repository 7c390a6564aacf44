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

    /// A track of version 0 whose header says 600 ticks, and whose 10 samples last 100 each.
    private func track(_ others: [UInt8] = [], entries: UInt8 = 1, offsets: [UInt8] = []) -> [UInt8] {
        let mdhd = box("mdhd", [UInt8](repeating: 0, count: 12) + [0, 0, 3, 0xE8, 0, 0, 2, 0x58, 0, 0, 0, 0])
        let stts = box("stts", [0, 0, 0, 0, 0, 0, 0, entries, 0, 0, 0, 10, 0, 0, 0, 100])
        return box("moov", header + box("trak", others + box("mdia", mdhd + box("minf", box("stbl", stts + offsets)))))
    }

    @Test func `a track without edits lasts as long as its samples`() throws {
        let edits = box("edts", box("elst", [0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 2, 0x58, 0, 0, 0, 0, 0, 1, 0, 0]))
        for (others, length) in [([], [0, 0, 3, 0xE8]), (edits, [0, 0, 2, 0x58])] as [([UInt8], [UInt8])] {
            var bytes = track(others)
            bytes.withUnsafeMutableBytes { MovieHeaderEdit.apply(to: $0) }
            let name = try #require(bytes.firstRange(of: "mdhd".utf8))
            #expect(Array(bytes[(name.upperBound + 16)..<(name.upperBound + 20)]) == length)
        }
    }

    @Test func `a track without edits lasts until its last sample is shown`() throws {
        // The first sample is shown 300 ticks later than it is decoded, the others 200.
        var bytes = track(
            offsets: box("ctts", [0, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 1, 0, 0, 1, 44, 0, 0, 0, 9, 0, 0, 0, 200]))
        bytes.withUnsafeMutableBytes { MovieHeaderEdit.apply(to: $0) }
        let name = try #require(bytes.firstRange(of: "mdhd".utf8))
        #expect(Array(bytes[(name.upperBound + 16)..<(name.upperBound + 20)]) == [0, 0, 5, 0x14])
    }

    @Test func `a track whose samples are in fragments stays as long as it says`() {
        let told = track(entries: 0)
        var bytes = told
        bytes.withUnsafeMutableBytes { MovieHeaderEdit.apply(to: $0) }
        // Only the movie's own length is taken away.
        #expect(zip(bytes, told).count { $0 != $1 } == 2)
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
