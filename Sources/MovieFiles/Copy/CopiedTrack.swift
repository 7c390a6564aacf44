/// A track that is in the copy, and which of its samples are.
struct CopiedTrack: Sendable {
    /// As it will be in the copy, but for its sample table.
    var trak: Box
    let trackID: UInt32
    let handler: FourCC
    /// Ticks in a second.
    let timescale: UInt32
    /// The samples as the original lists them.
    let table: SampleTable
    /// Those that are copied.
    private(set) var samples: Range<Int>
    /// Those as the copy lists them; nil where that is as the original does.
    private var part: SampleTable?
    /// Encoded frames, and which of the samples they stand for; at the beginning.
    private(set) var beginning: EncodedBeginning?
    private(set) var encoded = 0..<0
    /// What is added to a decoding time to get the movie's, in seconds.
    private(set) var shift = 0.0

    init(_ trak: Box, entries: [SampleEntry], fileSize: UInt64, movieTimescale: UInt32) throws(MovieFileError) {
        self.trak = trak
        trackID = try TrackHeader(try trak.required("tkhd")).trackID
        let mdia = try trak.required("mdia")
        handler = try mdia.required("hdlr").handlerType()
        timescale = try TimeHeader(try mdia.required("mdhd")).timescale
        let stbl = try mdia.required("minf").required("stbl")
        var bytesPerFrame: Int?
        if handler == "soun", let entry = entries.first { bytesPerFrame = try AudioFields(entry).bytesPerFrame }
        table = try SampleTable(stbl, bytesPerFrame: bytesPerFrame)
        samples = 0..<table.count
        guard table.duration < Self.maximumDuration else {
            throw .unsupported(reason: "track \(trackID) lasts longer than any movie can")
        }
        try expectKnownSizes(stbl, entries, bytesPerFrame: bytesPerFrame)
        try expectSamples(before: fileSize, stbl)
        if let elst = trak.descendant("edts", "elst") {
            setShift(try EditList(elst), movieTimescale: movieTimescale)
        }
    }

    /// In ticks: so far from the end of 64 bits that times can be added.
    static let maximumDuration: UInt64 = 1 << 61

    /// Whether samples follow each other without a pause, as video and audio do, and text does not.
    var playsAllAlong: Bool { handler == "vide" || handler == "soun" }

    /// QuickTime's old codecs count samples of audio whose packets are of another size.
    private func expectKnownSizes(
        _ stbl: Box, _ entries: [SampleEntry], bytesPerFrame: Int?
    ) throws(MovieFileError) {
        guard handler == "soun", bytesPerFrame == nil, table.sizes.constant == 1, let entry = entries.first else {
            return
        }
        throw .unsupported(reason: "its audio, '\(entry.format)', is laid out in a way that only QuickTime 2 knew")
    }

    private func expectSamples(before end: UInt64, _ stbl: Box) throws(MovieFileError) {
        guard table.sizes.total <= end else {
            throw .invalidBox(
                "stsz", offset: stbl.fileOffset, reason: "track \(trackID) claims more bytes than the file has")
        }
        var cursor = SampleCursor(table)
        for chunk in table.chunks {
            let size = cursor.advance(chunk.sampleCount)
            guard chunk.offset <= end, size <= end - chunk.offset else {
                throw .unsupported(
                    reason: "it is incomplete: samples of track \(trackID) lie beyond the end of the file")
            }
        }
    }

    /// Leaves the samples and the edits of a part of the movie.
    mutating func trim(_ trim: TrackTrim, movieTimescale: UInt32) throws(MovieFileError) {
        samples = trim.samples
        setShift(trim.edits, movieTimescale: movieTimescale, cutting: trim.firstDecodeTime)
        var part = table.samples(samples)
        var edits = trim.edits
        if let beginning = trim.beginning, let boundary = trim.boundary {
            part = try boundary.part(part, beginning, from: trim.firstDecodeTime)
            (self.beginning, encoded) = (beginning, samples.lowerBound..<boundary.firstCopied)
        }
        if let (sample, ticks) = trim.underWay {
            part.begin(sample - samples.lowerBound, ticks, &edits, handler: handler)
        }
        self.part = part
        let shown = edits.edits.reduce(0) { $0 + $1.duration }
        trak.removeChildren { $0.type == "edts" }
        trak.insert(try edits.box(), after: "tkhd")
        try trak.edit(["tkhd"]) { (tkhd: inout Box) throws(MovieFileError) in try tkhd.setDuration(shown) }
        try trak.edit(["mdia", "mdhd"]) { (mdhd: inout Box) throws(MovieFileError) in
            try mdhd.setDuration(part.duration)
        }
        try trak.edit(["mdia", "minf", "stbl"]) { (stbl: inout Box) throws(MovieFileError) in
            try stbl.keepSampleProperties(of: trim.samples)
            try trim.beginning?.describe(in: &stbl)
        }
    }

