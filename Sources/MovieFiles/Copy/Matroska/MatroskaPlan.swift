/// Which tracks of a movie a Matroska file gets, and in which order their blocks.
struct MatroskaPlan: Sendable {
    private(set) var tracks: [PlannedTrack] = []
    private(set) var omitted: [OmittedTrack] = []
    /// What is not said of the frames, in full sentences.
    private(set) var omissions: [String] = []
    private(set) var texts = TextBlocks()
    /// Those of another Matroska file as they are there: frames and audio that no movie holds, and subtitles.
    private(set) var kept: [KeptTrack] = []
    /// The tracks' entries in the file's order, which is the other Matroska file's where some are kept as they are.
    private let places: [UInt32: Int]
    let clusters: ClusterPlan
    /// Where it says how opaque frames are, by where these lie.
    private(set) var transparency: [UInt64: UInt64] = [:]
    let chapters: [MovieInfo.Chapter]
    let tags: MatroskaTags
    /// Of another Matroska file, as they are there.
    private(set) var copied = MatroskaExtras.Copy()
    let isWebM: Bool
    /// Of the longest track, in nanoseconds, from the file's beginning.
    let duration: Int64
    /// How much later than in the movie everything is, in nanoseconds.
    let shift: Int64

    /// A track's number has to fit into one byte of each of its blocks.
    private static let maximumTrackCount = 126

    /// - Parameters:
    ///   - file: that of the original, of several the first one.
    ///   - files: where the samples lie.
    init(
        _ original: CopySource, _ file: ReadableFile, _ files: SourceFiles, isWebM: Bool
    ) throws(MovieFileError) {
        let moov = original.moov
        let timescale = try TimeHeader(try moov.required("mvhd")).timescale
        let chapterIDs = try moov.chapterTrackIDs()
        var choice = Choice(
            isWebM: isWebM, fileSize: original.fileSize, movieTimescale: timescale, files: files,
            stereo: original.stereo, projection: original.matroska?.projection,
            purposes: isWebM ? [:] : original.matroska?.purposes ?? [:],
            transparency: original.matroska?.transparency ?? [:], hasMatroskaFrames: original.matroska != nil)
        for trak in moov.all("trak") {
            let trackID = try TrackHeader(try trak.required("tkhd")).trackID
            // These become chapters.
            if chapterIDs.contains(trackID) { continue }
            try choice.add(trak, trackID)
        }
        let media = original.matroska?.ownMedia ?? []
        guard choice.tracks.contains(where: { $0.kind != .subtitle }) || !media.isEmpty else { throw .noSamples }
        if isWebM, let first = media.first {
            throw .unsupported(reason: "WebM cannot hold '\(first.source.codecID)' as it is")
        }
        // They are not in the index that is made of a Matroska file.
        let (subtitles, left) = Self.ownSubtitles(original.matroska, isWebM: isWebM)
        let own = media + subtitles
        places = media.isEmpty ? [:] : original.matroska?.order ?? [:]
        omitted = choice.omitted + left + (original.matroska?.omittedEverywhere ?? [])
        (tracks, omissions) = (choice.tracks, choice.omissions + (original.matroska?.frameOmissions ?? []))
        guard tracks.count + own.count <= Self.maximumTrackCount else {
            throw .unsupported(reason: "it has too many tracks for a Matroska file")
        }
        let shift = tracks.reduce(0) { max($0, $1.lead) }
        self.shift = shift
        for own in own {
            kept.append(
                try KeptTrack(
                    own, number: UInt8(clamping: tracks.count + kept.count + 1),
                    transparency: original.matroska?.transparency[own.id] ?? [:], shift: shift))
        }
        for index in tracks.indices { tracks[index].shift(by: shift) }
        for track in tracks where track.kind == .subtitle { try texts.add(track, file) }
        clusters = try ClusterPlan(
            tracks.filter { $0.kind != .subtitle }.map { $0.blocks() }, texts: texts.blocks + kept.map(\.blocks),
            lead: tracks.first { $0.kind == .video }?.number ?? kept.first { $0.kind == .video }?.number)
        chapters = original.chapters + (try ChapterReading(file: file).chapters(moov))
        tags = try MatroskaTags(moov)
        if let extras = original.matroska?.extras {
            let all =
                tracks.map { ($0.source.trackID, UInt64($0.number)) } + kept.map { ($0.id, UInt64($0.number)) }
            let numbers = Dictionary(all) { first, _ in first }
            copied = try extras.copy(numbers: numbers, isWebM: isWebM, file)
        } else if let artwork = try MovieMetadata(moov: moov).artwork {
            if isWebM {
                omissions.append("Left out: cover; WebM cannot hold it here.")
            } else {
                let attached = AttachedFiles(artwork: artwork)
                copied.attachments = attached.element
                omissions += attached.omissions
            }
        }
        for places in tracks.map({ $0.transparency ?? [:] }) + kept.map(\.transparency) {
            transparency.merge(places.mapValues(\.offset)) { first, _ in first }
        }
        duration = max(tracks.reduce(0) { max($0, $1.end) } + shift, kept.reduce(0) { max($0, $1.end) })
        self.isWebM = isWebM
    }

