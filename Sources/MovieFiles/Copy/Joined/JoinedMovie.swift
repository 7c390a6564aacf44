import Errors
import Foundation
import MediaTypes

/// The index of several movies that are shown one behind the other.
struct JoinedMovie {
    private let first: JoinedPart
    private var tracks: [JoinedTrack]
    private(set) var chapters: [MovieInfo.Chapter]
    /// Where the number of the first frame lies, in the row of all files; nil where the first movie's own is that.
    var timeCodePlace: UInt64?
    /// In seconds.
    private(set) var duration: Double
    private var others: Set<FourCC>
    /// Of each track, as the first movie says.
    private let languages: [TrackLanguage?]
    /// What is said of audio that goes on in another language.
    private var mixedLanguages: [String] = []
    private var lateChapters = 0
    /// In seconds.
    private var pauses = 0.0
    /// What of the movies' audio is left out, in seconds: before their first frames, and behind their last ones.
    private var (omittedBeginnings, omittedEnds) = (0.0, 0.0)

    /// In seconds: 68 years, which 64 bits can hold in ticks of any timescale.
    static let maximumDuration: UInt64 = 1 << 31

    /// Ticks in a second at most.
    static let finestTimescale: UInt64 = 100_000_000

    /// In seconds: what is told that is left out of a movie's audio before its first frame, and of pauses; less is what a decoder's delay is.
    private static let tellsFrom = 0.1

    /// In seconds: what is told of audio behind a movie's last frame; less is what fills a packet, or the time that a frame is shown.
    private static func tellsFrom(_ part: JoinedPart) -> Double { min(tellsFrom, part.longestSample + 0.001) }

    /// - Parameters:
    ///   - isForMatroska: whether it becomes a file of Matroska, without edits.
    ///   - isLast: whether none follows, so that its audio may go on behind its last frame.
    init(_ part: JoinedPart, isForMatroska: Bool = false, isLast: Bool = false) throws(MovieFileError) {
        (first, duration) = (part, part.duration)
        (tracks, chapters, others) = ([], [], [])
        languages = try part.tracks.map { (track) throws(MovieFileError) in try track.language }
        for track in part.tracks {
            let end = Self.end(of: track, in: part, isLast: isLast)
            tracks.append(try JoinedTrack(track, lasting: end, isForMatroska: isForMatroska))
        }
        note(part, from: 0, isLast: isLast)
    }

    /// - Parameters:
    ///   - base: where its file begins in the row of all.
    ///   - isLast: whether none follows, so that its audio may go on behind its last frame.
    /// - Throws: `unsupported` where it is not like the others.
    mutating func append(_ part: JoinedPart, at base: UInt64, isLast: Bool = false) throws(MovieFileError) {
        guard duration + part.duration < Double(Self.maximumDuration) else {
            throw .unsupported(reason: "all movies together last longer than any movie can")
        }
        for (index, track) in try ordered(part.tracks).enumerated() {
            let end = Self.end(of: track, in: part, isLast: isLast)
            try tracks[index].append(track, at: base, from: duration, lasting: end)
        }
        let pause = tracks.map(\.pause).max() ?? 0
        pauses += pause > Self.tellsFrom ? pause : 0
        note(part, from: duration, isLast: isLast)
        duration += part.duration
    }

    /// When a track ends, in seconds of its movie; nil where it has all that it is. What the last movie has behind its last frame is audio
    /// only where it is more than what fills a packet.
    private static func end(of track: JoinedPart.Track, in part: JoinedPart, isLast: Bool) -> Double? {
        isLast && track.duration - part.duration > tellsFrom(part) ? nil : part.duration
    }

