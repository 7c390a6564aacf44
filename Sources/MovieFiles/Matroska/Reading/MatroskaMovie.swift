import MediaTypes

/// A Matroska or WebM file as an ordinary movie: an index whose samples are the frames where they lie in that file.
///
/// So everything that is done with a movie by its index can be done with such a file, and no frame has to be touched.
struct MatroskaMovie: Sendable {
    let moov: Box
    /// In seconds of the movie.
    let chapters: [MovieInfo.Chapter]
    /// Whether the file holds all that it says it does.
    let isWhole: Bool
    /// Tracks that are not in `moov`, as their samples are not in the file.
    let subtitles: [SubtitleTrack]
    /// Why the subtitles cannot be in a movie as they are; nil where they can.
    let refusal: String?
    /// What of it has no place in any movie.
    let omitted: [OmittedTrack]
    /// What has none in another Matroska file either.
    let omittedEverywhere: [OmittedTrack]
    /// What lies beside frames and is kept nowhere, in full sentences.
    let frameOmissions: [String]
    /// What of `subtitles` has none, in full sentences.
    let omissions: [String]
    /// All subtitles as they are, for another Matroska file.
    let ownSubtitles: [OwnTrack]
    /// Frames and audio as they are that no movie holds, likewise; they are not in `moov`.
    let ownMedia: [OwnTrack]
    /// Where the tracks of `moov` and those stand among all of the file.
    private(set) var order: [UInt32: Int] = [:]

    /// A track as the file has it.
    struct OwnTrack: Sendable {
        /// Among the tracks that are made of the file.
        var id: UInt32
        var source: TrackEntry
        var frames: FrameTable
        /// Nanoseconds in a tick.
        var scale: UInt64
        /// When the movie begins, in nanoseconds of the segment.
        var origin: Int64
        /// When the movie ends as the file says it, likewise; nil where it does not, or is cut off.
        var end: Int64?
    }
    /// What it says and brings beside its tracks, for another Matroska file.
    let extras: MatroskaExtras
    /// The files that it brings, of which a movie gets the cover; none for another Matroska file.
    let attached: AttachedFiles
    /// Whether something between the first packet of audio and the last one is not presented.
    let hasSeams: Bool
    /// What its tracks are for, by the identifiers of `moov`, for another Matroska file.
    private(set) var roles: [UInt32: TrackRoles] = [:]
    /// Where it says how opaque the frames of a track are, of `ownMedia` too, by where these lie.
    private(set) var transparency: [UInt32: [UInt64: FrameTable.Place]] = [:]
    /// How the images of both eyes lie in its frames, where `moov` has no word for it.
    let stereo: StereoLayout?
    /// Of its first frame, which a tag tells.
    let timeCode: TimeCode?
    /// How its frames lie around the viewer, for another Matroska file; nil of plain frames.
    let projection: ArraySlice<UInt8>?

    /// Ticks in a second of the movie: of all rates of frames, and fine enough for audio.
    static let timescale: UInt32 = 90_000

    /// - Parameter isForMatroska: whether it is copied into another Matroska file, and into nothing else.
    /// - Throws: `unsupported` where it is damaged or has something that cannot be copied by reference; `noSamples`.
    init(
        _ file: ReadableFile, _ places: TrackPlaces = TrackPlaces(), isForMatroska: Bool = false
    ) throws(MovieFileError) {
        let segment = try MatroskaSegment(file, for: isForMatroska ? .copyingToMatroska : .copying)
        let entries = segment.tracks(places)
        isWhole = segment.isWhole
        var left = Left()
        var tracks = try Self.movieTracks(entries, segment, file, &left)
        // Covers and other angles, of which players of movies would show the wrong one.
        guard (tracks.map(\.source) + left.kept).count(where: { $0.kind == .video }) <= 1 else {
            throw .unsupported(reason: "it has several video tracks")
        }
        let kept = left.kept.compactMap { track in segment.frames[track.number].map { (track, $0) } }
        guard
            let origin = (tracks.map(\.start) + kept.map { $1.start(scale: segment.timestampScale) }).min()
        else { throw .noSamples }
        hasSeams = tracks.contains(where: \.hasSeams)
        stereo = tracks.lazy.compactMap(\.source.stereo).first { !$0.hasBox }
        projection = tracks.lazy.compactMap(\.source.projection).first
        chapters = try MatroskaAttributes.chapters(segment.chapters, from: origin)
        timeCode = MatroskaAttributes.timeCode(segment)
        try Self.choose(&tracks)
        var traks: [Box] = []
        var longest: UInt64 = 0
        var trackIDs: [UInt64: UInt32] = [:]
        for (index, track) in tracks.enumerated() {
            if let uid = track.source.uid { trackIDs[uid] = UInt32(index + 1) }
            order[UInt32(index + 1)] = entries.firstIndex { $0.number == track.source.number }
            roles[UInt32(index + 1)] = track.source.roles
            transparency[UInt32(index + 1)] = Self.transparency(of: track.source, segment, file)
            let made = try track.trak(id: UInt32(index + 1), origin: origin)
            longest = max(longest, made.duration)
            traks.append(made.trak)
        }
        var own: [OwnTrack] = []
        for (index, (track, frames)) in kept.enumerated() {
            let id = UInt32(traks.count + index + 1)
            if let uid = track.uid { trackIDs[uid] = id }
            order[id] = entries.firstIndex { $0.number == track.number }
            transparency[id] = Self.transparency(of: track, segment, file)
            own.append(
                OwnTrack(
                    id: id, source: track, frames: frames, scale: segment.timestampScale, origin: origin,
                    end: segment.toldEnd))
        }
        ownMedia = own
        let texts = try Subtitles(
            entries, segment, file, origin: origin, end: Int64(longest / UInt64(Self.timescale / 1000)),
            firstID: UInt32(traks.count + own.count + 1))
        longest = max(longest, texts.duration)
        trackIDs.merge(texts.trackIDs) { $1 }
        (subtitles, ownSubtitles, omissions, refusal) = (texts.tracks, texts.own, texts.omissions, texts.refusal)
        (omitted, omittedEverywhere, frameOmissions) = (left.here, left.everywhere + texts.omitted, left.besideFrames)
        let wanted = Set(entries.map(\.number))
        extras = MatroskaExtras(
            tags: segment.tags, attachments: segment.attachments, trackIDs: trackIDs,
            unwanted: places.areChosen
                ? Set(segment.tracks.filter { !wanted.contains($0.number) }.compactMap(\.uid)) : [])
        var mvhd = try Box.movieHeader(timescale: Self.timescale, nextTrackID: UInt32(traks.count + own.count + 1))
        try mvhd.setDuration(longest)
        var moov = Box("moov", children: [mvhd] + traks)
        // Another Matroska file gets them as they are.
        attached = isForMatroska ? AttachedFiles() : try AttachedFiles(segment.attachments, file)
        try moov.write(try MatroskaAttributes.metadata(segment, cover: attached.cover), isQuickTime: false)
        self.moov = moov
    }