    /// The descriptions of all tracks, in their order.
    ///
    /// - Throws: `unsupported` where one does not say what it is.
    var entries: [UInt8] {
        get throws(MovieFileError) {
            var all: [(place: Int, bytes: [UInt8])] = []
            func add(_ id: UInt32, _ writer: EBMLWriter) { all.append((places[id] ?? .max, writer.bytes)) }
            for track in tracks {
                var writer = EBMLWriter()
                try track.appendEntry(to: &writer, isWebM: isWebM)
                add(track.source.trackID, writer)
            }
            for track in kept {
                var writer = EBMLWriter()
                track.appendEntry(to: &writer)
                add(track.id, writer)
            }
            // Those without a place stay as they are, behind the others.
            return all.enumerated().sorted { ($0.element.place, $0.offset) < ($1.element.place, $1.offset) }
                .flatMap(\.element.bytes)
        }
    }

    /// How many tracks of a kind it has.
    func count(of kind: TrackEntry.Kind) -> Int {
        tracks.count { $0.kind == kind } + kept.count { $0.kind == kind }
    }

    /// Which subtitles of another Matroska file are kept, and why others are not.
    private static func ownSubtitles(
        _ matroska: MatroskaMovie?, isWebM: Bool
    ) -> (kept: [MatroskaMovie.OwnTrack], omitted: [OmittedTrack]) {
        let all = matroska?.ownSubtitles ?? []
        guard isWebM else { return (all, []) }
        let kept = all.filter { $0.source.codecID.hasPrefix("D_WEBVTT/") && !$0.source.isEncoded }
        let left = all.filter { own in !kept.contains { $0.id == own.id } }
        return (
            kept,
            left.map { own in
                OmittedTrack(
                    trackID: UInt32(clamping: own.source.number), handler: "sbtl", format: nil,
                    reason: "Track \(own.source.number) is left out: WebM cannot hold such subtitles "
                        + "(\(own.source.codecID)).")
            }
        )
    }

    /// The tracks that were looked at.
    private struct Choice {
        let isWebM: Bool
        let fileSize: UInt64
        let movieTimescale: UInt32
        let files: SourceFiles
        /// Of the frames, where their description has no word for it.
        let stereo: StereoLayout?
        /// How they lie around the viewer, as Matroska says it.
        let projection: ArraySlice<UInt8>?
        /// What tracks are for, where Matroska says it.
        let purposes: [UInt32: [(id: ElementID, value: UInt64)]]
        /// Where Matroska says how opaque frames are, by where these lie.
        let transparency: [UInt32: [UInt64: FrameTable.Place]]
        /// Whether the frames lie in Matroska, where some lack the head that they have in movies.
        let hasMatroskaFrames: Bool
        /// What the file does not say of them, in full sentences.
        var omissions: [String] = []
        var tracks: [PlannedTrack] = []
        var omitted: [OmittedTrack] = []

