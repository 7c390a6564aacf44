import Foundation

/// Looks for the place from which on a damaged Matroska file can be read again.
struct MatroskaResumption {
    private let file: ReadableFile
    private let tracks: Set<UInt64>

    /// Bytes that are read at once, and that are looked at within a cluster.
    private static let (piece, largestPart) = (1 << 20, 64 << 20)
    /// Of an element of the segment's own: its identifier, its size, and the head of its first child.
    private static let headSize = 24
    /// Blocks in a row without which bytes at the file's end are no blocks.
    private static let fewestBlocks = 3
    private static let parts: Set<ElementID> = [.cluster, .cues, .tags, .chapters, .attachments, .seekHead]
    private static let marks: Set<UInt8> = [0x1F, 0x1C, 0x12, 0x10, 0x19, 0x11, 0x1A]

    /// - Parameter tracks: whose blocks are believed.
    init(_ file: ReadableFile, tracks: Set<UInt64>) {
        (self.file, self.tracks) = (file, tracks)
    }

    /// The next cluster, what stands beside them, or the head of another file; nil where there is none.
    func part(from begin: UInt64) throws(MovieFileError) -> UInt64? {
        var place = begin
        while place < file.size {
            let bytes = try file.read(upTo: Self.piece + Self.headSize, at: place)
            let limit = min(bytes.count, Self.piece)
            for index in 0..<limit where Self.marks.contains(bytes[index]) {
                let offset = place + UInt64(index)
                if try isPart(bytes[index...].prefix(Self.headSize), at: offset) { return offset }
            }
            place += UInt64(limit)
        }
        return nil
    }

    private func isPart(_ bytes: ArraySlice<UInt8>, at offset: UInt64) throws(MovieFileError) -> Bool {
        guard let header = ElementHeader(bytes, at: offset), let id = header.id else { return false }
        if id == .ebml { return try isHead(header) }
        guard Self.parts.contains(id) else { return false }
        if id == .cluster {
            // Its time comes first, behind a checksum or what was reserved at most.
            let child = ElementHeader(bytes.dropFirst(Int(header.dataOffset - offset)), at: header.dataOffset)
            return child.map { [.timestamp, .crc32, .void].contains($0.id) && ($0.size ?? .max) <= 8 } ?? false
        }
        guard let end = header.end, end <= file.size else { return false }
        if end == file.size { return true }
        let next = ElementHeader(try file.read(upTo: ElementHeader.maximumSize, at: end)[...], at: end)
        return next?.id.map { Self.parts.contains($0) || $0 == .void } ?? false
    }

    /// Whether another file begins there: a segment follows its head.
    private func isHead(_ header: ElementHeader) throws(MovieFileError) -> Bool {
        guard let end = header.end, end < file.size else { return false }
        return ElementHeader(try file.read(upTo: ElementHeader.maximumSize, at: end)[...], at: end)?.id == .segment
    }

    /// The next block in a cluster from which on one element follows the other to its end.
    ///
    /// - Parameters:
    ///   - end: of the cluster; nil where it does not tell, and reaches to the file's end.
    ///   - time: that a block has at the least, from the cluster's own.
    func block(
        from begin: UInt64, before end: UInt64?, at time: Int64
    ) throws(MovieFileError) -> UInt64? {
        guard begin < end ?? file.size else { return nil }
        let bytes = try file.read(upTo: min(Int(clamping: (end ?? file.size) - begin), Self.largestPart), at: begin)
        for index in bytes.indices where bytes[index] == 0xA3 || bytes[index] == 0xA0 {
            if isChain(bytes, from: index, endsAt: end.map { Int(clamping: $0 - begin) }, time) {
                return begin + UInt64(index)
            }
        }
        return nil
    }

    private func isChain(_ bytes: [UInt8], from begin: Int, endsAt end: Int?, _ time: Int64) -> Bool {
        var (place, blocks) = (begin, 0)
        while place < bytes.count {
            guard let header = ElementHeader(bytes[place...].prefix(ElementHeader.maximumSize), at: 0),
                let size = header.size, size < UInt64(bytes.count)
            else { return end == nil && blocks >= Self.fewestBlocks }
            let data = place + Int(header.dataOffset)
            switch header.id {
            case .simpleBlock: guard isBlock(bytes[min(data, bytes.count)...], time) else { return false }
            case .blockGroup:
                guard let block = ElementHeader(bytes[min(data, bytes.count)...].prefix(12), at: 0), block.id == .block,
                    isBlock(bytes[min(data + Int(block.dataOffset), bytes.count)...], time)
                else { return false }
            case .void where blocks > 0: break
            default: return end == nil && blocks >= Self.fewestBlocks
            }
            blocks += 1
            place = data + Int(size)
        }
        return end.map { place == $0 } ?? (blocks >= Self.fewestBlocks)
    }

    private func isBlock(_ data: ArraySlice<UInt8>, _ time: Int64) -> Bool {
        ScannedBlock(data.prefix(12), at: 0, end: 0).map { tracks.contains($0.track) && $0.time >= time } ?? false
    }
}
