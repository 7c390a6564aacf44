/// A stream of Ogg that is written: where its next page stands among all (RFC 3533, section 6).
struct OggStream {
    /// Tells it from other streams.
    var serial = UInt32.random(in: 0...UInt32.max)
    /// Pages that were written.
    var pageCount: UInt32 = 0

    /// What a page can hold of packets, in parts of 255 bytes.
    static let mostParts = 255

    /// How many parts of a page's table a packet takes: the last one is shorter than 255 bytes.
    static func parts(of size: Int) -> Int { size / 255 + 1 }

    /// Pages with these packets, the first of which begins the first page.
    ///
    /// - Parameters:
    ///   - position: at which sample the last packet ends.
    ///   - begins: whether the stream begins with them, of which one page is all.
    ///   - ends: whether nothing follows.
    mutating func pages(_ packets: [[UInt8]], position: UInt64, begins: Bool = false, ends: Bool = false) -> [UInt8] {
        let sizes: [UInt8] = packets.flatMap { packet in
            [UInt8](repeating: 255, count: packet.count / 255) + [UInt8(packet.count % 255)]
        }
        let content = Array(packets.joined())
        var (pages, place, isContinued) = ([UInt8](), 0, false)
        for start in stride(from: 0, to: sizes.count, by: Self.mostParts) {
            let table = sizes[start..<min(start + Self.mostParts, sizes.count)]
            let size = table.reduce(0) { $0 + Int($1) }
            let isLast = table.endIndex == sizes.count
            var page = Array("OggS".utf8) + [0]
            var flags: UInt8 = isContinued ? 1 : 0
            if begins, start == 0 { flags |= 2 }
            if ends, isLast { flags |= 4 }
            page.append(flags)
            page.append(little: table.contains { $0 < 255 } ? position : .max)
            page.append(little: serial)
            page.append(little: pageCount)
            page.append(little: UInt32(0))
            page.append(UInt8(table.count))
            page += table
            page += content[place..<place + size]
            page.replaceSubrange(22..<26, with: Self.checksum(page))
            pages += page
            pageCount += 1
            place += size
            isContinued = table.last == 255
        }
        return pages
    }

    private static func checksum(_ page: [UInt8]) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.append(little: page.reduce(0 as UInt32, CRC.thirtyTwo))
        return bytes
    }
}
