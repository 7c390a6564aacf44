/// What a Matroska or WebM file holds (RFC 9559): its descriptions, and where each frame lies. The frames are not read.
struct MatroskaSegment: Sendable {
    /// Nanoseconds in a tick.
    private(set) var timestampScale: UInt64 = 1_000_000
    private(set) var info: Elements?
    private(set) var tracks: [TrackEntry] = []
    private(set) var chapters: Elements?
    private(set) var tags: [Elements] = []
    private var loadedTags: UInt64 = 0
    private(set) var hasTracks = false
    /// Where the data of its attachments lies: they are read when somebody wants them.
    private(set) var attachments: [ElementHeader] = []
    /// By the number of their track.
    var frames: [UInt64: FrameTable] = [:]
    /// Whether the file ends where it says that it does, and not within a block.
    private(set) var isWhole = true

    /// How audio is counted, by the number of its track.
    var packets: [UInt64: AudioPackets] = [:]
    var window: FileWindow
    var frameCount = 0
    /// When the first block of tracks that are not read is shown, in ticks.
    var othersBegin: Int64?
    var clusterTime: Int64 = 0
    var restarts = RestartedTimes()

    private var file: ReadableFile { window.file }

    /// Of what is read into memory: a description of tracks, chapters or tags.
    static let maximumLoadedSize: UInt64 = 32 << 20
    private static let maximumTrackCount = 1000
    /// Two days of video and audio; a gigabyte of memory.
    static let maximumFrameCount = 16_000_000
    /// So far from the ends of 64 bits that times can be added, in nanoseconds.
    static let maximumTime: Int64 = 1 << 60

    /// Whether a file begins as EBML does.
    static func isMatroska(_ file: ReadableFile) throws(MovieFileError) -> Bool {
        try file.read(upTo: 4, at: 0).elementsEqual([0x1A, 0x45, 0xDF, 0xA3])
    }

    let purpose: Purpose
    private var hasSoughtTracks = false
    /// Whether frames and audio that no movie holds are kept as they are: where some of them are such as no muxer here takes.
    private(set) var keepsUnknownMedia = false
    /// `matroska` or `webm`.
    private(set) var documentType = ""

    /// - Throws: `unsupported` where it is damaged, or its frames, if they are to be copied, are not in it as they are.
    init(_ file: ReadableFile, for purpose: Purpose = .copying) throws(MovieFileError) {
        self.purpose = purpose
        window = FileWindow(file)
        guard let head = try header(at: 0), head.id == .ebml, let start = head.end, start <= file.size,
            let size = head.size, size <= Self.maximumLoadedSize
        else { throw .unsupported(reason: "its EBML header is damaged") }
        documentType = try load(head).text(.docType) ?? ""
        guard ["matroska", "webm"].contains(documentType) else {
            throw .unsupported(reason: "it is EBML of another kind than Matroska")
        }
        var position = start
        while let header = try header(at: position) {
            if header.id == .segment {
                let end = header.end ?? file.size
                isWhole = end <= file.size
                try readSegment(from: header.dataOffset, to: min(end, file.size))
                return
            }
            guard let end = header.end, end <= file.size else { break }
            position = end
        }
        throw .unsupported(reason: "it holds no segment of Matroska")
    }

    /// In ticks.
    var second: Int64 { max(1, Int64(1_000_000_000 / timestampScale)) }

    /// When it ends as it says, in nanoseconds; nil where it does not, is cut off, or begins again in the middle.
    var toldEnd: Int64? {
        guard isWhole, !restarts.isRestarted, let ticks = info?.float(.duration), ticks > 0 else { return nil }
        return Int64(exactly: min(ticks * Double(timestampScale), Double(Self.maximumTime)).rounded())
    }

    mutating func header(at offset: UInt64) throws(MovieFileError) -> ElementHeader? {
        ElementHeader(try window.bytes(ElementHeader.maximumSize, at: offset), at: offset)
    }

    /// Clusters and what lies beside them are read as one row: where the size of a cluster is not known, what cannot be in
    /// one ends it.
    private mutating func readSegment(from start: UInt64, to end: UInt64) throws(MovieFileError) {
        var position = start
        while position < end {
            if hasAll { return }
            guard let header = try header(at: position) else {
                guard end - position < UInt64(ElementHeader.maximumSize) else { throw Self.damage(position) }
                isWhole = false
                return
            }
            if header.id == .cluster, purpose == .attributes {
                // One that does not say how long it is, as of a broadcast, has nothing behind it.
                guard let next = header.end, next <= end else { return }
                // What is wrong in it does not keep the rest from being read.
                do throws(MovieFileError) { try lookForRestart(in: header, isAlone: next == end) } catch {}
                position = next
                continue
            }
            if header.id == .cluster {
                // Once: a file without any would be read to its end for each of its clusters.
                if !hasTracks, !hasSoughtTracks {
                    hasSoughtTracks = true
                    try readLateTracks(from: header.end, to: end)
                }
                position = header.dataOffset
                continue
            }
            // A second segment, as of files that were put behind each other.
            if header.id == .segment || header.id == .ebml { throw Self.damage(position) }
            guard let next = header.end else { throw Self.damage(position) }
            guard next <= end else {
                guard end == file.size else { throw Self.damage(position) }
                isWhole = false
                return
            }
            try read(header)
            position = next
        }
    }