    private mutating func setShift(_ list: EditList, movieTimescale: UInt32, cutting first: UInt64 = 0) {
        guard let mediaTime = list.edits.compactMap(\.mediaTime).first else { return }
        let empty = list.edits.prefix { $0.mediaTime == nil }.reduce(0.0) { $0 + Double($1.duration) }
        shift = empty / Double(movieTimescale) - (Double(mediaTime) + Double(first)) / Double(timescale)
    }

    /// How many samples the track's edits present in the copy, each as often as it is.
    func shownCount(movieTimescale: UInt32) throws(MovieFileError) -> Int {
        let table = part ?? table
        // Four days at 30 frames a second: a table that only says how many there are may say any number.
        guard table.count <= 10_000_000, let elst = trak.descendant("edts", "elst") else { return table.count }
        let edits = try EditList(elst).edits.filter { $0.mediaTime != nil }
        guard !edits.isEmpty, edits.allSatisfy({ $0.duration > 0 }) else { return table.count }
        var times: [Int64] = []
        times.reserveCapacity(table.count)
        table.forEachTime { times.append($1) }
        times.sort()
        func count(before time: Double) -> Int {
            var (low, high) = (0, times.count)
            while low < high {
                let middle = (low + high) / 2
                if Double(times[middle]) < time { low = middle + 1 } else { high = middle }
            }
            return low
        }
        // What is rounded to the movie's ticks.
        let tolerance = Double(timescale) / 1000
        return edits.reduce(0) { total, edit in
            let begin = Double(edit.mediaTime ?? 0) - tolerance
            let length = Double(edit.duration) / Double(movieTimescale) * Double(timescale)
            return total + count(before: begin + length) - count(before: begin)
        }
    }

    /// The track with its samples in these chunks.
    func trak(
        chunks: [SampleTable.Chunk], isWide: Bool, isQuickTime: Bool
    ) throws(MovieFileError) -> Box {
        var trak = trak
        var copied = part ?? table
        copied.chunks = chunks
        try trak.edit(["mdia", "minf", "stbl"]) { (stbl: inout Box) throws(MovieFileError) in
            stbl.removeChildren { Self.tableBoxes.contains($0.type) }
            stbl.children?.append(contentsOf: try copied.boxes(isWide: isWide, isQuickTime: isQuickTime))
        }
        return trak
    }

    /// What lists the samples; and offsets of what decrypts them, which would point nowhere.
    private static let tableBoxes: Set<FourCC> = [
        "stts", "ctts", "stss", "stsc", "stsz", "stz2", "stco", "co64", "saiz", "saio",
    ]
}

extension SampleTable {
    /// Lets a part begin with the sample that is under way by then, for so many ticks already.
    ///
    /// An edit alone would say so, but ffmpeg, and whatever is built on it, drops a sample that begins before its edit,
    /// and shows all that follow too early by what is left of it.
    fileprivate mutating func begin(_ sample: Int, _ ticks: UInt64, _ edits: inout EditList, handler: FourCC) {
        guard handler != "vide" else { return delay(sample: sample, by: Int64(ticks)) }
        // A time code counts on from its sample's beginning, wherever an edit begins.
        guard handler != "tmcd", sample == 0, shortenFirst(by: ticks) else { return }
        for index in edits.edits.indices {
            edits.edits[index].mediaTime = edits.edits[index].mediaTime.map { $0 - min($0, ticks) }
        }
    }
}
