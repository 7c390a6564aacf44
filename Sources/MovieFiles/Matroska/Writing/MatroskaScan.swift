import MediaTypes

/// The frames and clusters of a Matroska file (RFC 9559), found in its bytes as they are written, or in a file wherever it ends.
///
/// Of each block the head is looked at, and nothing is read but that and the descriptions.
struct MatroskaScan: Sendable {
    /// What lies in the segment beside its clusters.
    struct Part: Sendable {
        var id: ElementID
        var range: Range<UInt64>
    }

    private(set) var segment: ElementHeader?
    private(set) var parts: [Part] = []
    private(set) var info: MatroskaInfo?
    private(set) var tracks: [UInt64: ScannedTrack] = [:]
    private(set) var clusters: [ScannedCluster] = []
    /// Where the last block ends that is whole.
    private(set) var dataEnd: UInt64 = 0
    /// What is lost before that.
    var losses: [LostRange] = []
    /// Where another file begins, behind this one; nil where there is none.
    var otherMovie: UInt64?

    /// The element that is being read: where it begins, what has come of it, and how much of it is wanted.
    var start: UInt64 = 0
    var pending: [UInt8] = []
    var wanted = 2
    /// The last block, whose end may not have come.
    var held: ScannedBlock?
    var group: Range<UInt64> = 0..<0
    /// The file's size, where all of it is there: then an element that is none of Matroska's, or ends behind the file, is damage.
    var limit: UInt64?
    /// Of the last block, from its cluster's time.
    private(set) var lastTime: Int64 = 0
    private var restarts = RestartedTimes()

    private static let maximumLoadedSize: UInt64 = 32 << 20
    /// The number of its track, its time, its flags and how many frames it holds.
    private static let blockHeadSize: UInt64 = 12

    /// The byte that it wants next: those before need not be handed in.
    var position: UInt64 { start + UInt64(pending.count) }

    /// Takes bytes of the file, in their order; what lies before ``position`` is passed over.
    ///
    /// - Throws: `unsupported` where they are no Matroska. From there on nothing is known of the file.
    mutating func take(_ bytes: UnsafeRawBufferPointer, at offset: UInt64) throws(MovieFileError) {
        let end = offset + UInt64(bytes.count)
        while offset <= position, position < end {
            let from = Int(position - offset)
            let count = min(bytes.count - from, max(1, wanted - pending.count))
            pending.append(contentsOf: bytes[from..<from + count])
            if pending.count >= wanted { try parse() }
        }
    }

    /// Counts the last block, if the file holds all of it.
    mutating func end(at fileSize: UInt64) {
        if let held, held.end <= fileSize { commit(held) }
        held = nil
        clusters.removeAll { $0.offset >= dataEnd }
    }

    private mutating func parse() throws(MovieFileError) {
        let length = pending[0].leadingZeroBitCount + 1
        guard length <= 4 else { throw MatroskaSegment.damage(start) }
        if pending.count <= length { return wanted = length + 1 }
        let whole = length + pending[length].leadingZeroBitCount + 1
        guard whole <= ElementHeader.maximumSize else { throw MatroskaSegment.damage(start) }
        if pending.count < whole { return wanted = whole }
        guard let header = ElementHeader(pending[...], at: start) else { throw MatroskaSegment.damage(start) }
        if let limit, segment != nil, !isSound(header, limit) { throw MatroskaSegment.damage(start) }
        let loaded = try loadedSize(header)
        if UInt64(pending.count - whole) < loaded { return wanted = whole + Int(loaded) }
        try read(header, pending[whole...])
        let entersIt = [.segment, .cluster, .blockGroup].contains(header.id)
        guard let next = entersIt ? header.dataOffset : header.end else { throw MatroskaSegment.damage(start) }
        (start, wanted) = (next, 2)
        pending.removeAll(keepingCapacity: true)
    }

    /// How much of an element's data is looked at.
    private func loadedSize(_ header: ElementHeader) throws(MovieFileError) -> UInt64 {
        switch header.id {
        case .segment, .cluster, .blockGroup, .cues, .tags, .attachments: return 0
        case .simpleBlock, .block: return min(header.size ?? 0, Self.blockHeadSize)
        case .info, .tracks, .timestamp, .blockDuration:
            guard let size = header.size, size <= Self.maximumLoadedSize else { throw MatroskaSegment.damage(start) }
            return size
        default: return 0
        }
    }