    /// Adds a movie's chapters, and what of it is left out.
    private mutating func note(_ part: JoinedPart, from start: Double, isLast: Bool) {
        let end = isLast ? part.wholeDuration : part.duration
        let kept = part.chapters + part.lateChapters.filter { $0.start.seconds < end }
        chapters += kept.map { .init(start: $0.start + MediaTime(seconds: start), title: $0.title) }
        lateChapters += part.chapters.count + part.lateChapters.count - kept.count
        others.formUnion(part.others)
        omittedBeginnings += part.omittedBeginning > Self.tellsFrom ? part.omittedBeginning : 0
        let cut = tracks.filter { $0.handler == "soun" }.map(\.cutDuration).max() ?? 0
        omittedEnds += cut > Self.tellsFrom(part) ? cut : 0
    }

    /// A movie's tracks in the order that the first movie has: by their languages where each has one of its own, the rest as they stand.
    private mutating func ordered(_ others: [JoinedPart.Track]) throws(MovieFileError) -> [JoinedPart.Track] {
        let theirs = try others.map { (track) throws(MovieFileError) in (track, try track.language) }
        var left = Array(theirs.indices)
        var found = [Int?](repeating: nil, count: tracks.count)
        for (index, track) in tracks.enumerated() where track.handler == "soun" {
            guard let language = languages[index], languages.count(where: { $0 == language }) == 1 else { continue }
            let same = theirs.indices.filter {
                theirs[$0].1 == language && theirs[$0].0.source.handler == track.handler
            }
            guard same.count == 1, let place = left.firstIndex(of: same[0]) else { continue }
            found[index] = left.remove(at: place)
        }
        for (index, track) in tracks.enumerated() where found[index] == nil {
            guard let place = left.firstIndex(where: { theirs[$0].0.source.handler == track.handler }) else { continue }
            found[index] = left.remove(at: place)
        }
        let ordered = found.compactMap { $0.map { theirs[$0] } }
        guard ordered.count == tracks.count, left.isEmpty else {
            let (own, theirs) = (tracks.map(\.handler), others.map(\.source.handler))
            throw .unsupported(reason: "it has \(Self.words(theirs)), and the first movie \(Self.words(own))")
        }
        note(ordered.map(\.1))
        return ordered.map(\.0)
    }

    /// Notes which audio goes on in another language.
    private mutating func note(_ others: [TrackLanguage?]) {
        let audio = tracks.indices.filter { tracks[$0].handler == "soun" }
        for (number, index) in audio.enumerated() {
            guard let own = languages[index], let other = others[index], own != other else { continue }
            let sentence = "Audio track \(number + 1) is \(own.tag) at first, and \(other.tag) in a later movie."
            if !mixedLanguages.contains(sentence) { mixedLanguages.append(sentence) }
        }
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
            omissions = [
                "Only video, audio, subtitles, chapters and the first time code are joined; other tracks are left out."
            ]
        }
        if lateChapters > 0 {
            let begins = lateChapters == 1 ? "chapter begins" : "chapters begin"
            omissions.append("Left out: \(lateChapters) \(begins) after the end of its movie.")
        }
        func omit(_ seconds: Double, _ place: String) {
            guard seconds > 0 else { return }
            omissions.append(String(format: "Left out: %.2f s of audio that lies \(place) of its movie.", seconds))
        }
        omit(omittedBeginnings, "before the first frame")
        omit(omittedEnds, "after the last frame")
        if pauses > 0 {
            omissions.append(
                String(format: "Audio pauses for %.2f s, where it ends before the frames of its movie.", pauses))
        }
        if tracks.contains(where: \.hasOtherDescriptions) {
            omissions.append(
                "The movies' frames are encoded with different settings, and browsers stop where these change; make the movies alike with "
                    + "\(Term.transcoding) to play it there.")
        }
        return omissions + mixedLanguages
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
            let start = timeCodePlace == nil ? first.timeCodeStart : 0
            traks.append(try timeCode.stretched(from: start, to: duration, timescale, place: timeCodePlace))
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
    ///   - place: Of another sample in its place; nil: its own.
    fileprivate func stretched(
        from start: Double, to seconds: Double, _ movieTimescale: UInt32, place: UInt64?
    ) throws(MovieFileError) -> Box {
        var table = table
        if let place, !table.chunks.isEmpty { table.chunks[0].offset = place }
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
