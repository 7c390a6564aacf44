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
    let order: [UInt32: Int]

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
    /// The files that it brings, of which a movie gets the images; none for another Matroska file.
    let attached: AttachedFiles
    /// Whether something between the first packet of audio and the last one is not presented.
    let hasSeams: Bool
    /// What its tracks are for, by the identifiers of `moov`, for another Matroska file.
    let roles: [UInt32: TrackRoles]
    /// Where it says how opaque the frames of a track are, of `ownMedia` too, by where these lie.
    let transparency: [UInt32: [UInt64: FrameTable.Place]]
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
        let media = try MatroskaMedia(entries, segment, file)
        let numbered = try NumberedTracks(media, entries, segment, file)
        isWhole = segment.isWhole
        (hasSeams, stereo, projection) = (media.hasSeams, media.stereo, media.projection)
        (order, roles, transparency) = (numbered.order, numbered.roles, numbered.transparency)
        ownMedia = numbered.own
        chapters = try MatroskaAttributes.chapters(segment.chapters, from: media.origin)
        timeCode = MatroskaAttributes.timeCode(segment)
        let texts = try Subtitles(
            entries, segment, file, origin: media.origin,
            end: Int64(numbered.duration / UInt64(Self.timescale / 1000)), firstID: numbered.nextID)
        (subtitles, ownSubtitles, omissions, refusal) = (texts.tracks, texts.own, texts.omissions, texts.refusal)
        (omitted, omittedEverywhere) = (media.omitted, media.omittedEverywhere + texts.omitted)
        frameOmissions = media.frameOmissions
        let wanted = Set(entries.map(\.number))
        extras = MatroskaExtras(
            tags: segment.tags, attachments: segment.attachments,
            trackIDs: numbered.identifiers.merging(texts.trackIDs) { $1 },
            unwanted: places.areChosen
                ? Set(segment.tracks.filter { !wanted.contains($0.number) }.compactMap(\.uid)) : [])
        // Another Matroska file gets them as they are.
        attached = isForMatroska ? AttachedFiles() : try AttachedFiles(segment.attachments, file)
        var mvhd = try Box.movieHeader(timescale: Self.timescale, nextTrackID: numbered.nextID)
        try mvhd.setDuration(max(numbered.duration, texts.duration))
        var moov = Box("moov", children: [mvhd] + numbered.traks)
        try moov.write(try MatroskaAttributes.metadata(segment, covers: attached.coverArt), isQuickTime: false)
        self.moov = moov
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
}
