import MediaTypes

/// The index of several movies that are shown one behind the other.
struct JoinedMovie {
    private let first: JoinedPart
    private var tracks: [JoinedTrack]
    private(set) var chapters: [MovieInfo.Chapter]
    /// In seconds.
    private(set) var duration: Double
    private var others: Set<FourCC>
    private var lateChapters: Int

    /// In seconds: 68 years, which 64 bits can hold in ticks of any timescale.
    static let maximumDuration: UInt64 = 1 << 31

    /// Ticks in a second at most.
    static let finestTimescale: UInt64 = 100_000_000

    /// - Parameter mayPause: whether audio may pause at the seams, as in files without edits.
    init(_ part: JoinedPart, mayPause: Bool = false) throws(MovieFileError) {
        (first, chapters, others) = (part, part.chapters, Set(part.others))
        (duration, lateChapters) = (part.duration, part.lateChapters)
        tracks = []
        for track in part.tracks {
            tracks.append(try JoinedTrack(track, lasting: part.duration, mayPause: mayPause))
        }
    }

    /// - Parameter base: where its file begins in the row of all.
    /// - Throws: `unsupported` where it is not like the others.
    mutating func append(_ part: JoinedPart, at base: UInt64) throws(MovieFileError) {
        guard duration + part.duration < Double(Self.maximumDuration) else {
            throw .unsupported(reason: "all movies together last longer than any movie can")
        }
        for (index, track) in try ordered(part.tracks).enumerated() {
            try tracks[index].append(track, at: base, from: duration, lasting: part.duration)
        }
        chapters += part.chapters.map { chapter in
            .init(start: chapter.start + MediaTime(seconds: duration), title: chapter.title)
        }
        others.formUnion(part.others)
        lateChapters += part.lateChapters
        duration += part.duration
    }

    /// A movie's tracks in the order that the first movie has.
    private func ordered(_ others: [JoinedPart.Track]) throws(MovieFileError) -> [JoinedPart.Track] {
        var left = others
        let found = tracks.compactMap { track in
            left.firstIndex { $0.source.handler == track.handler }.map { left.remove(at: $0) }
        }
        guard found.count == tracks.count, left.isEmpty else {
            let (own, theirs) = (tracks.map(\.handler), others.map(\.source.handler))
            throw .unsupported(reason: "it has \(Self.words(theirs)), and the first movie \(Self.words(own))")
        }
        return found
    }

    private static func words(_ handlers: [FourCC]) -> String {
        func count(_ handler: FourCC, _ name: String) -> String {
            let number = handlers.count { $0 == handler }
            return "\(number) \(name) track\(number == 1 ? "" : "s")"
        }
        return "\(count("vide", "video")) and \(count("soun", "audio"))"
    }

    /// What is left out, in full sentences.
    var omissions: [String] {
        var omissions: [String] = []
        if !others.isEmpty {
            omissions = ["Only video, audio, chapters and the first time code are joined; other tracks are left out."]
        }
        if lateChapters > 0 {
            let begins = lateChapters == 1 ? "chapter begins" : "chapters begin"
            omissions.append("Left out: \(lateChapters) \(begins) after the end of its movie.")
        }
        return omissions
    }

    /// Ticks in a second that tell all lengths exactly, where 32 bits can hold them.
    private var timescale: UInt32 {
        let common = tracks.reduce(UInt64(1)) { $0.leastCommonMultiple(with: UInt64($1.timescale)) }
        return common <= Self.finestTimescale ? UInt32(common) : tracks.map(\.timescale).max() ?? 90_000
    }

    func moov() throws(MovieFileError) -> Box {
        let timescale = timescale
        var moov = first.moov
        moov.removeChildren { $0.type == "trak" }
        var longest: UInt64 = 0
        var traks: [Box] = []
        for track in tracks {
            let made = try track.trak(movieTimescale: timescale)
            longest = max(longest, made.duration)
            traks.append(made.trak)
        }
        if let timeCode = first.timeCode {
            traks.append(try timeCode.stretched(from: first.timeCodeStart, to: duration, timescale))
        }
        for trak in traks.reversed() { moov.insert(trak, after: "mvhd") }
        try moov.edit(["mvhd"]) { (mvhd: inout Box) throws(MovieFileError) in
            try mvhd.setTimescale(timescale)
            try mvhd.setDuration(longest)
        }
        return moov
    }
}

extension CopiedTrack {
    /// A track of one time code that counts on to the end.
    ///
    /// - Parameters:
    ///   - start: Where it begins to be counted, in seconds of the track.
    ///   - seconds: How long it is counted.
    fileprivate func stretched(
        from start: Double, to seconds: Double, _ movieTimescale: UInt32
    ) throws(MovieFileError) -> Box {
        var table = table
        guard table.count == 1 else { throw .unsupported(reason: "its time code is stored in several samples") }
        guard table.stretch(to: UInt64(((start + seconds) * Double(timescale)).rounded())) else {
            throw .unsupported(reason: "its time code cannot count as long as all movies last")
        }
        let shown = UInt64((seconds * Double(movieTimescale)).rounded())
        return try trak.replacingSamples(
            with: table,
            edits: EditList(edits: [.init(duration: shown, mediaTime: UInt64((start * Double(timescale)).rounded()))]),
            lasting: shown)
    }
}

extension Box {
    /// A `trak` with other samples and edits.
    func replacingSamples(
        with table: SampleTable, edits: EditList, lasting shown: UInt64
    ) throws(MovieFileError) -> Box {
        var trak = self
        trak.removeChildren { $0.type == "edts" }
        trak.insert(try edits.box(), after: "tkhd")
        try trak.edit(["tkhd"]) { (tkhd: inout Box) throws(MovieFileError) in try tkhd.setDuration(shown) }
        try trak.edit(["mdia", "mdhd"]) { (mdhd: inout Box) throws(MovieFileError) in
            try mdhd.setDuration(table.duration)
        }
        try trak.edit(["mdia", "minf", "stbl"]) { (stbl: inout Box) throws(MovieFileError) in
            // Properties of samples that the first movie lists are of those alone.
            stbl.removeChildren { $0.type != "stsd" }
            stbl.children?.append(contentsOf: try table.boxes())
        }
        return trak
    }
}
