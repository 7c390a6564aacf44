/// Puts other descriptions into a Matroska file, so that it plays after each single step. Clusters stay where they are.
///
/// 1. Those that are to stand in front of the clusters, and those that have no room there, are appended.
/// 2. One write makes the list of the file's parts lead to these copies, and what stands in front free space. So becomes what is outdated.
/// 3. The new ones are written into that space, and what has no room there behind the last cluster; one write makes them count.
/// 4. The copies are cut off.
struct MatroskaReplacement<File: RandomAccessFile> {
    private struct Piece {
        var id: ElementID?
        var bytes: [UInt8]
    }

    private let file: File
    private let size: UInt64
    private let segment: ElementHeader
    /// What lies in front of the clusters.
    private let room: Range<UInt64>
    private var front: [Piece] = []
    /// What goes to the end of the file.
    private var behind: [Piece] = []
    /// What stays behind the first cluster, and where.
    private var others: [(id: ElementID, offset: UInt64)] = []
    /// What lies behind the first cluster and counts no more.
    private var outdated: [Range<UInt64>] = []
    /// From where on nothing of the file counts any more.
    private var tail: UInt64

    /// What may stand anywhere, what is the least missed in front first: a player has to know all else before it plays.
    private static var movable: [ElementID] { [.attachments, .tags, .chapters] }
    private static var listed: [ElementID] { [.info, .tracks, .chapters, .attachments, .cues, .tags] }
    /// Of the head of what is free, in bytes.
    private static var voidHead: Int { 9 }

    /// - Parameter changes: the data of what takes the place of all elements of a kind; where it is empty, they go.
    /// - Returns: nil where there is not the room for it.
    init?(
        _ changes: [ElementID: [UInt8]], of original: FinishedMatroska, in file: File
    ) throws(MovieFileError) {
        guard let first = original.clusters.first, original.endsWithFile else { return nil }
        (self.file, size, segment) = (file, original.file.size, original.segment)
        room = segment.dataOffset..<first.offset
        tail = size
        var left = changes
        for part in original.parts where part.id != .void && part.id != .crc32 {
            let isInFront = part.range.lowerBound < first.offset
            switch (part.id, isInFront) {
            case (.seekHead, _): if !isInFront { outdated.append(part.range) }
            case (let id?, true) where changes[id] != nil:
                if let data = left.removeValue(forKey: id), !data.isEmpty { front.append(Self.piece(id, data)) }
            case (let id?, false) where changes[id] != nil: outdated.append(part.range)
            case (_, true):
                let bytes = try original.file.read(upTo: part.range.count, at: part.range.lowerBound)
                front.append(Piece(id: part.id, bytes: bytes))
            case (let id?, false): others.append((id, part.range.lowerBound))
            case (nil, false): break
            }
        }
        for part in original.parts.reversed() where part.range.upperBound == tail {
            guard part.id == .void || outdated.contains(part.range) else { break }
            tail = part.range.lowerBound
        }
        for (id, data) in left.sorted(by: { $0.key.rawValue < $1.key.rawValue }) where !data.isEmpty {
            let wasBehind = original.parts.contains { $0.id == id }
            wasBehind ? behind.append(Self.piece(id, data)) : front.append(Self.piece(id, data))
        }
        for id in Self.movable where !fits {
            behind += front.filter { $0.id == id }
            front.removeAll { $0.id == id }
        }
        let largest = copies - segment.dataOffset + UInt64(behindBytes.count + frontBytes.count)
        guard fits, segment.size == nil || EBMLWriter.length(ofSize: largest) <= sizeLength else { return nil }
    }

    private static func piece(_ id: ElementID, _ data: [UInt8]) -> Piece {
        var writer = EBMLWriter()
        writer.data(id, data)
        return Piece(id: id, bytes: writer.bytes)
    }

    private var frontBytes: [UInt8] { front.flatMap(\.bytes) }
    private var behindBytes: [UInt8] { behind.flatMap(\.bytes) }