    /// Reads the time of a cluster, and the blocks of one that has nothing behind it: of those that ffmpeg made once, times begin again in it.
    private mutating func lookForRestart(in cluster: ElementHeader, isAlone: Bool) throws(MovieFileError) {
        if isAlone, clusterTime == 0, (cluster.size ?? 0) < Self.maximumLoadedSize {
            try forEach(in: cluster) { (segment, header) throws(MovieFileError) in try segment.read(header) }
        } else if let time = try header(at: cluster.dataOffset), time.id == .timestamp {
            try read(time)
        }
    }

    /// Reads the tracks, and how times are measured, where they stand behind the clusters: nothing can be made of a block without.
    ///
    /// - Parameter start: the end of the first cluster; nil where it does not say.
    private mutating func readLateTracks(from start: UInt64?, to end: UInt64) throws(MovieFileError) {
        var position = start ?? end
        while position < end, info == nil || !hasTracks, let header = try header(at: position),
            header.id != .segment, header.id != .ebml, let next = header.end, next <= end
        {
            if header.id == .tracks || header.id == .info { try read(header) }
            position = next
        }
    }

    static func damage(_ offset: UInt64) -> MovieFileError {
        .unsupported(reason: "the Matroska element at byte \(offset) is damaged")
    }

    private mutating func read(_ header: ElementHeader) throws(MovieFileError) {
        switch header.id {
        case .info where info == nil:
            // All times of blocks are measured by what it says.
            guard frameCount == 0 else { throw Self.damage(header.offset) }
            let elements = try load(header)
            info = elements
            timestampScale = elements.unsigned(.timestampScale) ?? timestampScale
            guard (1...1_000_000_000).contains(timestampScale) else { throw Self.damage(header.offset) }
            // A time from before was measured by another scale.
            clusterTime = 0
        case .tracks where tracks.isEmpty: try readTracks(header)
        case .chapters where chapters == nil: chapters = try load(header)
        case .tags:
            // All of them together, as there may be any number of them.
            loadedTags += header.size ?? 0
            guard loadedTags <= Self.maximumLoadedSize else { throw Self.damage(header.offset) }
            tags.append(try load(header))
        case .attachments where attachments.count < Self.maximumTrackCount: attachments.append(header)
        case .timestamp:
            let value = try window.bytes(Int(min(header.size ?? 0, 9)), at: header.dataOffset).unsignedInteger
            guard let time = value.flatMap({ Int64(exactly: $0) }),
                time < Self.maximumTime / Int64(timestampScale)
            else {
                throw Self.damage(header.offset)
            }
            restarts.note(cluster: time, second: second)
            clusterTime = time
        case .simpleBlock: try readBlock(header, .init(time: 0, isKey: true), isSimple: true)
        case .blockGroup: try readGroup(header)
        case .encryptedBlock: throw .unsupported(reason: "its blocks are encrypted")
        default: break
        }
    }

    private func load(_ header: ElementHeader) throws(MovieFileError) -> Elements {
        guard let size = header.size, size <= Self.maximumLoadedSize else { throw Self.damage(header.offset) }
        let bytes = try file.read(upTo: Int(size), at: header.dataOffset)
        guard bytes.count == Int(size) else { throw Self.damage(header.offset) }
        return try Elements(bytes[...])
    }

    private mutating func readTracks(_ header: ElementHeader) throws(MovieFileError) {
        hasTracks = true
        var entries: [TrackEntry] = []
        for entry in try load(header).all(.trackEntry) {
            let elements = try Elements(entry)
            if purpose == .subtitles, elements.unsigned(.trackType) != TrackEntry.Kind.subtitle.rawValue { continue }
            entries.append(try TrackEntry(elements))
        }
        keepsUnknownMedia =
            purpose == .copyingToMatroska && entries.contains(where: \.isOfMatroskaAlone)
        for track in entries {
            let isKept = keepsUnknownMedia && !track.isKnown
            if [.copying, .copyingToMatroska, .subtitles].contains(purpose) {
                try track.expectPlainFrames(isForMatroska: purpose == .copyingToMatroska)
                if !isKept { try track.expectKnownFrames(isForMatroska: purpose == .copyingToMatroska) }
            }
            guard frames[track.number] == nil, tracks.count < Self.maximumTrackCount else {
                throw Self.damage(header.offset)
            }
            tracks.append(track)
            frames[track.number] = FrameTable(isTransparent: track.isTransparent)
            guard track.kind != .subtitle, purpose != .attributes else { continue }
            if purpose.takesAll || isKept {
                packets[track.number] = try? track.packets
            } else {
                packets[track.number] = try track.packets
            }
        }
    }
}
