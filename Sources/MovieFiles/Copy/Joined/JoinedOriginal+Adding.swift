package import MediaTypes

extension JoinedOriginal {
    /// Audio of another file that is added to a movie.
    package struct Addition: Sendable {
        let original: MovieOriginal
        let begin: MediaTime
        let language: TrackLanguage?
        let title: String?

        /// - Parameters:
        ///   - original: opened without anything else; of the same kind as the movie, unless both go into Matroska.
        ///   - begin: when it begins in the movie.
        ///   - language: nil for what the file says.
        ///   - title: likewise.
        package init(_ original: MovieOriginal, begin: MediaTime, language: TrackLanguage?, title: String?) {
            (self.original, self.begin, self.language, self.title) = (original, begin, language, title)
        }
    }

    /// A movie with audio of other files behind its own, which ends with it.
    ///
    /// - Parameters:
    ///   - original: opened for Matroska where it is of that kind.
    ///   - end: when the movie ends.
    /// - Throws: as ``MovieCopy``.
    package init(
        _ original: MovieOriginal, adding additions: [Addition], until end: MediaTime
    ) throws(MovieFileError) {
        var files = SourceFiles(original.file.descriptor, size: original.file.size)
        var moov = original.source.moov
        let timescale = try TimeHeader(try moov.required("mvhd")).timescale
        let end = UInt64((max(0, end.seconds) * Double(timescale)).rounded())
        var hasAudio = try moov.markAudio()
        let kept = original.source.matroska.map { $0.ownMedia + $0.ownSubtitles } ?? []
        for addition in additions {
            let base = files.append(addition.original.file.descriptor, size: addition.original.file.size)
            let begin = UInt64((max(0, addition.begin.seconds) * Double(timescale)).rounded())
            for track in try addition.original.audio(in: timescale) {
                let number = max(try moov.freeTrackID(), (kept.map(\.id).max() ?? 0) + 1)
                var made = try track.trak(number, at: base, track.edits.shifted(by: begin).cut(to: end))
                var attributes = TrackAttributes()
                (attributes.language, attributes.title) = (addition.language, addition.title)
                if hasAudio || additions.count > 1 { attributes.isDefault = !hasAudio }
                try made.write(attributes)
                hasAudio = true
                let place = try moov.endOfMedia()
                moov.children?.insert(made, at: place)
            }
        }
        source = CopySource(original.source, moov: moov, size: files.end)
        (self.files, first, originals, omissions, movies) = (
            files, original, [original] + additions.map(\.original), [], []
        )
    }
}

extension [EditList.Edit] {
    /// Later by some ticks.
    fileprivate func shifted(by ticks: UInt64) -> Self {
        ticks > 0 ? [.init(duration: ticks, mediaTime: nil)] + self : self
    }

    /// Without what is shown behind an end.
    fileprivate func cut(to end: UInt64) -> Self {
        var (edits, position): (Self, UInt64) = ([], 0)
        for var edit in self where position < end {
            edit.duration = Swift.min(edit.duration, end - position)
            position += edit.duration
            edits.append(edit)
        }
        return edits
    }
}

extension Box {
    /// Makes the only track of audio of a `moov` the one that is played without being asked, where others come.
    ///
    /// - Returns: whether there is any.
    fileprivate mutating func markAudio() throws(MovieFileError) -> Bool {
        let places = try mediaPlaces { $0 == "soun" }
        guard places.count == 1, var trak = children?[places[0]] else { return !places.isEmpty }
        var attributes = TrackAttributes()
        attributes.isDefault = true
        try trak.write(attributes)
        children?[places[0]] = trak
        return true
    }

    /// Behind which of the children of a `moov` audio is to stand.
    fileprivate func endOfMedia() throws(MovieFileError) -> Int {
        let last = try mediaPlaces { $0 == "soun" || $0 == "vide" }.last ?? children?.lastIndex { $0.type == "trak" }
        return last.map { $0 + 1 } ?? children?.endIndex ?? 0
    }

    private func mediaPlaces(_ isMeant: (FourCC) -> Bool) throws(MovieFileError) -> [Int] {
        var places: [Int] = []
        for (index, child) in (children ?? []).enumerated() where child.type == "trak" {
            if isMeant(try child.required("mdia").required("hdlr").handlerType()) { places.append(index) }
        }
        return places
    }
}
