package import SystemPackage

/// Subtitles in a file that is complete but for them.
extension MovieSubtitles {
    /// What became of them.
    package struct Added: Sendable {
        /// What is left out, in full sentences.
        package var notes: [String] = []
        /// When the last one has been shown, in nanoseconds from the file's beginning.
        package var end: Int64 = 0
        package var isEmpty = true

        package init(notes: [String] = [], end: Int64 = 0, isEmpty: Bool = true) {
            (self.notes, self.end, self.isEmpty) = (notes, end, isEmpty)
        }
    }

    /// Adds them to a finished QuickTime or MP4 movie, as timed text. Its index is written anew.
    ///
    /// - Parameter target: Open for reading and writing; it stays the caller's.
    /// - Throws: as ``MovieEditing/setMetadata(_:chapters:ofMovieAt:)``.
    package func add(toMovie target: FileDescriptor, _ part: Part) throws(MovieFileError) -> Added {
        var added = Added()
        var tracks: [SubtitleTrack] = []
        let file = try ReadableFile(target)
        let layout = try MovieLayout(file)
        var moov = try TopLevelBoxes.load(layout.moov, from: file)
        let header = try TimeHeader(try moov.required("mvhd"))
        let movieEnd = try header.duration.rescaled(from: header.timescale, to: 1000)
        for track in shown(in: part) {
            guard let form = track.source.textForm, !track.source.isEncoded else {
                let name = track.fileName ?? "Track \(track.source.number)"
                added.notes.append(
                    "\(name) is left out: movies cannot hold such subtitles (\(track.source.codecID)).")
                continue
            }
            let texts = try SubtitleTrack(track.source, track.cues, form, end: Int64(clamping: movieEnd))
            guard !texts.isEmpty else { continue }
            if texts.losesLooks { added.notes.append(SubtitleTrack.plainness(of: track.name)) }
            let container = layout.isQuickTime ? "QuickTime" : "MP4"
            added.notes += [texts.roles.subtracting(.movie).omission(of: track.name, in: container)].compactMap(
                \.self)
            tracks.append(texts)
            added.end = max(added.end, Int64(clamping: texts.duration) * MatroskaTime.millisecond)
        }
        guard !tracks.isEmpty else { return added }
        added.isEmpty = false
        try moov.add(tracks, dataOffset: file.size, for: layout.isQuickTime ? .mov : .mp4)
        if added.end / MatroskaTime.millisecond > movieEnd {
            let end = try UInt64(added.end / MatroskaTime.millisecond).rescaled(from: 1000, to: header.timescale)
            try moov.edit(["mvhd"]) { (mvhd: inout Box) throws(MovieFileError) in try mvhd.setDuration(end) }
        }
        let replacement = IndexReplacement(
            file: DescriptorFile(descriptor: target), layout: layout, size: file.size)
        try replacement.replace(with: try moov.serialized(), samples: tracks.flatMap(\.data))
        return added
    }

    /// Writes a Matroska file once more, with them among its blocks, and with attached files.
    ///
    /// - Parameter target: Empty. Nothing is written where there is nothing to add.
    /// - Throws: `unsupported` where it is not as muxers write it, or WebM, which has no such subtitles; `system`.
    package func add(
        toMatroska source: FileDescriptor, writingTo target: FileDescriptor, _ part: Part,
        attaching attached: AttachedFiles = AttachedFiles()
    ) throws(MovieFileError) -> Added {
        let tracks = shown(in: part)
        guard !tracks.isEmpty || !attached.isEmpty else { return Added() }
        let insertion = try MatroskaInsertion(of: tracks, attached, into: try ReadableFile(source))
        try insertion.write(to: target)
        return Added(end: insertion.end, isEmpty: false)
    }
}

extension SubtitleTrack {
    /// - Parameters:
    ///   - cues: With times of the movie.
    ///   - end: When the movie ends otherwise, in milliseconds.
    fileprivate init(
        _ source: TrackEntry, _ cues: [MovieSubtitles.Cue], _ form: SubtitleText.Form, end: Int64
    ) throws(MovieFileError) {
        let texts = cues.map { cue in
            let begin = cue.begin / MatroskaTime.millisecond
            let length = cue.duration.map { $0 / MatroskaTime.millisecond } ?? Self.usualDuration
            return SubtitleCue(times: begin..<begin + max(1, length), text: form.plain(cue.data))
        }
        try self.init(source, texts, losesLooks: cues.contains { form.losesLooks(of: $0.data) }, end: end)
    }
}
