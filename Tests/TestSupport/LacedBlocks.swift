/// A Matroska file of ffmpeg's with one track, some of whose packets share a block, as mkvmerge writes audio (RFC 9559 section 10.3).
public enum LacedBlocks {
    private static let unknownSize: [UInt8] = [0x01] + [UInt8](repeating: 0xFF, count: 7)
    private static let (segment, cluster): ([UInt8], [UInt8]) = ([0x18, 0x53, 0x80, 0x67], [0x1F, 0x43, 0xB6, 0x75])
    private static let simpleBlock: UInt8 = 0xA3

    /// - Parameter count: of the packets in each block; those in groups of their own, and the rest of a cluster, stay by themselves.
    public static func applied(to file: [UInt8], count: Int) -> [UInt8] {
        var (result, position) = ([UInt8](), 0)
        var waiting: [ArraySlice<UInt8>] = []
        func write() {
            if waiting.count == count { result += laced(waiting) } else { waiting.forEach { result += element($0) } }
            waiting = []
        }
        while position < file.count {
            let idLength = file[position].leadingZeroBitCount + 1
            let id = Array(file[position..<position + idLength])
            let sizeLength = file[position + idLength].leadingZeroBitCount + 1
            let begin = position + idLength + sizeLength
            if id == segment || id == cluster {
                write()
                result += id + unknownSize
                position = begin
                continue
            }
            let size = file[position + idLength..<begin].reduce(0) { $0 << 8 | Int($1) } & (1 << (7 * sizeLength) - 1)
            if id == [simpleBlock] {
                waiting.append(file[begin..<begin + size])
                if waiting.count == count { write() }
            } else {
                write()
                result += file[position..<begin + size]
            }
            position = begin + size
        }
        write()
        return result
    }

    private static func element(_ data: some Collection<UInt8>) -> [UInt8] {
        let size = UInt64(data.count) | 1 << 56
        return [simpleBlock] + (0..<8).map { UInt8(truncatingIfNeeded: size >> UInt64(56 - 8 * $0)) } + data
    }

    /// Behind the first one's head, sizes as sums of bytes, of which one below 255 is the last.
    private static func laced(_ blocks: [ArraySlice<UInt8>]) -> [UInt8] {
        let headSize = 4
        let packets = blocks.map { $0.dropFirst(headSize) }
        var data = Array(blocks[0].prefix(headSize))
        data[headSize - 1] |= 0x02
        data.append(UInt8(packets.count - 1))
        for packet in packets.dropLast() {
            data += [UInt8](repeating: 255, count: packet.count / 255) + [UInt8(packet.count % 255)]
        }
        return element(data + packets.joined())
    }
}
