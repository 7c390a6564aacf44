/// Subtitles at the times of another file.
extension MovieSubtitles {
    /// Those that are seen in a part, at its times.
    func shown(in part: Part) -> [Track] {
        tracks.compactMap { track in
            guard track.fileName == nil else { return track }
            var track = track
            track.cues = part.spans.flatMap { span in track.cues.compactMap { $0.shown(in: span, of: part) } }
            return track.cues.isEmpty ? nil : track
        }
    }

    /// Adds those of a file as another track.
    ///
    /// - Parameters:
    ///   - part: when they are shown in the other file.
    ///   - end: when that ends, in nanoseconds; nothing is shown behind it.
    ///   - isDefault: whether they are shown without being asked for.
    /// - Returns: how many are shown, and how many only after the end; none is added where none is shown.
    package mutating func append(
        _ file: SubtitleFile, _ part: Part, until end: Int64, isDefault: Bool
    ) throws(MovieFileError) -> (shown: Int, late: Int) {
        let all = part.spans.flatMap { span in file.cues.compactMap { $0.shown(in: span, of: part) } }
        var cues = all.filter { $0.begin < end }
        for index in cues.indices {
            cues[index].duration = cues[index].duration.map { min($0, end - cues[index].begin) }
        }
        guard !cues.isEmpty else { return (0, all.count) }
        let source = try TrackEntry(
            subtitles: file.codecID, configuration: file.configuration, name: nil,
            language: MatroskaLanguage(file.language), isDefault: isDefault, roles: file.roles)
        tracks.append(Track(source: source, cues: cues, fileName: file.name))
        return (cues.count, all.count - cues.count)
    }
}

extension MovieSubtitles.Part {
    /// How long it takes in the other file, in nanoseconds.
    fileprivate func scaled(_ time: Int64) -> Int64 {
        speed == 1 ? time : Int64((Double(time) / speed).rounded())
    }
}

extension MovieSubtitles.Cue {
    /// The same at the other file's time; nil where it is not seen.
    fileprivate func shown(in span: MovieSubtitles.Span, of part: MovieSubtitles.Part) -> Self? {
        let (begin, end) = (self.begin, duration.map { self.begin + $0 })
        if let last = span.end, begin >= last { return nil }
        // One without an end may be what takes the one before it away.
        if let end, end <= span.origin { return nil }
        if end == nil, begin < span.origin { return nil }
        var cue = self
        let (first, last) = (max(begin, span.origin), min(end ?? .max, span.end ?? .max))
        if end != nil { cue.duration = part.scaled(last - first) }
        cue.begin = part.scaled(first - span.origin + span.begin) + part.delay
        return cue
    }
}
