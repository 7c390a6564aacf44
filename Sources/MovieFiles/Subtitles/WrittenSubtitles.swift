/// A track of subtitles as a file of its own.
package struct WrittenSubtitles: Sendable {
    /// In UTF-8.
    package let bytes: [UInt8]
    package let count: Int
    /// When the last one has been shown, in nanoseconds.
    package let end: Int64
    /// Whether some had looks or places that the format has no words for.
    package let losesLooks: Bool
}

extension MovieSubtitles {
    /// The subtitles of a file alone, whose times count from 0.
    package init(_ file: SubtitleFile) throws(MovieFileError) {
        let source = try TrackEntry(
            subtitles: file.codecID, configuration: file.configuration, name: nil,
            language: MatroskaLanguage(file.language), isDefault: true, roles: file.roles)
        self.init([Track(source: source, cues: file.cues)], omissions: file.omissions)
    }

    /// The first of the tracks as the text of a file.
    ///
    /// - Throws: `unsupported` where it is no text, or ``omissions`` says why it is not here.
    package func written(as format: SubtitleFormat, _ part: Part) throws(MovieFileError) -> WrittenSubtitles {
        guard let track = tracks.first else {
            throw .unsupported(reason: omissions.first ?? "it has no subtitles")
        }
        guard let source = try TextSource(track) else {
            throw .unsupported(reason: "its subtitles (\(track.source.codecID)) are not text")
        }
        var file = SubtitleFileText(format, source, isMoved: part.isMoved)
        for cue in try source.cues(part) { file.add(cue) }
        return WrittenSubtitles(
            bytes: Array(file.text.utf8), count: file.count, end: file.end, losesLooks: file.losesLooks)
    }
}

extension MovieSubtitles.Part {
    /// Whether other times are shown than those of the file.
    fileprivate var isMoved: Bool { delay != 0 || spans.count != 1 || spans.contains { $0.origin != $0.begin } }
}

/// What a track of texts holds, decompressed.
struct TextSource {
    let form: SubtitleText.Form
    /// What stands before the texts; may be empty.
    let header: String
    private let track: MovieSubtitles.Track

    /// - Returns: nil for what is no text.
    /// - Throws: `unsupported` where it is compressed or encrypted in a way that is not known.
    init?(_ track: MovieSubtitles.Track) throws(MovieFileError) {
        guard let form = track.source.textForm else { return nil }
        (self.form, self.track) = (form, track)
        let bytes = Array(track.source.codecPrivate)
        let encoding = try track.source.frameEncoding()
        let plain = encoding?.coversPrivate == true ? try encoding?.decoded(bytes) ?? bytes : bytes
        header = SubtitleStream.text(Array(plain.prefix { $0 != 0 }))
    }

    /// Those that are shown in a part, at its times. Where nothing tells how long one is shown, it is until the next, and not long.
    func cues(_ part: MovieSubtitles.Part) throws(MovieFileError) -> [MovieSubtitles.Cue] {
        var all = track.cues
        let encoding = try track.source.frameEncoding()
        let usual = SubtitleTrack.usualDuration * MatroskaTime.millisecond
        for index in all.indices {
            if let encoding { all[index].data = try encoding.decoded(all[index].data) }
            guard all[index].duration == nil else { continue }
            let next = all[(index + 1)...].first { $0.begin > all[index].begin }
            all[index].duration = min(usual, next.map { $0.begin - all[index].begin } ?? usual)
        }
        return MovieSubtitles([.init(source: track.source, cues: all)]).shown(in: part).first?.cues ?? []
    }
}
