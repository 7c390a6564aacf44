/// A Matroska file that a muxer has completed, as its parts: nothing in them is looked at that is not to change.
struct FinishedMatroska {
    /// A cluster without what stands before its blocks, which would be of another place.
    struct Cluster {
        /// Where it begins in the file.
        var offset: UInt64
        /// In milliseconds.
        var time: UInt32
        var blocks: Range<UInt64>
    }

    /// What lies beside the clusters.
    struct Part {
        /// nil for what has no name here.
        var id: ElementID?
        /// Its head included.
        var range: Range<UInt64>
    }

    let file: ReadableFile
    /// The EBML header, as it is.
    let header: [UInt8]
    let isWebM: Bool
    /// The head of the segment.
    let segment: ElementHeader
    private(set) var clusters: [Cluster] = []
    /// In the file's order.
    private(set) var parts: [Part] = []
    /// The data of what lies between the clusters.
    private var masters: [ElementID: [UInt8]] = [:]

    /// Where the segment's data begins.
    private var start: UInt64 { segment.dataOffset }
    /// Whether nothing follows the segment, and nothing of it is missing.
    var endsWithFile: Bool { segment.end.map { $0 == file.size } ?? true }

    private static let unusual = MovieFileError.unsupported(
        reason:
            "it was not completed as muxers do that, as of a live stream; a copy of it as Matroska can be changed"
    )
    /// What is written again, in this order.
    private static let kept: [ElementID] = [.info, .tracks, .chapters, .attachments, .tags]

    /// - Parameter mayBeWebM: whether what is to come into it may stand there too.
    init(_ file: ReadableFile, mayBeWebM: Bool) throws(MovieFileError) {
        self.file = file
        var window = FileWindow(file)
        func element(_ offset: UInt64) throws(MovieFileError) -> ElementHeader? {
            ElementHeader(try window.bytes(ElementHeader.maximumSize, at: offset), at: offset)
        }
        guard let ebml = try element(0), ebml.id == .ebml, let end = ebml.end,
            end <= MatroskaSegment.maximumLoadedSize, let segment = try element(end), segment.id == .segment
        else { throw Self.unusual }
        header = try file.read(upTo: Int(end), at: 0)
        let type = try Elements(header[Int(ebml.dataOffset)...]).text(.docType)
        guard type == "matroska" || mayBeWebM && type == "webm" else {
            throw .unsupported(reason: "WebM cannot hold such subtitles")
        }
        (self.segment, isWebM) = (segment, type == "webm")
        let start = segment.dataOffset
        let fileEnd = min(segment.end ?? file.size, file.size)
        var position = start
        while position < fileEnd {
            guard let next = try element(position), let end = next.end, end <= fileEnd, let size = next.size else {
                throw Self.unusual
            }
            if next.id != .cluster { parts.append(Part(id: next.id, range: position..<end)) }
            if next.id == .cluster {
                clusters.append(try Self.cluster(next, end, &window))
            } else if let id = next.id, Self.kept.contains(id) || id == .cues {
                guard size <= MatroskaSegment.maximumLoadedSize else { throw Self.unusual }
                // Tags may be told in several places.
                masters[id, default: []] += try file.read(upTo: Int(size), at: next.dataOffset)
            }
            position = end
        }
        guard !clusters.isEmpty, masters[.info] != nil, masters[.tracks] != nil else { throw Self.unusual }
    }

    private static func cluster(
        _ header: ElementHeader, _ end: UInt64, _ window: inout FileWindow
    ) throws(MovieFileError) -> Cluster {
        var position = header.dataOffset
        var time: UInt64?
        while position < end {
            let bytes = try window.bytes(ElementHeader.maximumSize, at: position)
            guard let child = ElementHeader(bytes, at: position), let childEnd = child.end, childEnd <= end else {
                throw unusual
            }
            if child.id == .simpleBlock || child.id == .blockGroup { break }
            if child.id == .timestamp {
                time = try window.bytes(Int(min(child.size ?? 0, 9)), at: child.dataOffset).unsignedInteger
            }
            position = childEnd
        }
        guard let time, let milliseconds = UInt32(exactly: time) else { throw unusual }
        return Cluster(offset: header.offset, time: milliseconds, blocks: position..<end)
    }

