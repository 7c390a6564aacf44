/// The video and audio of a Matroska file with their samples: what a movie gets, what is kept as it is, and what is left out.
struct MatroskaMedia: Sendable {
    private(set) var tracks: [MovieTrack] = []
    /// What is kept as it is, in another Matroska file only.
    private(set) var kept: [(track: TrackEntry, frames: FrameTable)] = []
    /// What movies have no place for.
    private(set) var omitted: [OmittedTrack] = []
    /// What has none in another Matroska file either.
    private(set) var omittedEverywhere: [OmittedTrack] = []
    /// What lies beside frames and is kept nowhere, in full sentences.
    private(set) var frameOmissions: [String] = []
    /// When the first of it is presented, in nanoseconds of the segment.
    private(set) var origin: Int64 = 0

    var hasSeams: Bool { tracks.contains(where: \.hasSeams) }
    /// How the images of both eyes lie in its frames, where a movie has no word for it.
    var stereo: StereoLayout? { tracks.lazy.compactMap(\.source.stereo).first { !$0.hasBox } }
    var projection: ArraySlice<UInt8>? { tracks.lazy.compactMap(\.source.projection).first }

    /// - Throws: `unsupported` where a track is damaged or cannot be copied by reference; `noSamples`.
    init(
        _ entries: [TrackEntry], _ segment: MatroskaSegment, _ file: ReadableFile
    ) throws(MovieFileError) {
        for track in entries { try add(track, segment, file) }
        try expectPlainAngles()
        let starts = tracks.map(\.start) + kept.map { $0.frames.start(scale: segment.timestampScale) }
        guard let origin = starts.min() else { throw .noSamples }
        self.origin = origin
        choose(keepsVideo: segment.purpose == .copyingToMatroska)
    }

    /// What lies around the viewer or has an image for each eye is told of all video alike.
    private func expectPlainAngles() throws(MovieFileError) {
        let video = (tracks.map(\.source) + kept.map(\.track)).filter { $0.kind == .video }
        guard video.count > 1 else { return }
        guard video.allSatisfy({ $0.stereo == nil && $0.projection == nil }) else {
            throw .unsupported(reason: "it has several video tracks, and not all of them are plain frames")
        }
    }

    private mutating func add(
        _ track: TrackEntry, _ segment: MatroskaSegment, _ file: ReadableFile
    ) throws(MovieFileError) {
        switch track.kind {
        case nil: omittedEverywhere.append(track.omitted("it is neither video nor audio nor subtitles"))
        case .subtitle where track.textForm != nil: break
        case .subtitle:
            omitted.append(
                .init(
                    trackID: UInt32(clamping: track.number), handler: "subp", format: nil,
                    reason: "Track \(track.number) is left out: movies cannot hold such subtitles "
                        + "(\(track.codecID))."))
        case .video, .audio:
            guard let frames = segment.frames[track.number], frames.count > 0 else {
                return omittedEverywhere.append(track.omitted("it has no samples"))
            }
            if frames.hasAdditions || track.hasOtherMappings { frameOmissions.append(track.additionsOmission) }
            if let aperture = CleanAperture(track) { frameOmissions.append(aperture.omission) }
            if segment.keepsUnknownMedia, !track.isKnown { return kept.append((track, frames)) }
            tracks.append(try MovieTrack(track, frames, scale: segment.timestampScale, file))
        }
    }

    /// Players play all enabled audio tracks at once, or the first: so only one is, as with Matroska's players. Of video it is the first, too,
    /// as most show that whatever is enabled.
    ///
    /// - Parameter keepsVideo: whether video is as enabled as the file says, for another Matroska file.
    private mutating func choose(keepsVideo: Bool) {
        for kind in [TrackEntry.Kind.video, .audio] {
            let all = tracks.indices.filter { tracks[$0].source.kind == kind }
            let chosen = all.first { tracks[$0].source.isDefault } ?? all.first
            for index in all {
                let isKept = keepsVideo && kind == .video
                tracks[index].isEnabled = isKept ? tracks[index].source.isDefault : index == chosen
                tracks[index].alternateGroup = all.count > 1 ? UInt16(kind.rawValue) : 0
            }
            guard kind == .video, let chosen, let first = all.first, chosen != first else { continue }
            tracks.insert(tracks.remove(at: chosen), at: first)
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
