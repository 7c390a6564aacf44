/// Where everything lies in a copy, to the byte.
struct CopyLayout: Sendable {
    /// What comes before the samples: brands, the index where it comes first, room, and the head of the `mdat` box.
    private(set) var head: [UInt8] = []
    /// Where the samples lie, in the copy's order.
    let runs: [CopyRun]
    /// What comes behind the samples.
    private(set) var tail: [UInt8] = []
    /// Where the samples begin in the copy.
    var dataOffset: UInt64 { UInt64(head.count) }
    let fileSize: UInt64

    /// Behind an index at the front: enough for a title and a few dozen chapters.
    private static let room: UInt64 = 4096
    /// What lies at the same place within a block as in the original can be shared with it.
    private static let blockSize: UInt64 = 4096
    /// From how many bytes on that is worth up to a block of nothing.
    private static let shareableSize: UInt64 = 256 << 10
    /// Up to here 32 bits are enough for all offsets: an index before the samples has at most as much again.
    private static let largestNarrowSize: UInt64 = 2 << 30

    init(_ plan: CopyPlan, putsIndexFirst: Bool) throws(MovieFileError) {
        let order = try Interleaving(plan.tracks)
        runs = order.runs
        let dataSize = runs.reduce(0) { $0 + UInt64($1.bytes.count) }
        let brands = try plan.brands().serialized()
        // Decided before the index is made, so that its size does not depend on the offsets in it.
        let isWide = dataSize > Self.largestNarrowSize
        let mdatHeader: UInt64 = isWide ? 16 : 8

        // What is written anew lies behind the samples that are copied.
        let texts = plan.subtitles.reduce(into: [UInt8]()) { $0 += $1.data }
        let timeCode = try plan.timeCode.map { (code) throws(MovieFileError) in try TimeCodeTrack(code) }
        let textsSize = UInt64(texts.count + (timeCode?.data.count ?? 0))

        func index(from offset: UInt64) throws(MovieFileError) -> (moov: Box, chapters: ChapterTrack?) {
            let chunks = order.chunks(trackCount: plan.tracks.count, from: offset)
            var moov = try plan.index(chunks: chunks, isWide: isWide)
            try moov.add(plan.subtitles, dataOffset: offset + dataSize, for: plan.fileType)
            if let timeCode {
                try moov.add(
                    timeCode, dataOffset: offset + dataSize + UInt64(texts.count),
                    isQuickTime: plan.fileType == .mov)
            }
            let chapters = plan.chapters.isEmpty ? nil : plan.chapters
            let track = try chapters.flatMap { (list) throws(MovieFileError) in
                try moov.setChapters(list, dataOffset: offset + dataSize + textsSize)
            }
            return (moov, track)
        }

        let indexSize = putsIndexFirst ? UInt64(try index(from: 0).moov.serialized().count) : 0
        var room = putsIndexFirst ? Self.room : 0
        if let (before, largest) = Self.largest(runs), largest.count >= Self.shareableSize {
            let offset = UInt64(brands.count) + indexSize + room + mdatHeader + before
            room += (largest.lowerBound &- offset) % Self.blockSize
            // Free space has a head of its own.
            if (1..<8).contains(room) { room += Self.blockSize }
        }
        let dataOffset = UInt64(brands.count) + indexSize + room + mdatHeader
        let (moov, chapters) = try index(from: dataOffset)
        var writer = ByteWriter()
        writer.append(contentsOf: brands)
        if putsIndexFirst { try moov.write(to: &writer) }
        if room > 0 {
            try writer.box("free") { (writer: inout ByteWriter) in
                writer.append(contentsOf: repeatElement(0, count: Int(room) - 8))
            }
        }
        writer.append(isWide ? 1 : UInt32(truncatingIfNeeded: dataSize + mdatHeader))
        writer.append(FourCC("mdat"))
        if isWide { writer.append(dataSize + mdatHeader) }
        head = writer.bytes
        tail = texts + (timeCode?.data ?? []) + (chapters?.data ?? [])
        if !putsIndexFirst { tail += try moov.serialized() }
        fileSize = UInt64(head.count) + dataSize + UInt64(tail.count)
    }

    /// The original's largest run, and how many bytes come before it.
    private static func largest(_ runs: [CopyRun]) -> (before: UInt64, run: Range<UInt64>)? {
        var position: UInt64 = 0
        var largest: (before: UInt64, run: Range<UInt64>)?
        for run in runs {
            if !run.isEncoded, run.bytes.count > largest?.run.count ?? 0 { largest = (position, run.bytes) }
            position += UInt64(run.bytes.count)
        }
        return largest
    }
}
