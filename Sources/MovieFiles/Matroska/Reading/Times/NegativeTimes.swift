package import MediaTypes
package import SystemPackage

/// Matroska whose first blocks lie before the time 0, as old versions of ffmpeg left it that cut a movie within a group of frames:
/// matroskademux (1.22) gives all of these blocks the time 0. With other times in their places the first of them begins there.
package struct NegativeTimes: Sendable, Hashable {
    /// By how much later everything is shown.
    package let shift: MediaTime
    /// What is read in the place of the file's own bytes.
    package let patches: [KeptBytes.Patch]

    /// - Returns: nil for a file without, and for one that has no space for other times.
    /// - Throws: `notAFile`, `system`.
    package init?(readingMatroska path: FilePath) throws(MovieFileError) {
        let found = try ReadableFile.open(path) { (file) throws(MovieFileError) in try NegativeTimes(file) }
        guard let found else { return nil }
        self = found
    }

    private init?(_ file: ReadableFile) throws(MovieFileError) {
        guard try MatroskaSegment.isMatroska(file), try Self.first(Self.headCount, of: file).earliest < 0 else {
            return nil
        }
        let times = try Self.first(.max, of: file)
        guard let patches = times.patches else { return nil }
        self.patches = patches
        let scale = try MatroskaSegment(file, for: .tracks).timestampScale
        shift = MediaTime(nanoseconds: -times.earliest * Int64(scale))
    }

    /// What is shown before the time 0 lies in front.
    private static let headCount = 64

    private static func first(_ count: Int, of file: ReadableFile) throws(MovieFileError) -> BlockTimes {
        var (times, window, position): (BlockTimes, FileWindow, UInt64) = (BlockTimes(), FileWindow(file), 0)
        while times.count < count,
            let header = ElementHeader(try window.bytes(ElementHeader.maximumSize, at: position), at: position)
        {
            switch header.id {
            case .segment, .cluster, .blockGroup:
                position = header.dataOffset
                if header.id == .cluster { times.beginCluster() }
                continue
            case .timestamp:
                let time = try window.bytes(Int(min(header.size ?? 0, 9)), at: header.dataOffset)
                times.note(cluster: time, header)
            case .simpleBlock, .block:
                times.note(block: try window.bytes(8 + 2, at: header.dataOffset), at: header.dataOffset)
            default: break
            }
            guard let end = header.end, end > position else { break }
            position = end
        }
        return times
    }
}

/// The times of a file's blocks, and where they lie.
private struct BlockTimes {
    private struct Cluster {
        var time: Int64 = 0
        /// Of the bytes of its own time.
        var place: Range<UInt64>?
        var blocks: [(place: UInt64, time: Int16)] = []
    }

    private var clusters: [Cluster] = []
    private(set) var count = 0
    /// In ticks; 0 where none is negative.
    private(set) var earliest: Int64 = 0

    mutating func beginCluster() { clusters.append(Cluster()) }

    mutating func note(cluster bytes: ArraySlice<UInt8>, _ header: ElementHeader) {
        guard !clusters.isEmpty, let time = bytes.unsignedInteger.flatMap(Int64.init(exactly:)), let end = header.end,
            time < Int64.max / 2
        else { return }
        clusters[clusters.count - 1].time = time
        clusters[clusters.count - 1].place = header.dataOffset..<end
    }

    mutating func note(block bytes: ArraySlice<UInt8>, at offset: UInt64) {
        guard !clusters.isEmpty, let (_, length) = bytes.variableSizeNumber,
            let time = UInt16(bigEndianBytes: bytes.dropFirst(length).prefix(2))
        else { return }
        let relative = Int16(bitPattern: time)
        clusters[clusters.count - 1].blocks.append((offset + UInt64(length), relative))
        earliest = min(earliest, clusters[clusters.count - 1].time + Int64(relative))
        count += 1
    }

    /// What makes all of them later by as much as the earliest is too early: other times of clusters where these have the bytes for it, other times
    /// of their blocks where not; nil where neither fits.
    var patches: [KeptBytes.Patch]? {
        var patches: [KeptBytes.Patch] = []
        for cluster in clusters {
            let moved = UInt64(cluster.time - earliest)
            if let place = cluster.place, place.count == 8 || moved >> UInt64(8 * place.count) == 0 {
                let bytes = (0..<place.count).reversed().map { UInt8(truncatingIfNeeded: moved >> UInt64(8 * $0)) }
                patches.append(.init(offset: place.lowerBound, bytes: bytes))
                continue
            }
            for block in cluster.blocks {
                guard let time = Int16(exactly: Int64(block.time) - earliest) else { return nil }
                let bits = UInt16(bitPattern: time)
                patches.append(.init(offset: block.place, bytes: [UInt8(bits >> 8), UInt8(bits & 0xFF)]))
            }
        }
        return patches
    }
}
