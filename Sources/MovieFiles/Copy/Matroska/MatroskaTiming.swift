/// When the samples of a track are presented, where its edits are such that Matroska, which has none, can do without: a
/// part of the media at its own speed, now or later. Audio may have several.
struct MatroskaTiming: Sendable {
    /// Ticks in a second.
    let timescale: UInt32
    /// The part of the media that is presented, in ticks.
    let media: Range<Int64>
    /// Before which frames begin that are presented: half a tick of the movie before the edit's end, as its length is rounded to those.
    let framesEnd: Int64
    /// When that begins, in nanoseconds of the movie.
    let start: Int64
    /// How much the decoder gives before it and throws away (`CodecDelay`), in nanoseconds. Timestamps are that much later.
    var delay: Int64 = 0
    /// How much later than in the movie all tracks are presented, in nanoseconds: as no timestamp is negative.
    var shift: Int64 = 0

    /// In seconds: beyond, the timestamps of a file would not fit into 32 bits of milliseconds.
    private static let longest: Double = 2_000_000

    init(_ track: CopiedTrack, movieTimescale: UInt32) throws(MovieFileError) {
        let edits = try track.edits(movieTimescale: movieTimescale)
        let shown = edits.filter { $0.mediaTime != nil }
        guard shown.count == 1, let edit = shown.first else {
            throw .unsupported(
                reason:
                    "track \(track.trackID) has several edits, which Matroska cannot express; a .mov or .mp4 file can")
        }
        let empty = edits.prefix { $0.mediaTime == nil }.reduce(0.0) { $0 + Double($1.duration) }
        try self.init(track, edit, from: empty, movieTimescale: movieTimescale, isAlone: true)
    }

    /// All parts of audio, which are presented one behind the other.
    static func parts(of track: CopiedTrack, movieTimescale: UInt32) throws(MovieFileError) -> [MatroskaTiming] {
        let edits = try track.edits(movieTimescale: movieTimescale)
        let isAlone = edits.count { $0.mediaTime != nil } == 1
        var (parts, begin) = ([MatroskaTiming](), 0.0)
        for edit in edits {
            if edit.mediaTime != nil {
                parts.append(
                    try MatroskaTiming(track, edit, from: begin, movieTimescale: movieTimescale, isAlone: isAlone))
            }
            begin += Double(edit.duration)
        }
        guard !parts.isEmpty else { throw .unsupported(reason: "track \(track.trackID) presents nothing") }
        return parts
    }

    /// - Parameters:
    ///   - begin: when the edit begins, in the movie's ticks.
    ///   - isAlone: whether no other one presents anything.
    private init(
        _ track: CopiedTrack, _ edit: EditList.Edit, from begin: Double, movieTimescale: UInt32, isAlone: Bool
    ) throws(MovieFileError) {
        timescale = track.timescale
        let mediaTime = edit.mediaTime ?? 0
        // An edit's length is rounded to the movie's ticks: what reaches no further beyond is not cut off. Between two parts that would
        // be heard.
        let isExact = !isAlone && movieTimescale >= timescale
        let length = (Double(edit.duration) + (isExact ? 0 : 1)) / Double(movieTimescale)
        guard begin / Double(movieTimescale) < Self.longest, length < Self.longest,
            Double(mediaTime) / Double(timescale) < Self.longest,
            Double(track.table.duration) / Double(timescale) < Self.longest
        else { throw .unsupported(reason: "track \(track.trackID) lasts longer than Matroska can count") }
        start = Int64((begin / Double(movieTimescale) * Double(MatroskaTime.second)).rounded())
        media = Int64(mediaTime)..<Int64(mediaTime) + max(1, Int64((length * Double(timescale)).rounded()))
        let exact = (Double(edit.duration) - 0.5) / Double(movieTimescale) * Double(timescale)
        framesEnd = Int64(mediaTime) + max(1, Int64(exact.rounded(.up)))
    }

    /// A length in ticks as nanoseconds, rounded.
    func nanoseconds(_ ticks: Int64) -> Int64 {
        let (seconds, rest) = ticks.quotientAndRemainder(dividingBy: Int64(timescale))
        // The rest fits into 32 bits, so the product into 62.
        let nanoseconds = (Double(rest) * Double(MatroskaTime.second) / Double(timescale)).rounded()
        return seconds * MatroskaTime.second + Int64(nanoseconds)
    }

    /// When a moment of the media is presented, in nanoseconds of the movie: before it begins, where it is negative.
    func presentation(_ mediaTime: Int64) -> Int64 {
        start + nanoseconds(mediaTime - media.lowerBound)
    }

    /// The timestamp for it, in milliseconds. What is under way when the movie begins, begins with it.
    func timestamp(_ mediaTime: Int64) -> UInt32 {
        UInt32(clamping: (presentation(mediaTime) + shift + delay + MatroskaTime.millisecond / 2).quotientRoundedDown)
    }

    /// Likewise for a decoding time, which may lie before the movie.
    func order(_ mediaTime: Int64) -> Int32 {
        Int32(clamping: (presentation(mediaTime) + shift + delay).quotientRoundedDown)
    }
}

extension Int64 {
    /// Of milliseconds in so many nanoseconds.
    fileprivate var quotientRoundedDown: Int64 {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: MatroskaTime.millisecond)
        return remainder < 0 ? quotient - 1 : quotient
    }
}
