/// A file that is there, and may be damaged.
extension MatroskaScan {
    /// Looks at a file, and over what is damaged in it.
    init(_ file: ReadableFile) throws(MovieFileError) {
        guard try MatroskaSegment.isMatroska(file) else { throw .notAMovie(reason: "it does not begin like one") }
        self.init()
        limit = file.size
        var window = FileWindow(file)
        repeat { try read(&window) } while try resume(in: file)
        end(at: file.size)
    }

    private mutating func read(_ window: inout FileWindow) throws(MovieFileError) {
        while position < window.file.size {
            let offset = position
            let bytes = Array(try window.bytes(max(1, wanted - pending.count), at: offset))
            guard !bytes.isEmpty else { return }
            let isRead: Bool = bytes.withUnsafeBytes { (buffer) in (try? take(buffer, at: offset)) != nil }
            guard isRead else { return }
        }
    }

    /// Whether an element can be where it was found.
    func isSound(_ header: ElementHeader, _ limit: UInt64) -> Bool {
        switch header.id {
        case .cluster, .segment: true
        case .seekHead, .info, .tracks, .cues, .tags, .chapters, .attachments, .void, .crc32:
            header.end.map { $0 <= limit } ?? false
        case .timestamp, .simpleBlock, .blockGroup, .encryptedBlock:
            header.end.map { $0 <= limit && !clusters.isEmpty } ?? false
        case let id?:
            [.block, .blockDuration, .referenceBlock, .blockAdditions, .discardPadding].contains(id)
                && group.contains(header.offset)
        // Position, PrevSize and SilentTracks of a cluster; ReferencePriority, CodecState and what is no longer written of a group.
        case nil:
            [0xA7, 0xAB, 0x5854].contains(header.rawID) && !clusters.isEmpty
                || [0xFA, 0xA4, 0xFD, 0xA2, 0x8E, 0xC8].contains(header.rawID) && group.contains(header.offset)
        }
    }

    /// Goes on behind damage; false where the file is read to its end, or nothing is found.
    private mutating func resume(in file: ReadableFile) throws(MovieFileError) -> Bool {
        guard start < file.size, let cluster = clusters.last, !tracks.isEmpty else { return false }
        let search = MatroskaResumption(file, tracks: Set(tracks.keys))
        let known = parts.last { $0.id != .void }?.range.upperBound ?? 0
        var next = try search.part(from: max(cluster.dataOffset, known))
        // The last block's own length may be what is damaged.
        let begun = held?.place ?? start
        if let end = cluster.end, end <= file.size {
            if begun < end, next ?? .max >= end {
                next = try search.block(from: begun + 1, before: end, at: .min) ?? next
            }
        } else if next == nil {
            let second = Int64(1_000_000_000 / (info?.timestampScale ?? 1_000_000))
            next = try search.block(from: begun + 1, before: nil, at: lastTime - second)
        }
        guard let next else { return false }
        if try ElementHeader(file.read(upTo: ElementHeader.maximumSize, at: next)[...], at: next)?.id == .ebml {
            otherMovie = next
            // A block that is cut off there would end with the other's beginning.
            if let held, held.end > next { self.held = nil }
            return false
        }
        var begin = start
        if let held, held.end <= min(start, next) { commit(held) } else { begin = begun }
        held = nil
        if begin < next {
            losses.append(LostRange(offset: begin, size: next - begin, time: movie.duration))
        }
        (start, wanted, group) = (next, 2, 0..<0)
        pending.removeAll(keepingCapacity: true)
        return true
    }
}