    private mutating func read(_ header: ElementHeader, _ data: ArraySlice<UInt8>) throws(MovieFileError) {
        // Whatever follows a block but what belongs to its group says that the block is whole.
        if let held, header.offset >= held.end {
            commit(held)
            self.held = nil
        }
        switch header.id {
        case .ebml where segment == nil: break
        case .segment where segment == nil: segment = header
        case _ where segment == nil: throw MatroskaSegment.damage(start)
        case .cluster: clusters.append(ScannedCluster(header))
        case .timestamp:
            guard !clusters.isEmpty, let time = data.unsignedInteger, time < 1 << 60 else { break }
            clusters[clusters.count - 1].time = Int64(time)
        case .blockGroup: group = header.offset..<max(header.offset, header.end ?? 0)
        case .simpleBlock, .block: try hold(header, data)
        case .blockDuration: held?.duration = data.unsignedInteger.map { Int64(clamping: $0) }
        case .referenceBlock: held?.isKey = false
        case .info where info == nil:
            info = try MatroskaInfo(data, at: header.dataOffset)
            note(header)
        case .tracks where tracks.isEmpty:
            for entry in try Elements(data).all(.trackEntry) {
                if let track = ScannedTrack(try Elements(entry), scale: info?.timestampScale) {
                    tracks[track.number] = track
                }
            }
            note(header)
        case .seekHead, .void, .cues, .tags, .chapters, .attachments: note(header)
        default: break
        }
    }

    private mutating func note(_ header: ElementHeader) {
        guard let id = header.id, let end = header.end else { return }
        parts.append(Part(id: id, range: header.offset..<end))
    }

    private mutating func hold(_ header: ElementHeader, _ data: ArraySlice<UInt8>) throws(MovieFileError) {
        guard let cluster = clusters.last, let end = header.end,
            var block = ScannedBlock(
                data, at: header.id == .block ? group.lowerBound : header.offset,
                end: max(end, header.id == .block ? group.upperBound : 0))
        else { throw MatroskaSegment.damage(start) }
        block.time += cluster.time
        // In a group nothing says so but that it names no other.
        if header.id == .block { block.isKey = true }
        block.offset = header.id == .block ? nil : header.offset - cluster.dataOffset
        held = block
    }

    mutating func commit(_ block: ScannedBlock) {
        dataEnd = block.end
        lastTime = block.time - (clusters.last?.time ?? 0)
        guard !clusters.isEmpty, var track = tracks.removeValue(forKey: block.track) else { return }
        track.add(block, at: restarts.shown(block.time, of: block.track, second: second))
        tracks[block.track] = track
        clusters[clusters.count - 1].add(block, isLead: block.track == leadNumber)
    }

    /// In the segment's ticks.
    private var second: Int64 { max(1, 1_000_000_000 / Int64(clamping: info?.timestampScale ?? 1_000_000)) }

    /// The track whose key frames a player can begin with: that of the frames, or else the first.
    private var leadNumber: UInt64? {
        tracks.values.min { ($0.isVideo ? 0 : 1, $0.number) < ($1.isVideo ? 0 : 1, $1.number) }?.number
    }
}

extension MatroskaScan {
    /// What the file holds.
    var movie: FinishedMovie {
        let scale = Double(info?.timestampScale ?? 1_000_000) / 1e9
        let filled = tracks.values.filter { $0.count > 0 }.sorted { $0.number < $1.number }
        // Blocks may lie before their cluster's time, and so before 0.
        let begin = filled.map(\.begin).min() ?? 0
        let described = filled.map {
            FinishedMovie.Track(
                trackID: UInt32(clamping: $0.number), handler: $0.isVideo ? "vide" : "soun", sampleCount: $0.count,
                duration: MediaTime(seconds: Double($0.end - begin) * scale).clamped)
        }
        return FinishedMovie(
            tracks: described, duration: described.map(\.duration).max() ?? .zero, fileSize: dataEnd, indexSize: 0)
    }

    /// Where the last block of the kind `id` lies, if the segment has it.
    func part(_ id: ElementID) -> Range<UInt64>? { parts.last { $0.id == id }?.range }
}
