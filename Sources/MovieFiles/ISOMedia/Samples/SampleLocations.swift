/// Where the first samples of an ordinary track lie and when they are decoded, from its sample table.
struct SampleLocations {
    struct Sample: Equatable {
        var offset: UInt64
        var size: UInt32
        /// In the track's timescale.
        var decodeTime: UInt64
    }

    private(set) var samples: [Sample] = []

    /// - Parameter limit: How many samples at most.
    init(_ stbl: Box, limit: Int) throws(MovieFileError) {
        let sizes = try Self.sizes(try stbl.required("stsz"), limit: limit)
        let times = try Self.times(try stbl.required("stts"), limit: sizes.count)
        let offsets = try Self.chunkOffsets(stbl)
        let runs = try Self.chunkRuns(try stbl.required("stsc"))
        var run = 0
        for (chunk, offset) in offsets.enumerated() {
            while run + 1 < runs.count, runs[run + 1].firstChunk <= chunk { run += 1 }
            guard runs.indices.contains(run) else { return }
            var position = offset
            for _ in 0..<runs[run].sampleCount {
                guard samples.count < min(sizes.count, times.count) else { return }
                let size = sizes[samples.count]
                samples.append(Sample(offset: position, size: size, decodeTime: times[samples.count]))
                position = position.addingReportingOverflow(UInt64(size)).partialValue
            }
        }
    }

    private static func sizes(_ stsz: Box, limit: Int) throws(MovieFileError) -> [UInt32] {
        var reader = ByteReader(stsz)
        try reader.skip(4)
        let constant: UInt32 = try reader.read()
        let count = min(Int(try reader.read(UInt32.self)), limit)
        return constant > 0 ? Array(repeating: constant, count: count) : try reader.readTable(count)
    }

    private static func times(_ stts: Box, limit: Int) throws(MovieFileError) -> [UInt64] {
        var reader = ByteReader(stts)
        try reader.skip(4)
        let entries: UInt32 = try reader.read()
        var times: [UInt64] = []
        var time: UInt64 = 0
        for _ in 0..<entries {
            let count: UInt32 = try reader.read()
            let duration = SampleTable.duration(try reader.read())
            for _ in 0..<min(Int(count), limit - times.count) {
                times.append(time)
                time += UInt64(duration)
            }
            if times.count >= limit { break }
        }
        return times
    }

    /// The offsets of all chunks, from `stco` or `co64`.
    static func chunkOffsets(_ stbl: Box) throws(MovieFileError) -> [UInt64] {
        if let co64 = stbl["co64"] {
            var reader = ByteReader(co64)
            try reader.skip(4)
            return try reader.readTable(Int(try reader.read(UInt32.self)))
        }
        var reader = ByteReader(try stbl.required("stco"))
        try reader.skip(4)
        return try reader.readTable(Int(try reader.read(UInt32.self)), of: UInt32.self).map(UInt64.init)
    }

    /// Chunks, counted from 0, from which on each has that many samples, described in the same way.
    struct ChunkRun {
        var firstChunk: Int
        var sampleCount: Int
        /// From 1.
        var description: UInt32
    }

    static func chunkRuns(_ stsc: Box) throws(MovieFileError) -> [ChunkRun] {
        var reader = ByteReader(stsc)
        try reader.skip(4)
        let table = try reader.readTable(Int(try reader.read(UInt32.self)) * 3, of: UInt32.self)
        return stride(from: 0, to: table.count, by: 3).map {
            ChunkRun(firstChunk: Int(table[$0]) - 1, sampleCount: Int(table[$0 + 1]), description: table[$0 + 2])
        }
    }
}

extension Box {
    /// Checks that the samples of a `trak` can be copied: in this file, in the clear, and of a size that is known.
    func expectCopyable(_ entries: [SampleEntry]) throws(MovieFileError) {
        let encrypted: Set<FourCC> = ["encv", "enca", "enct", "encs", "encf", "encm", "drms", "drmi"]
        for entry in entries where encrypted.contains(entry.format) || entry["sinf"] != nil {
            throw .encrypted(entry.format, offset: entry.fileOffset)
        }
        if try refersToOtherFile() {
            throw .unsupported(reason: "its samples lie in another file, which it only refers to")
        }
    }

    /// Whether the samples of a `trak`, or some of them, lie in another file.
    func refersToOtherFile() throws(MovieFileError) -> Bool {
        guard let dref = descendant("mdia", "minf", "dinf") else { return false }
        return try dref.dataReferences().contains { !$0.isSelfContained }
    }

    /// The entries of `dref` in a `dinf` box (ISO/IEC 14496-12 section 8.7.2).
    func dataReferences() throws(MovieFileError) -> [Box] {
        let children = try Box.boxes(in: payload, at: payloadOffset).boxes
        guard let dref = children.first(where: { $0.type == "dref" }) else { return [] }
        return try Box.boxes(in: dref.payload.dropFirst(8), at: dref.payloadOffset + 8).boxes
    }

    /// Whether a data reference means the file that it stands in: its flag says so, or no other is named.
    private var isSelfContained: Bool {
        payload.count <= 5 || payload.dropFirst(3).first.map { $0 & 1 != 0 } ?? true
    }
}
