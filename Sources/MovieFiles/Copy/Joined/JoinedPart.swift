import MediaTypes

/// One of several movies that are joined: its tracks of video and audio, in their order.
struct JoinedPart {
    struct Track {
        var trak: Box
        var entries: [SampleEntry]
        var source: CopiedTrack
        /// Its samples.
        var table: SampleTable
        /// What is presented one behind the other; nil media times are pauses. Lengths are exact, in the track's ticks.
        var edits: [(mediaTime: UInt64?, length: UInt64)]
        var length: UInt64 { edits.reduce(0) { $0 + $1.length } }
        /// Ticks in a second, of all but the source.
        var timescale: UInt32
        /// In seconds.
        var duration: Double { Double(length) / Double(timescale) }
        /// nil where it is not known.
        var language: TrackLanguage? { get throws(MovieFileError) { try TrackAttributes(trak).language } }
    }

    let moov: Box
    var tracks: [Track] = []
    /// The track of time codes, as it is.
    private(set) var timeCode: CopiedTrack?
    /// When the first of it is counted, in seconds of the track.
    var timeCodeStart = 0.0
    var chapters: [MovieInfo.Chapter]
    /// Those that begin behind its last frame, where the next movie is.
    var lateChapters: [MovieInfo.Chapter] = []
    /// When it begins in its movie, whose pause or audio before the first frame is taken away, in seconds.
    private(set) var beginning = 0.0
    /// How much audio before the first frame is taken away, in seconds.
    private(set) var omittedBeginning = 0.0
    /// Handlers of what is not joined.
    var others: [FourCC] = []

    /// - Parameter beginsWithVideo: Whether a pause before the first frame is taken away.
    init(_ original: MovieOriginal, beginsWithVideo: Bool = true) throws(MovieFileError) {
        let file = original.file
        var moov = original.source.moov
        let timescale = try TimeHeader(try moov.required("mvhd")).timescale
        let told = try ChapterReading(file: file).chapters(moov)
        chapters = original.source.chapters + told
        // Their images and further lists are not joined; what they are called is no matter.
        others = try moov.chapterCompanions().map { _ in "chap" }
        _ = try moov.setChapters([], dataOffset: 0)
        for trak in moov.all("trak") {
            let mdia = try trak.required("mdia")
            let handler = try mdia.required("hdlr").handlerType()
            let stsd = try mdia.required("minf").required("stbl").required("stsd")
            let entries = try SampleEntry.entries(of: stsd, handler: handler)
            try trak.expectCopyable(entries)
            guard handler == "vide" || handler == "soun" || handler == "tmcd", !entries.isEmpty else {
                others.append(handler)
                continue
            }
            let source = try CopiedTrack(trak, entries: entries, fileSize: file.size, movieTimescale: timescale)
            guard source.table.count > 0 else { continue }
            if handler == "tmcd" {
                guard timeCode == nil else { continue }
                timeCode = source
                timeCodeStart = Double(try trak.firstPresented) / Double(source.timescale)
                continue
            }
            let edits = try source.exactEdits(movieTimescale: timescale)
            var table = source.table
            if handler == "vide" { table.endLastSample(with: edits) }
            tracks.append(
                Track(
                    trak: trak, entries: entries, source: source, table: table, edits: edits,
                    timescale: source.timescale))
        }
        if original.source.matroska.map({ !$0.subtitles.isEmpty || !$0.ownSubtitles.isEmpty }) == true {
            others.append("sbtl")
        }
        guard !tracks.isEmpty else { throw .noSamples }
        self.moov = moov
        if beginsWithVideo { beginWithVideo() }
        let (all, end) = (chapters, duration)
        chapters = all.filter { $0.start.seconds < end }
        lateChapters = all.filter { $0.start.seconds >= end }
    }

    /// Takes away the audio before the first frame, as Matroska has of what primes a decoder: frames go on without a pause.
    private mutating func beginWithVideo() {
        guard let video = tracks.first(where: { $0.source.handler == "vide" }), let pause = video.edits.first,
            pause.mediaTime == nil
        else { return }
        let seconds = Double(pause.length) / Double(video.timescale)
        let moment = MediaTime(seconds: seconds)
        beginning = seconds
        chapters = chapters.map { .init(start: max(.zero, $0.start - moment), title: $0.title) }
        for index in tracks.indices {
            var left = UInt64((seconds * Double(tracks[index].timescale)).rounded())
            var presented: UInt64 = 0
            defer { omittedBeginning = max(omittedBeginning, Double(presented) / Double(tracks[index].timescale)) }
            while left > 0, var edit = tracks[index].edits.first {
                let taken = min(left, edit.length)
                left -= taken
                if edit.mediaTime != nil { presented += taken }
                edit = (edit.mediaTime.map { $0 + taken }, edit.length - taken)
                tracks[index].edits[0] = edit
                if edit.length == 0 { tracks[index].edits.removeFirst() }
            }
        }
    }

    /// How long it is shown, in seconds: as long as its frames are.
    var duration: Double {
        tracks.first { $0.source.handler == "vide" }?.duration ?? wholeDuration
    }

    /// How long a frame or a packet of audio lasts on average, in seconds, whichever is longer.
    var longestSample: Double {
        tracks.map { Double($0.table.duration) / Double(max(1, $0.table.count)) / Double($0.timescale) }.max() ?? 0
    }

    /// How long it is presented, in seconds: as long as its longest track.
    var wholeDuration: Double { tracks.map(\.duration).max() ?? 0 }
}

extension SampleTable {
    /// Makes a last sample shorter that lasts beyond the edits, so that what follows in the media is shown behind them without a gap.
    fileprivate mutating func endLastSample(with edits: [(mediaTime: UInt64?, length: UInt64)]) {
        guard let last = edits.last, let start = last.mediaTime else { return }
        let excess = presentationTimes.upperBound - min(presentationTimes.upperBound, start + last.length)
        if excess < duration { _ = stretch(to: duration - excess) }
    }
}

extension CopiedTrack {
    /// The edits with lengths in the track's own ticks: what reaches to the end but for the rounding of the movie's ticks reaches
    /// there exactly.
    func exactEdits(
        movieTimescale: UInt32
    ) throws(MovieFileError) -> [(mediaTime: UInt64?, length: UInt64)] {
        let end = table.presentationTimes.upperBound
        let tolerance = UInt64(timescale / max(1, movieTimescale)) + 1
        var exact: [(mediaTime: UInt64?, length: UInt64)] = []
        var total: UInt64 = 0
        for edit in try edits(movieTimescale: movieTimescale) {
            var length = try edit.duration.rescaled(from: movieTimescale, to: timescale)
            if let mediaTime = edit.mediaTime {
                let left = end - min(end, mediaTime)
                if length >= left - min(left, tolerance) { length = left }
            }
            let (sum, isTooLong) = total.addingReportingOverflow(length)
            guard !isTooLong, sum / UInt64(timescale) < JoinedMovie.maximumDuration else {
                throw .unsupported(reason: "track \(trackID) lasts longer than any movie can")
            }
            total = sum
            exact.append((edit.mediaTime, length))
        }
        let start = table.presentationTimes.lowerBound
        if handler == "vide", trak.descendant("edts", "elst") == nil, start > 0, start < end {
            // Reordered frames: nothing is shown until the first one.
            return [(nil, start), (start, end - start)]
        }
        return exact.filter { $0.length > 0 }
    }
}
