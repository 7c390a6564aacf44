import SystemPackage

/// A finished Matroska file with further tracks of subtitles and attached files: all that is in it stays as it is, and each of its clusters
/// gets the subtitles of its time.
struct MatroskaInsertion {
    /// When the last subtitle has been shown, in nanoseconds.
    let end: Int64
    private let original: FinishedMatroska
    private let head: [UInt8]
    private let clusters: [Cluster]

    /// A cluster of the file, and what is put around its blocks.
    private struct Cluster {
        /// From the new file's first cluster on.
        var position: UInt64
        /// Identifier, size, time and the subtitles.
        var head: [UInt8]
        /// Of the blocks that were in it.
        var blocks: Range<UInt64>
        /// Clusters by themselves, of subtitles that are too far from any other.
        var tail: [UInt8]

        var size: UInt64 { UInt64(head.count + tail.count) + UInt64(blocks.count) }
    }

    /// A subtitle as a block.
    private struct Subtitle {
        var block: MatroskaBlock
        var data: [UInt8]

        init(_ cue: MovieSubtitles.Cue, track: UInt8) {
            let time = Self.milliseconds(cue.begin)
            block = MatroskaBlock(
                source: 0, size: UInt32(clamping: cue.data.count), time: time, order: 0, track: track, flags: .isKey)
            if let duration = cue.duration { block.duration = max(1, Self.milliseconds(cue.begin + duration) - time) }
            data = cue.data
        }

        func append(to writer: inout EBMLWriter, clusterTime: UInt32) {
            block.appendHeader(to: &writer, clusterTime: clusterTime)
            writer.append(contentsOf: data)
            writer.append(contentsOf: block.trailer)
        }

        private static func milliseconds(_ nanoseconds: Int64) -> UInt32 {
            UInt32(clamping: (max(0, nanoseconds) + MatroskaTime.millisecond / 2) / MatroskaTime.millisecond)
        }
    }

    /// In milliseconds: a block tells its distance from its cluster in sixteen bits.
    private static let widest: UInt32 = 32_000
    private static let maximumTrackNumber: UInt64 = 126

    /// - Throws: `unsupported` where the file is not as muxers write it, or WebM, which has WebVTT alone.
    init(
        of tracks: [MovieSubtitles.Track], _ attached: AttachedFiles, into file: ReadableFile
    ) throws(MovieFileError) {
        let isWebVTT = attached.isEmpty && tracks.allSatisfy { $0.source.textForm == .webMVTT }
        try self.init(of: tracks, attached, into: try FinishedMatroska(file, mayBeWebM: isWebVTT))
    }

    /// - Parameter room: how many bytes are left free in front of the clusters, for later changes of what stands there; 0 or more than 1.
    init(
        of tracks: [MovieSubtitles.Track] = [], _ attached: AttachedFiles = .init(), into original: FinishedMatroska,
        leaving room: Int = 0
    ) throws(MovieFileError) {
        self.original = original
        var number = try original.highestTrackNumber
        var entries = EBMLWriter()
        var (subtitles, end): ([Subtitle], Int64) = ([], 0)
        for track in tracks {
            number += 1
            guard number <= Self.maximumTrackNumber else {
                throw .unsupported(reason: "it has too many tracks for a Matroska file")
            }
            track.source.append(to: &entries, as: UInt8(clamping: number))
            subtitles += track.cues.filter { !$0.data.isEmpty }.map { Subtitle($0, track: UInt8(clamping: number)) }
            end = max(end, track.cues.reduce(0) { max($0, $1.begin + ($1.duration ?? 0)) })
        }
        self.end = end
        clusters = Self.clusters(original.clusters, with: subtitles.sorted { $0.block.time < $1.block.time })
        head = try Self.head(
            original, entries.bytes, attached.element, end: tracks.isEmpty ? nil : end, room: room, clusters)
    }

    /// - Parameters:
    ///   - target: An empty file.
    ///   - progress: Told now and then which part is written, from 0 to 1.
    func write(to target: FileDescriptor, progress: (Double) -> Void = { _ in }) throws(MovieFileError) {
        let output = DescriptorFile(descriptor: target)
        try output.write(head, at: 0)
        var position = UInt64(head.count)
        for cluster in clusters {
            try output.write(cluster.head, at: position)
            position += UInt64(cluster.head.count)
            try FileCopy.copy(cluster.blocks, of: original.file.descriptor, to: position, of: target)
            position += UInt64(cluster.blocks.count)
            try output.write(cluster.tail, at: position)
            position += UInt64(cluster.tail.count)
            progress(Double(position) / Double(UInt64(head.count) + (clusters.last.map { $0.position + $0.size } ?? 0)))
        }
    }

    /// Puts each subtitle into the cluster of its time.
    private static func clusters(_ old: [FinishedMatroska.Cluster], with subtitles: [Subtitle]) -> [Cluster] {
        var rest = subtitles[...]
        var position: UInt64 = 0
        return old.enumerated().map { index, cluster in
            let next = old.indices.contains(index + 1) ? old[index + 1].time : .max
            let own = rest.prefix { $0.block.time < next }
            rest = rest.dropFirst(own.count)
            let near = own.prefix { $0.block.time.subtractingReportingOverflow(cluster.time).partialValue <= widest }
            var data = EBMLWriter()
            data.unsigned(.timestamp, UInt64(cluster.time))
            for subtitle in near { subtitle.append(to: &data, clusterTime: cluster.time) }
            var head = EBMLWriter()
            head.append(.cluster)
            head.append(size: UInt64(data.bytes.count) + UInt64(cluster.blocks.count), length: 8)
            head.append(contentsOf: data.bytes)
            var tail = EBMLWriter()
            for subtitle in own.dropFirst(near.count) {
                tail.master(.cluster) { alone in
                    alone.unsigned(.timestamp, UInt64(subtitle.block.time))
                    subtitle.append(to: &alone, clusterTime: subtitle.block.time)
                }
            }
            let new = Cluster(position: position, head: head.bytes, blocks: cluster.blocks, tail: tail.bytes)
            position += new.size
            return new
        }
    }

    /// What comes before the clusters.
    private static func head(
        _ original: FinishedMatroska, _ entries: [UInt8], _ attachments: [UInt8]?, end: Int64?, room: Int,
        _ clusters: [Cluster]
    ) throws(MovieFileError) -> [UInt8] {
        func parts(place: UInt64) throws(MovieFileError) -> [UInt8] {
            var parts = try original.parts(adding: entries, attachments, end: end)
            parts.append((.cues, original.cues(places: clusters.map { place + $0.position })))
            let size = UInt64(MatroskaLayout.seekHead(parts, from: 0).count)
            var free = EBMLWriter()
            free.void(room)
            return MatroskaLayout.seekHead(parts, from: size) + parts.flatMap(\.bytes) + free.bytes
        }
        // Positions in them have a fixed length, so the size does not depend on them.
        let place = UInt64(try parts(place: 0).count)
        var writer = EBMLWriter()
        writer.append(contentsOf: original.header)
        writer.append(.segment)
        writer.append(size: place + (clusters.last.map { $0.position + $0.size } ?? 0), length: 8)
        writer.append(contentsOf: try parts(place: place))
        return writer.bytes
    }
}
