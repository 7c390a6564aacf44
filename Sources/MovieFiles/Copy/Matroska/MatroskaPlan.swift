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
        let choice = try MatroskaTrackChoice(of: original, files, isWebM: isWebM)
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
        for places in tracks.map({ $0.transparency ?? [:] }) + kept.map(\.transparency) {
            transparency.merge(places.mapValues(\.offset)) { first, _ in first }
        }
        duration = max(tracks.reduce(0) { max($0, $1.end) } + shift, kept.reduce(0) { max($0, $1.end) })
        self.isWebM = isWebM
        try copyExtras(of: original, file)
    }

    /// What lies beside the tracks of another Matroska file, or the cover of a movie.
    private mutating func copyExtras(of original: CopySource, _ file: ReadableFile) throws(MovieFileError) {
        if let extras = original.matroska?.extras {
            let all =
                tracks.map { ($0.source.trackID, UInt64($0.number)) } + kept.map { ($0.id, UInt64($0.number)) }
            let numbers = Dictionary(all) { first, _ in first }
            copied = try extras.copy(numbers: numbers, isWebM: isWebM, file)
        } else if let artwork = try MovieMetadata(moov: original.moov).artwork {
            if isWebM {
                omissions.append("Left out: cover; WebM cannot hold it here.")
            } else {
                let attached = AttachedFiles(artwork: artwork)
                copied.attachments = attached.element
                omissions += attached.omissions
            }
        }
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
}