    /// What is left out on the way.
    private struct Left {
        /// Of movies, and of any other file.
        var here: [OmittedTrack] = []
        var everywhere: [OmittedTrack] = []
        var besideFrames: [String] = []
        /// What is kept as it is, in another Matroska file only.
        var kept: [TrackEntry] = []
    }

    /// Its video and audio with their samples, where they have any.
    private static func movieTracks(
        _ entries: [TrackEntry], _ segment: MatroskaSegment, _ file: ReadableFile, _ left: inout Left
    ) throws(MovieFileError) -> [MovieTrack] {
        var tracks: [MovieTrack] = []
        for track in entries {
            switch track.kind {
            case nil: left.everywhere.append(track.omitted("it is neither video nor audio nor subtitles"))
            case .subtitle where track.textForm != nil: continue
            case .subtitle:
                left.here.append(
                    .init(
                        trackID: UInt32(clamping: track.number), handler: "subp", format: nil,
                        reason: "Track \(track.number) is left out: movies cannot hold such subtitles "
                            + "(\(track.codecID))."))
            case .video, .audio:
                guard let frames = segment.frames[track.number], frames.count > 0 else {
                    left.everywhere.append(track.omitted("it has no samples"))
                    continue
                }
                if frames.hasAdditions || track.hasOtherMappings { left.besideFrames.append(track.additionsOmission) }
                if let aperture = CleanAperture(track) { left.besideFrames.append(aperture.omission) }
                if segment.keepsUnknownMedia, !track.isKnown {
                    left.kept.append(track)
                    continue
                }
                tracks.append(try MovieTrack(track, frames, scale: segment.timestampScale, file))
            }
        }
        return tracks
    }

    /// Where it says how opaque the frames of a track are; `nil` where it does not.
    private static func transparency(
        of track: TrackEntry, _ segment: MatroskaSegment, _ file: ReadableFile
    ) -> [UInt64: FrameTable.Place]? {
        guard track.isTransparent else { return nil }
        // Of a file that is cut off not all of it is there.
        return segment.frames[track.number]?.transparency.filter {
            $0.value.offset + UInt64($0.value.size) <= file.size
        }
    }

    /// What is said of attached fonts and the like that the copy has none of.
    ///
    /// - Parameter container: the kind of file that it is.
    func attachmentOmissions(in container: String) -> [String] {
        [attached.omission(in: container)].compactMap(\.self)
    }

    /// What is said of what tracks are for where movies have no word for it.
    func lostRoles(in container: String) -> [String] {
        let media = roles.sorted { $0.key < $1.key }.map { ("track \($0.key)", $0.value) }
        return (media + subtitles.map { ("track \($0.number)", $0.roles) }).compactMap { name, roles in
            roles.subtracting(.movie).omission(of: name, in: container)
        }
    }

    /// Players play all enabled audio tracks at once, or the first: so only one is, as with Matroska's players.
    private static func choose(_ tracks: inout [MovieTrack]) throws(MovieFileError) {
        for kind in [TrackEntry.Kind.video, .audio] {
            let all = tracks.indices.filter { tracks[$0].source.kind == kind }
            let chosen = all.first { tracks[$0].source.isDefault } ?? all.first
            for index in all {
                tracks[index].isEnabled = index == chosen
                tracks[index].alternateGroup = all.count > 1 ? UInt16(kind.rawValue) : 0
            }
        }
    }
}

extension TrackEntry {
    /// - Parameter reason: completes "Track 1 is left out:".
    func omitted(_ reason: String) -> OmittedTrack {
        let handler: FourCC =
            switch kind {
            case .video: "vide"
            case .audio: "soun"
            case .subtitle: "subt"
            case nil: "data"
            }
        return OmittedTrack(
            trackID: UInt32(clamping: number), handler: handler, format: nil,
            reason: "Track \(number) is left out: \(reason).")
    }
}
