import MediaTypes

extension MovieSubtitles {
    /// The same as WebM holds them: WebVTT alone. What is no text is left out, as ``omissions`` say.
    package func webM() throws(MovieFileError) -> MovieSubtitles {
        var (kept, omissions): ([Track], [String]) = ([], omissions)
        for track in tracks {
            guard let source = try TextSource(track) else {
                omissions.append(
                    "\(track.fileName ?? "Track \(track.source.number)") is left out: WebM holds subtitles as text, and these "
                        + "(\(track.source.codecID)) are images.")
                continue
            }
            var language = MatroskaLanguage(track.source.language)
            // WebM has no such element.
            language.tag = nil
            let roles = track.source.roles
            omissions += [roles.subtracting(.webM).omission(of: track.name, in: "WebM")].compactMap(\.self)
            var converted = track
            converted.source = try TrackEntry(
                subtitles: SubtitleFile.webVTT, name: track.source.name, language: language,
                isDefault: track.source.isDefault, roles: roles.intersection(.webM))
            if source.form != .webMVTT {
                var file = SubtitleFileText(.webVTT, source, isMoved: false)
                for cue in try source.cues(Part([Span(origin: 0, end: nil)], delay: 0)) { file.add(cue) }
                converted.cues = TimedText.all(in: file.text).texts.map { Cue(webVTT: $0) }
                if file.losesLooks { omissions.append(Self.styles(of: track.name)) }
            }
            kept.append(converted)
        }
        return MovieSubtitles(kept, omissions: omissions)
    }

    private static func styles(of track: String) -> String {
        "The subtitles of \(track) are kept as WebVTT, without what that has no words for, such as their fonts."
    }
}

extension MovieSubtitles.Cue {
    /// A line for its identifier, one for its settings, and the text.
    init(webVTT text: TimedText) { self.init(text, data: "\n\(text.settings)\n\(text.text)") }
}
