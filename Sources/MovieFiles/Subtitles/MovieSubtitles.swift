package import SystemPackage

/// The subtitles of a movie or a Matroska file, read from its index: for another file whose video and audio are made in
/// another way.
///
/// A muxer that waits for the next of several tracks would wait minutes for a subtitle, and a decoder's pipeline with it.
package struct MovieSubtitles: Sendable {
    /// One subtitle. Times are nanoseconds from where the movie begins.
    struct Cue: Sendable {
        var begin: Int64
        /// nil where nothing tells.
        var duration: Int64?
        var data: [UInt8]
    }

    struct Track: Sendable {
        /// As a Matroska file describes it, or would.
        var source: TrackEntry
        var cues: [Cue]
        /// That of its file, where it has one of its own; its times are those of the other file then.
        var fileName: String?

        /// For sentences.
        var name: String { fileName ?? "track \(source.number)" }
    }

    /// A part of the movie's time, in nanoseconds.
    package struct Span: Sendable, Hashable {
        /// Where it begins.
        package var origin: Int64
        /// Where it ends, likewise; nil: with the file.
        package var end: Int64?
        /// When it begins in the other file.
        package var begin: Int64

        package init(origin: Int64, end: Int64?, begin: Int64 = 0) {
            (self.origin, self.end, self.begin) = (origin, end, begin)
        }
    }

    /// Which of them are taken, and when they are shown in the other file, in nanoseconds.
    package struct Part: Sendable {
        /// What of the movie's time is in the other file, in that one's order.
        package var spans: [Span]
        /// By how much all are shown later.
        package var delay: Int64
        /// Which tracks of the file are taken.
        package var tracks: TrackPlaces
        /// How many times as fast as the movie the other file is; the times of ``spans`` are those at the movie's speed.
        package var speed: Double

        package init(_ spans: [Span], delay: Int64, tracks: TrackPlaces = TrackPlaces(), speed: Double = 1) {
            (self.spans, self.delay, self.tracks, self.speed) = (spans, delay, tracks, speed)
        }
    }

    var tracks: [Track] = []
    /// Why others are left out, each in a full sentence.
    package private(set) var omissions: [String] = []
    /// What the file brings for their letters.
    private(set) var fonts: [(name: String, data: [UInt8])] = []

    package var isEmpty: Bool { tracks.isEmpty }

    /// What they take in a file, about, in bytes: each text, what lists it and the pause before it.
    package var fileSize: Int64 { tracks.reduce(0) { $0 + Self.fileSize(of: $1.cues) } }

    static func fileSize(of cues: [Cue]) -> Int64 { cues.reduce(600) { $0 + Int64($1.data.count) + 40 } }

    /// In bytes, of all of them: frames of a long film have 60 MB.
    private static let maximumSize: UInt64 = 128 << 20

    /// None.
    package init() {}

    init(_ tracks: [Track], omissions: [String] = []) { (self.tracks, self.omissions) = (tracks, omissions) }

    /// - Throws: `MovieFileError` where its index cannot be read.
    package init(of path: FilePath, tracks places: TrackPlaces = TrackPlaces()) throws(MovieFileError) {
        self = try ReadableFile.open(path) { (file) throws(MovieFileError) in
            if try MatroskaSegment.isMatroska(file) { return try Self(matroska: file, places) }
            let movie = try Self.movie(file, places)
            return Self(movie.tracks, omissions: movie.omissions)
        }
    }

    private init(matroska file: ReadableFile, _ places: TrackPlaces) throws(MovieFileError) {
        let segment = try MatroskaSegment(file, for: .subtitles)
        var size: UInt64 = 0
        // Players, and GStreamer, count from where video or audio begins.
        let (begin, isTooLate) = (segment.othersBegin ?? 0).multipliedReportingOverflow(
            by: Int64(segment.timestampScale))
        guard !isTooLate else { throw .unsupported(reason: "it begins too late") }
        for source in segment.tracks(places) {
            guard let frames = segment.frames[source.number], frames.count > 0 else { continue }
            let own = frames.sizes.reduce(0) { $0 + UInt64($1) }
            guard size + own <= Self.maximumSize else {
                omissions.append(
                    "Track \(source.number) is left out: its subtitles have more than \(Self.maximumSize >> 20) MiB.")
                continue
            }
            size += own
            tracks.append(
                Track(source: source, cues: try frames.cues(scale: Int64(segment.timestampScale), from: begin, file)))
        }
        if tracks.contains(where: { $0.source.isStyled }) { fonts = try segment.fonts(file) }
    }
}

extension FrameTable {
    /// The frames of a track of subtitles.
    ///
    /// - Parameter begin: What their times count from, in nanoseconds of the file's own.
    fileprivate func cues(
        scale: Int64, from begin: Int64, _ file: ReadableFile
    ) throws(MovieFileError) -> [MovieSubtitles.Cue] {
        var cues: [MovieSubtitles.Cue] = []
        var latest: Int64 = 0
        for index in 0..<count {
            // One that shares its block with another is shown with it.
            if times[index] != Self.unknown { latest = times[index] * scale }
            let told = duration(of: index).map { Int64(clamping: $0).multipliedReportingOverflow(by: scale) }
            let duration = told.flatMap { $0.overflow ? nil : min($0.partialValue, MatroskaSegment.maximumTime) }
            cues.append(
                .init(
                    begin: latest - begin, duration: duration,
                    data: try file.read(upTo: Int(sizes[index]), at: offsets[index])))
        }
        // Those that are shown together stay in their order.
        return cues.enumerated().sorted { ($0.element.begin, $0.offset) < ($1.element.begin, $1.offset) }
            .map(\.element)
    }
}

extension TrackEntry {
    /// Whether its texts name fonts, which the file may bring.
    fileprivate var isStyled: Bool {
        if case .substation? = textForm { true } else { false }
    }
}

extension MatroskaSegment {
    /// The fonts among the attachments.
    fileprivate func fonts(_ file: ReadableFile) throws(MovieFileError) -> [(name: String, data: [UInt8])] {
        var fonts: [(name: String, data: [UInt8])] = []
        for header in attachments {
            guard let size = header.size, size <= Self.maximumFontSize,
                let list = try? Elements(try file.read(upTo: Int(size), at: header.dataOffset)[...])
            else { continue }
            for data in list.all(.attachedFile) {
                guard let attached = try? Elements(data), let content = attached[.fileData],
                    let name = attached.text(.fileName)
                else { continue }
                // Writers have called them many things, and some nothing at all.
                let type = attached.text(.fileMediaType)?.lowercased() ?? ""
                let isFont = type.contains("font") || type.contains("opentype")
                guard isFont || [".ttf", ".otf", ".ttc"].contains(where: name.lowercased().hasSuffix) else { continue }
                fonts.append((name, Array(content)))
            }
        }
        return fonts
    }

    /// Of all of them, in bytes: a film with fonts of Chinese letters has a hundred megabytes.
    private static let maximumFontSize: UInt64 = 256 << 20
}
