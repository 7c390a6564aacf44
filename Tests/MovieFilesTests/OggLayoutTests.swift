import TestSupport
import Testing

@testable import MovieFiles

/// Pages of Ogg, as they are read back.
@Suite struct OggLayoutTests {
    @Test(arguments: [[0], [1, 254, 255, 256], [510, 0, 65_025], [70_000, 3], [200_000]])
    func `packets of any size are found in their pages`(sizes: [Int]) throws {
        let packets = sizes.map { size in (0..<size).map { UInt8(truncatingIfNeeded: $0 * 7 + size) } }
        var stream = OggStream()
        let bytes = stream.pages(packets, position: 77, begins: true, ends: true)
        var (found, rest, count, isOpen) = ([[UInt8]](), bytes[...], UInt32(0), false)
        while !rest.isEmpty {
            let page = Array(rest)
            try #require(page.starts(with: Array("OggS".utf8) + [0]))
            let table = page[27..<27 + Int(page[26])]
            let size = 27 + table.count + table.reduce(0) { $0 + Int($1) }
            var sum = Array(page.prefix(size))
            sum.replaceSubrange(22..<26, with: [0, 0, 0, 0])
            #expect(page.little(UInt32.self, at: 22) == sum.reduce(0, CRC.thirtyTwo))
            #expect(page.little(UInt32.self, at: 18) == count)
            #expect((page[5] & 1 == 1) == isOpen && (page[5] & 2 == 2) == (count == 0))
            #expect((page[5] & 4 == 4) == (size == page.count))
            #expect(page.little(UInt64.self, at: 6) == (table.contains { $0 < 255 } ? 77 : .max))
            var place = 27 + table.count
            for part in table {
                if !isOpen { found.append([]) }
                found[found.count - 1] += page[place..<place + Int(part)]
                place += Int(part)
                isOpen = part == 255
            }
            rest = rest.dropFirst(size)
            count += 1
        }
        #expect(found == packets && count == stream.pageCount && !isOpen)
    }

    @Test func `a page that was not written whole is not followed`() throws {
        let format = PCMFormat(sampleRate: 48_000, channels: 2, bits: 16)
        var layout = try OggLayout(
            headers: [], format: format, attributes: AudioFileAttributes(metadata: MovieMetadata()))
        // Frames of 20 ms.
        let packet = [UInt8](repeating: 0xFC, count: 100)
        var sizes: [Int] = []
        for _ in 0..<60 {
            let bytes = try packet.withUnsafeBytes { (bytes) throws(MovieFileError) in
                try layout.bytes(for: bytes, lasting: nil)
            }
            if !bytes.isEmpty { sizes.append(bytes.count) }
            layout.add(written: sizes.count == 2 ? bytes.count / 2 : bytes.count)
            if sizes.count == 2 { break }
        }
        #expect(sizes.count == 2 && layout.audioSize == UInt64(sizes[0]))
        #expect(layout.sampleCount == 25 * 960 - 312)
        #expect(layout.tail(AudioFileAttributes(metadata: MovieMetadata())).isEmpty)
    }
}