    /// Of the segment's size, in bytes.
    private var sizeLength: Int { Int(segment.dataOffset - segment.offset) - ElementID.segment.length }

    private var fits: Bool {
        let list = seekHead(front: 0, behind: 0).count
        let rest = room.count - list - frontBytes.count
        return (rest == 0 || rest > 1) && room.count - list >= Self.voidHead && frontBytes.count >= Self.voidHead
    }

    /// Where the file ends at last.
    private var end: UInt64 { tail + UInt64(behindBytes.count) }
    /// Where the copies begin: what lies between is free.
    private var copies: UInt64 { max(size, end) + UInt64(Self.voidHead) }

    func write() throws(MovieFileError) {
        let (front, behind, copies) = (frontBytes, behindBytes, copies)
        var appended = EBMLWriter()
        appended.void(Int(copies - size))
        appended.append(contentsOf: behind + front)
        do {
            try file.write(appended.bytes, at: size)
            try file.synchronize()
        } catch {
            try? file.truncate(to: size)
            throw error
        }
        try setEnd(size + UInt64(appended.bytes.count))
        try file.synchronize()

        let list = seekHead(front: copies + UInt64(behind.count), behind: copies)
        try file.write(list + free(room.count - list.count), at: room.lowerBound)
        for range in outdated {
            var void = EBMLWriter()
            void.void(range.count)
            try file.write(void.bytes, at: range.lowerBound)
        }
        try file.write(free(Int(copies - tail)), at: tail)
        try file.synchronize()

        var last = EBMLWriter()
        last.append(contentsOf: behind)
        last.void(Int(copies - end))
        var first = EBMLWriter()
        first.append(contentsOf: seekHead(front: room.lowerBound + UInt64(list.count), behind: tail))
        first.append(contentsOf: front)
        first.void(room.count - first.bytes.count)
        try fill(last.bytes, at: tail, counting: Self.voidHead)
        try fill(first.bytes, at: room.lowerBound, counting: list.count + Self.voidHead)

        try setEnd(end)
        try file.truncate(to: end)
        try file.synchronize()
    }

    /// Writes into what is free, the first bytes last: they make the others count.
    private func fill(_ bytes: [UInt8], at place: UInt64, counting count: Int) throws(MovieFileError) {
        try file.write(Array(bytes.dropFirst(count)), at: place + UInt64(count))
        try file.synchronize()
        try file.write(Array(bytes.prefix(count)), at: place)
        try file.synchronize()
    }

    /// The head of so many bytes that are free.
    private func free(_ count: Int) -> [UInt8] {
        var writer = EBMLWriter()
        writer.append(.void)
        writer.append(size: UInt64(count - Self.voidHead), length: Self.voidHead - 1)
        return writer.bytes
    }

    /// Has the segment say where it ends, if it does at all.
    private func setEnd(_ end: UInt64) throws(MovieFileError) {
        guard segment.size != nil else { return }
        var writer = EBMLWriter()
        writer.append(size: end - segment.dataOffset, length: sizeLength)
        try file.write(writer.bytes, at: segment.offset + UInt64(ElementID.segment.length))
    }

    /// The list of the file's parts.
    ///
    /// - Parameters:
    ///   - front: where those begin in the file that stand in front of the clusters.
    ///   - behind: where those begin that go to its end.
    private func seekHead(front place: UInt64, behind end: UInt64) -> [UInt8] {
        var places: [(id: ElementID, position: UInt64)] = []
        func add(_ id: ElementID?, _ offset: UInt64) {
            guard let id, Self.listed.contains(id) else { return }
            places.append((id, offset - min(offset, segment.dataOffset)))
        }
        var offset = place
        for piece in front {
            add(piece.id, offset)
            offset += UInt64(piece.bytes.count)
        }
        for other in others { add(other.id, other.offset) }
        offset = end
        for piece in behind {
            add(piece.id, offset)
            offset += UInt64(piece.bytes.count)
        }
        return MatroskaLayout.seekHead(places)
    }
}
