/// Subtitles of QuickTime and MP4: their texts, as Matroska has them.
extension MovieSubtitles {
    static func movie(
        _ file: ReadableFile, _ places: TrackPlaces
    ) throws(MovieFileError) -> (tracks: [Track], omissions: [String]) {
        let original = try CopySource(file, places)
        let timescale = try TimeHeader(try original.moov.required("mvhd")).timescale
        let chapterIDs = try original.moov.chapterTrackIDs()
        var (tracks, omissions): ([Track], [String]) = ([], [])
        for trak in original.moov.all("trak") {
            let trackID = try TrackHeader(try trak.required("tkhd")).trackID
            let handler = try trak.required("mdia").required("hdlr").handlerType()
            guard !chapterIDs.contains(trackID), TrackPlaces.Kind(handler: handler) == .subtitle else {
                continue
            }
            do throws(MovieFileError) {
                let track = try Self.track(trak, handler, file, movieTimescale: timescale)
                if !track.cues.isEmpty { tracks.append(track) }
            } catch {
                guard case .unsupported(let reason) = error else { throw error }
                omissions.append("Track \(trackID) is left out: \(reason).")
            }
        }
        return (tracks, omissions)
    }

    private static func track(
        _ trak: Box, _ handler: FourCC, _ file: ReadableFile, movieTimescale: UInt32
    ) throws(MovieFileError) -> Track {
        let mdia = try trak.required("mdia")
        let stsd = try mdia.required("minf").required("stbl").required("stsd")
        let entries = try SampleEntry.entries(of: stsd, handler: handler)
        try trak.expectCopyable(entries)
        guard let format = entries.first?.format, let codec = MatroskaCodec(texts: format) else {
            let format = entries.first.map { "'\($0.format)'" } ?? "no format"
            throw .unsupported(reason: "subtitles of its kind (\(format)) cannot be copied to another movie")
        }
        let source = try CopiedTrack(trak, entries: entries, fileSize: file.size, movieTimescale: movieTimescale)
        let timing = try MatroskaTiming(source, movieTimescale: movieTimescale)
        let cues = try TextBlocks.texts(of: source, as: format, timing, file).map { times, text in
            let begin = timing.presentation(times.lowerBound)
            return Cue(begin: begin, duration: timing.presentation(times.upperBound) - begin, data: text)
        }
        let isEnabled = trak["tkhd"]?.payload.dropFirst(3).first.map { $0 & 1 != 0 } ?? true
        let language = try MatroskaLanguage(mdia)
        let texts = try TrackEntry(
            subtitles: codec.id, name: trak.trackName, language: language, isDefault: isEnabled,
            roles: TrackRoles(trak))
        return Track(source: texts, cues: cues)
    }
}

extension TrackEntry {
    /// A track of subtitles.
    ///
    /// - Parameter configuration: what its decoder needs beforehand; may be empty.
    init(
        subtitles codecID: String, configuration: [UInt8] = [], name: String?, language: MatroskaLanguage,
        isDefault: Bool, roles: TrackRoles
    ) throws(MovieFileError) {
        var entry = EBMLWriter()
        entry.unsigned(.trackNumber, 1)
        entry.unsigned(.trackType, Kind.subtitle.rawValue)
        entry.unsigned(.flagDefault, isDefault ? 1 : 0)
        roles.append(to: &entry)
        entry.unsigned(.flagLacing, 0)
        if let name { entry.text(.name, name) }
        entry.text(.language, language.bibliographic)
        if let tag = language.tag { entry.text(.languageBCP47, tag) }
        entry.text(.codecID, codecID)
        if !configuration.isEmpty { entry.data(.codecPrivate, configuration) }
        try self.init(try Elements(entry.bytes[...]))
    }
}
