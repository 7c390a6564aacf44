import Errors
import MediaTypes

/// What a Matroska file lacks whose recorder did not come to its end: cues, its length, and where its parts lie.
///
/// Everything goes behind the last whole block or into room that the recorder left for it, so no frame moves, and a player that
/// can play the file before can play it after each single step.
struct MatroskaCompletion {
    private let scan: MatroskaScan
    /// Cues, and the tags that came after the clusters.
    private let tail: [UInt8]
    private let cuesSize: Int
    private let segment: ElementHeader
    let movie: FinishedMovie

    /// - Parameter tags: An element that was found behind the clusters, and goes behind the cues.
    /// - Throws: `noSamples`, `unsupported` where no room was left for what is missing.
    init(_ scan: MatroskaScan, tags: [UInt8]) throws(MovieFileError) {
        self.scan = scan
        guard let segment = scan.segment, let info = scan.info, scan.dataEnd > 0, scan.movie.tracks.count > 0 else {
            throw .noSamples
        }
        guard info.duration?.count == 8 || info.duration?.count == 4, Self.head(scan, segment) != nil else {
            throw .unsupported(
                reason:
                    "its recorder left no space for what is missing; make a new movie of it with "
                    + "\(Term.copying)")
        }
        self.segment = segment
        let cues = Self.cues(scan, segment)
        (tail, cuesSize) = (cues + tags, cues.count)
        var movie = scan.movie
        movie.fileSize += UInt64(tail.count)
        movie.indexSize = tail.count
        self.movie = movie
    }

    /// What is added to the file, in bytes.
    var size: Int { tail.count }

    /// Completes a file that ends with the last whole block.
    func complete(_ file: some RandomAccessFile) throws(MovieFileError) {
        do {
            try file.write(tail, at: scan.dataEnd)
            try file.synchronize()
        } catch {
            try? file.truncate(to: scan.dataEnd)
            throw error
        }
        for patch in patches { try file.write(patch.bytes, at: patch.offset) }
        try file.synchronize()
    }

    private var patches: [(offset: UInt64, bytes: [UInt8])] {
        var patches: [(offset: UInt64, bytes: [UInt8])] = []
        func patch(_ offset: UInt64, _ body: (inout EBMLWriter) -> Void) {
            var writer = EBMLWriter()
            body(&writer)
            patches.append((offset, writer.bytes))
        }
        // The last cluster ends earlier than it may have said.
        if let cluster = scan.clusters.last {
            patchSize(of: cluster.offset, dataOffset: cluster.dataOffset, end: scan.dataEnd, id: .cluster, patch)
        }
        // What is damaged between blocks is passed over.
        for loss in scan.losses where loss.size > 1 && loss.offset < scan.dataEnd {
            if let cluster = scan.clusters.last(where: { $0.offset < loss.offset }),
                let end = cluster.end, (loss.offset..<loss.end).contains(end)
            {
                patchSize(of: cluster.offset, dataOffset: cluster.dataOffset, end: loss.offset, id: .cluster, patch)
            }
            patch(loss.offset) { $0.append(voidOf: Int(clamping: loss.size)) }
        }
        if let info = scan.info {
            patches += info.patches(lasting: Double(movie.duration.nanoseconds) / Double(info.timestampScale))
        }
        if let room = Self.head(scan, segment) {
            patch(room.lowerBound) { $0.append(contentsOf: seekHead(room.count)) }
        }
        patchSize(
            of: segment.offset, dataOffset: segment.dataOffset, end: scan.dataEnd + UInt64(tail.count), id: .segment,
            patch)
        return patches
    }

    /// A size keeps the bytes that it has; one for which they are too few stays "not known".
    private func patchSize(
        of offset: UInt64, dataOffset: UInt64, end: UInt64, id: ElementID,
        _ patch: (UInt64, (inout EBMLWriter) -> Void) -> Void
    ) {
        let place = offset + UInt64(id.length)
        let length = Int(dataOffset - place)
        guard end >= dataOffset, EBMLWriter.length(ofSize: end - dataOffset) <= length else { return }
        patch(place) { $0.append(size: end - dataOffset, length: length) }
    }

    /// The room that the recorder left at the segment's beginning for the list of its parts; nil where that is too little.
    private static func head(_ scan: MatroskaScan, _ segment: ElementHeader) -> Range<UInt64>? {
        var end = segment.dataOffset
        for part in scan.parts where part.range.lowerBound == end && [.seekHead, .void].contains(part.id) {
            end = part.range.upperBound
        }
        let room = segment.dataOffset..<end
        return room.count >= headSize(parts: listed.count) ? room : nil
    }

    /// What can be listed there.
    private static let listed: [ElementID] = [.info, .tracks, .chapters, .attachments, .cues, .tags]
    /// Of one part: three headers, an identifier of four bytes and a position of eight.
    private static let seekSize = 21
    /// With a header of five bytes, and two at the least for what fills the rest.
    private static func headSize(parts: Int) -> Int { 5 + parts * seekSize + 2 }

    private func seekHead(_ room: Int) -> [UInt8] {
        var writer = EBMLWriter()
        writer.master(.seekHead) { head in
            for id in Self.listed {
                guard let position = position(id) else { continue }
                head.master(.seek) { seek in
                    var name = EBMLWriter()
                    name.append(id)
                    seek.data(.seekID, name.bytes)
                    seek.unsigned(.seekPosition, position, length: 8)
                }
            }
        }
        let rest = room - writer.bytes.count
        let begin = writer.bytes.count
        writer.append(voidOf: rest)
        writer.append(contentsOf: repeatElement(0, count: begin + rest - writer.bytes.count))
        return writer.bytes
    }

    /// From the first byte of the segment's data.
    private func position(_ id: ElementID) -> UInt64? {
        switch id {
        case .cues: scan.dataEnd - segment.dataOffset
        case .tags where tail.count > cuesSize: scan.dataEnd + UInt64(cuesSize) - segment.dataOffset
        default:
            scan.part(id).flatMap { $0.lowerBound < scan.dataEnd ? $0.lowerBound - segment.dataOffset : nil }
        }
    }

    private static func cues(_ scan: MatroskaScan, _ segment: ElementHeader) -> [UInt8] {
        var writer = EBMLWriter()
        writer.master(.cues) { cues in
            for cluster in scan.clusters {
                guard let entry = cluster.entry, entry.time >= 0 else { continue }
                cues.master(.cuePoint) { point in
                    point.unsigned(.cueTime, UInt64(entry.time))
                    point.master(.cueTrackPositions) { positions in
                        positions.unsigned(.cueTrack, entry.track)
                        positions.unsigned(.cueClusterPosition, cluster.offset - segment.dataOffset)
                        if let offset = entry.offset { positions.unsigned(.cueRelativePosition, offset) }
                    }
                }
            }
        }
        return writer.bytes
    }
}

extension EBMLWriter {
    /// The head of an element of so many bytes, two at the least, that says nothing.
    fileprivate mutating func append(voidOf size: Int) {
        let length = size - 2 < 127 ? 1 : 8
        append(.void)
        append(size: UInt64(size - 1 - length), length: length)
    }
}