    /// The data of all elements of a kind, one behind the other; nil where there is none.
    subscript(id: ElementID) -> [UInt8]? { masters[id] }

    /// - Parameter changes: what takes the place of the data of all elements of a kind; where it is empty, they go.
    mutating func replace(_ changes: [ElementID: [UInt8]]) {
        for (id, data) in changes { masters[id] = data.isEmpty ? nil : data }
    }

    var highestTrackNumber: UInt64 {
        get throws(MovieFileError) {
            var highest: UInt64 = 0
            for entry in try Elements((masters[.tracks] ?? [])[...]).all(.trackEntry) {
                highest = max(highest, try Elements(entry).unsigned(.trackNumber) ?? 0)
            }
            return highest
        }
    }

    /// What comes before the clusters but for the cues, with further tracks.
    ///
    /// - Parameters:
    ///   - attachments: the element that holds attached files; nil where there are none.
    ///   - end: When the last of the tracks ends, in nanoseconds; nil where there are none.
    func parts(
        adding entries: [UInt8], _ attachments: [UInt8]?, end: Int64?
    ) throws(MovieFileError) -> [(id: ElementID, bytes: [UInt8])] {
        var parts: [(id: ElementID, bytes: [UInt8])] = []
        for id in Self.kept {
            if id == .attachments, let attachments { parts.append((id, attachments)) }
            guard var data = masters[id] else { continue }
            if id == .tracks { data += entries }
            if id == .info, let end { data = try Self.info(data, end: end) }
            var element = EBMLWriter()
            element.data(id, data)
            parts.append((id, element.bytes))
        }
        return parts
    }

    private static func info(_ data: [UInt8], end: Int64) throws(MovieFileError) -> [UInt8] {
        let elements = try Elements(data[...])
        guard elements.unsigned(.timestampScale) ?? 1_000_000 == 1_000_000 else { throw unusual }
        let changed = [ElementID.duration, .crc32, .void].map(\.rawValue)
        var writer = EBMLWriter()
        for (rawID, data) in elements.everything where !changed.contains(rawID) { writer.data(rawID: rawID, data) }
        let told = elements.float(.duration) ?? 0
        writer.float(.duration, max(told, Double(end) / Double(MatroskaTime.millisecond)))
        return writer.bytes
    }

    /// The cues, which name clusters by their places.
    ///
    /// - Parameter places: Of all clusters in the new file, from its segment's first byte on.
    func cues(places: [UInt64]) -> [UInt8] {
        let offsets = Dictionary(zip(clusters.map { $0.offset - start }, places)) { first, _ in first }
        var writer = EBMLWriter()
        writer.master(.cues) { cues in
            for point in ((try? Elements((masters[.cues] ?? [])[...]))?.all(.cuePoint) ?? []) {
                guard let point = try? Elements(point), let time = point.unsigned(.cueTime) else { continue }
                let found = point.all(.cueTrackPositions).compactMap { data -> (track: UInt64, place: UInt64)? in
                    guard let position = try? Elements(data), let track = position.unsigned(.cueTrack),
                        let place = position.unsigned(.cueClusterPosition).flatMap({ offsets[$0] })
                    else { return nil }
                    return (track, place)
                }
                guard !found.isEmpty else { continue }
                cues.master(.cuePoint) { point in
                    point.unsigned(.cueTime, time)
                    for (track, place) in found {
                        point.master(.cueTrackPositions) { positions in
                            positions.unsigned(.cueTrack, track)
                            positions.unsigned(.cueClusterPosition, place, length: 8)
                        }
                    }
                }
            }
        }
        return writer.bytes
    }
}
