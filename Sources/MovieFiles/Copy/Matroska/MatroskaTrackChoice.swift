/// Which tracks of a movie go into a Matroska file, and why others do not.
struct MatroskaTrackChoice {
    private let isWebM: Bool
    private let fileSize: UInt64
    private let movieTimescale: UInt32
    private let files: SourceFiles
    /// Of the frames, where their description has no word for it.
    private let stereo: StereoLayout?
    /// How they lie around the viewer, as Matroska says it.
    private let projection: ArraySlice<UInt8>?
    /// What tracks are for, as Matroska says it; nil of what is no Matroska.
    private let roles: [UInt32: TrackRoles]?
    /// Where Matroska says how opaque frames are, by where these lie.
    private let transparency: [UInt32: [UInt64: FrameTable.Place]]
    /// Whether the frames lie in Matroska, where some lack the head that they have in movies.
    private let hasMatroskaFrames: Bool
    /// What the file does not say of them, in full sentences.
    private(set) var omissions: [String] = []
    private(set) var tracks: [PlannedTrack] = []
    private(set) var omitted: [OmittedTrack] = []

    /// - Parameter files: where the samples lie.
    /// - Throws: `unsupported` for video and audio that cannot be copied as they are.
    init(of original: CopySource, _ files: SourceFiles, isWebM: Bool) throws(MovieFileError) {
        let (moov, matroska) = (original.moov, original.matroska)
        (self.isWebM, self.files, fileSize, stereo) = (isWebM, files, original.fileSize, original.stereo)
        movieTimescale = try TimeHeader(try moov.required("mvhd")).timescale
        projection = matroska?.projection
        roles = matroska?.roles
        (transparency, hasMatroskaFrames) = (matroska?.transparency ?? [:], matroska != nil)
        let (chapterIDs, companions) = (try moov.chapterTrackIDs(), try moov.chapterCompanions())
        for trak in moov.all("trak") {
            let trackID = try TrackHeader(try trak.required("tkhd")).trackID
            // These become chapters.
            if chapterIDs.contains(trackID) {
                if let other = companions[trackID] {
                    omit(trackID, other.handler, nil, "\(name) cannot hold \(other.name)")
                }
                continue
            }
            try add(trak, trackID)
        }
    }

    private var name: String { isWebM ? "WebM" : "Matroska" }

    /// Adds a track, or the reason why it is left out.
    ///
    /// - Throws: `unsupported` for video and audio that cannot be copied as they are.
    private mutating func add(_ trak: Box, _ trackID: UInt32) throws(MovieFileError) {
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
        let told = roles.map { $0[trackID] ?? [] } ?? TrackRoles(trak)
        tracks.append(
            try PlannedTrack(
                source, entry, kind, number: UInt8(clamping: tracks.count + 1), codec: codec,
                stereo: kind == .video ? layout(entry) : nil,
                projection: kind == .video ? projection(entry, trak) : nil, roles: held(told, trackID),
                transparency: transparency[trackID],
                movieTimescale: movieTimescale, files))
    }

    private mutating func held(_ roles: TrackRoles, _ trackID: UInt32) -> TrackRoles {
        let held = isWebM ? TrackRoles.webM : .matroska
        if let note = roles.subtracting(held).omission(of: "track \(trackID)", in: name) { omissions.append(note) }
        return roles.intersection(held)
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
        case .subtitle: return MatroskaCodec(texts: entry.format)
        }
    }

    private mutating func omit(_ trackID: UInt32, _ handler: FourCC, _ format: FourCC?, _ reason: String) {
        omitted.append(
            .init(
                trackID: trackID, handler: handler, format: format,
                reason: "Track \(trackID) is left out: \(reason)."))
    }
}
