/// All blocks of a Matroska file in their order, and which of them make a cluster.
struct ClusterPlan: Sendable {
    struct Cluster: Sendable, Equatable {
        var blocks: Range<Int>
        /// Of the earliest of its blocks, in milliseconds.
        var time: UInt32
        /// Of its data: the timestamp and the blocks.
        var size: UInt64
        /// Where it begins, from the first one's beginning.
        var position: UInt64
        /// Whether its first block is a key frame; without frames, any audio.
        var isEntry: Bool

        /// With the ID and the size before the data.
        var wholeSize: UInt64 {
            UInt64(ElementID.cluster.length + EBMLWriter.length(ofSize: size)) + size
        }

        /// The data before the first block.
        var timestampSize: UInt64 { UInt64(2 + EBMLWriter.length(ofUnsigned: UInt64(time))) }
    }

    private(set) var blocks: [MatroskaBlock] = []
    private(set) var clusters: [Cluster] = []
    /// Of all clusters, in bytes.
    private(set) var size: UInt64 = 0

    /// RFC 9559 section 25.1 advises five seconds or five megabytes at most.
    private static let longest: Int64 = 5000
    private static let largest: UInt64 = 5_000_000
    /// In milliseconds: as soon as that is over, a key frame begins a cluster. Where all frames are key frames each would
    /// be one of its own.
    private static let shortest: Int64 = 500
    /// In milliseconds: a block tells its distance from its cluster in sixteen bits.
    private static let widest: UInt32 = 32_000
    /// In bytes, of one sample: a cluster is held in memory.
    private static let largestSample: UInt32 = 256 << 20
    /// Of one cluster, and with them what may lie between their bytes in the original.
    private static let maximumBlocks = 4096
    /// A day of audio whose packets lie apart one by one; some hundred megabytes.
    private static let maximumCount = 8_000_000

    /// - Parameters:
    ///   - tracks: The blocks of each, in their order.
    ///   - lead: The number of the track whose key frames begin clusters; nil where there are no frames.
    init(_ tracks: [some Sequence<MatroskaBlock>], texts: [[MatroskaBlock]], lead: UInt8?) throws(MovieFileError) {
        let sources = tracks.map { AnyIterator($0.makeIterator()) } + texts.map { AnyIterator($0.makeIterator()) }
        var heads = sources.map { $0.next() }
        var cluster: Pending?
        while let next = Self.earliest(heads), let block = heads[next] {
            heads[next] = sources[next].next()
            guard blocks.count < Self.maximumCount else {
                throw .unsupported(reason: "it has too many samples for a Matroska file")
            }
            for size in [block.size, max(1, block.transparencySize)] where !(1...Self.largestSample).contains(size) {
                throw .unsupported(reason: "it has a sample of \(size) bytes")
            }
            if let begun = cluster, begun.ends(before: block, lead: lead) {
                close(begun)
                cluster = nil
            }
            var open = cluster ?? Pending(block, at: blocks.count, lead: lead)
            open.add(block)
            cluster = open
            blocks.append(block)
        }
        if let cluster { close(cluster) }
    }

    /// The track whose next block comes first; of several the first one.
    private static func earliest(_ heads: [MatroskaBlock?]) -> Int? {
        var first: (index: Int, order: Int32)?
        for (index, head) in heads.enumerated() {
            guard let order = head?.order, order < first?.order ?? .max else { continue }
            first = (index, order)
        }
        return first?.index
    }

    private mutating func close(_ cluster: Pending) {
        var closed = Cluster(
            blocks: cluster.first..<blocks.count, time: cluster.times.lowerBound, size: cluster.size, position: size,
            isEntry: cluster.isEntry)
        closed.size += closed.timestampSize
        size += closed.wholeSize
        clusters.append(closed)
    }

    /// A cluster that gets blocks.
    private struct Pending {
        let first: Int
        let begin: Int64
        let isEntry: Bool
        var times: ClosedRange<UInt32>
        var size: UInt64 = 0
        var count = 0

        init(_ block: MatroskaBlock, at index: Int, lead: UInt8?) {
            (first, begin, times) = (index, Int64(block.order), block.time...block.time)
            isEntry = block.isEntry(lead)
        }

        mutating func add(_ block: MatroskaBlock) {
            times = min(times.lowerBound, block.time)...max(times.upperBound, block.time)
            size += block.encodedSize
            count += 1
        }

        func ends(before block: MatroskaBlock, lead: UInt8?) -> Bool {
            let length = Int64(block.order) - begin
            if length >= ClusterPlan.longest || count >= ClusterPlan.maximumBlocks { return true }
            if size + block.encodedSize > ClusterPlan.largest { return true }
            if lead != nil, block.isEntry(lead), !isEntry || length >= ClusterPlan.shortest { return true }
            return max(times.upperBound, block.time) - min(times.lowerBound, block.time) > ClusterPlan.widest
        }
    }
}

extension MatroskaBlock {
    /// Whether a player can begin with it.
    fileprivate func isEntry(_ lead: UInt8?) -> Bool {
        flags.contains(.isKey) && (lead == nil || track == lead)
    }
}