        private var name: String { isWebM ? "WebM" : "Matroska" }

        /// Adds a track, or the reason why it is left out.
        ///
        /// - Throws: `unsupported` for video and audio that cannot be copied as they are.
        mutating func add(_ trak: Box, _ trackID: UInt32) throws(MovieFileError) {
            let mdia = try trak.required("mdia")
            let handler = try mdia.required("hdlr").handlerType()
            let entries = try SampleEntry.entries(
                of: try mdia.required("minf").required("stbl").required("stsd"), handler: handler)
            try trak.expectCopyable(entries)
            guard !entries.isEmpty else {
                return omit(trackID, handler, nil, "it does not say how its samples are coded")
            }
            let kind: PlannedTrack.Kind? =
                switch handler {
                case "vide": .video
                case "soun": .audio
                case "text", "sbtl": isWebM ? nil : .subtitle
                default: nil
                }
            guard let kind else {
                omit(
                    trackID, handler, entries.first?.format, "\(name) cannot hold tracks of the kind '\(handler)'")
                return
            }
            let source = try CopiedTrack(trak, entries: entries, fileSize: fileSize, movieTimescale: movieTimescale)
            guard source.table.count > 0 else { return }
            let used = Set(source.table.chunks.map(\.description))
            guard used.count == 1, let description = used.first, entries.indices.contains(Int(description) - 1) else {
                throw .unsupported(reason: "track \(trackID) has several descriptions, and Matroska holds one")
            }
            let entry = entries[Int(description) - 1]
            guard let codec = try codec(kind, entry, source), !isWebM || MatroskaCodec.webM.contains(codec.id) else {
                guard kind == .subtitle else {
                    throw .unsupported(reason: "\(name) cannot hold '\(entry.format)' as it is")
                }
                omit(trackID, handler, entry.format, "\(name) cannot hold text as '\(entry.format)'")
                return
            }
            if kind == .video, let aperture = CleanAperture(entry) { omissions.append(aperture.omission) }
            tracks.append(
                try PlannedTrack(
                    source, entry, kind, number: UInt8(clamping: tracks.count + 1), codec: codec,
                    stereo: kind == .video ? layout(entry) : nil,
                    projection: kind == .video ? projection(entry, trak) : nil, purposes: purposes[trackID] ?? [],
                    transparency: transparency[trackID],
                    movieTimescale: movieTimescale, files))
        }

        private mutating func projection(_ entry: SampleEntry, _ trak: Box) -> ArraySlice<UInt8>? {
            if let projection { return projection }
            guard let told = SphericalVideo(entry, in: trak) else { return nil }
            if let projection = told.projection { return projection[...] }
            omissions.append(SphericalVideo.omission(in: name))
            return nil
        }

        private mutating func layout(_ entry: SampleEntry) -> StereoLayout? {
            guard let layout = StereoLayout(entry) ?? stereo else { return nil }
            if !isWebM || layout.isInWebM { return layout }
            omissions.append(layout.omission(in: name))
            return nil
        }

        private func codec(
            _ kind: PlannedTrack.Kind, _ entry: SampleEntry, _ source: CopiedTrack
        ) throws(MovieFileError) -> MatroskaCodec? {
            switch kind {
            case .video:
                var codec = try MatroskaCodec(frames: entry)
                if hasMatroskaFrames { codec?.strippedBytes = 0 }
                return codec
            case .audio:
                let format = try AudioFormat(entry, timescale: source.timescale)
                return try MatroskaCodec(audio: entry, codec: format.codec)
            case .subtitle: return ["tx3g", "text"].contains(entry.format) ? .text : nil
            }
        }

        private mutating func omit(_ trackID: UInt32, _ handler: FourCC, _ format: FourCC?, _ reason: String) {
            omitted.append(
                .init(
                    trackID: trackID, handler: handler, format: format,
                    reason: "Track \(trackID) is left out: \(reason)."))
        }
    }
}
