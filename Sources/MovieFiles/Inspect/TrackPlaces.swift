/// Which audio and subtitle tracks of a file are wanted, by their places among those of their kind that have samples, from 0.
package struct TrackPlaces: Sendable, Hashable {
    /// In the order in which they are to be, the one that is played without being asked first; nil: all, as they are.
    package var audio: [Int]?
    /// nil: all.
    package var subtitles: [Int]?
    /// Whether tracks of another kind are there, such as video.
    let takesOthers: Bool

    package init(audio: [Int]? = nil, subtitles: [Int]? = nil, takesOthers: Bool = true) {
        (self.audio, self.subtitles, self.takesOthers) = (audio, subtitles, takesOthers)
    }

    /// Whether something is chosen at all.
    var areChosen: Bool { audio != nil || subtitles != nil || !takesOthers }

    /// The audio and subtitles that are wanted, and all else, which stays where it is.
    ///
    /// - Parameter marking: makes one the track that is played without being asked, or one that is not.
    func chosen<Track, Failure: Error>(
        of tracks: [Track], kind: (Track) throws(Failure) -> Kind?, marking: (inout Track, Bool) throws(Failure) -> Void
    ) throws(Failure) -> [Track] {
        var (audioTracks, kept): ([Track], [Track]) = ([], [])
        var (firstAudio, subtitleCount): (Int?, Int) = (nil, 0)
        for track in tracks {
            switch try kind(track) {
            case .audio where audio != nil:
                firstAudio = firstAudio ?? kept.count
                audioTracks.append(track)
            case .subtitle where subtitles != nil:
                if subtitles?.contains(subtitleCount) == true { kept.append(track) }
                subtitleCount += 1
            default: kept.append(track)
            }
        }
        guard let firstAudio, let audio else { return kept }
        var chosen = audio.filter(audioTracks.indices.contains).map { audioTracks[$0] }
        for index in chosen.indices { try marking(&chosen[index], index == 0) }
        kept.insert(contentsOf: chosen, at: firstAudio)
        return kept
    }

    /// What can be chosen among.
    enum Kind: Sendable { case audio, subtitle }
}

extension Box {
    /// Leaves of the audio and subtitles of a `moov` those that are wanted.
    mutating func choose(_ places: TrackPlaces) throws(MovieFileError) {
        guard places.areChosen else { return }
        let chapters = try chapterTrackIDs()
        let reference = all("trak").lazy.compactMap { $0.descendant("tref", "chap") }.first
        children = try places.chosen(of: children ?? []) { (child) throws(MovieFileError) in
            try child.choosableKind(chapters: chapters)
        } marking: { (trak: inout Box, isDefault) throws(MovieFileError) in
            var attributes = TrackAttributes()
            attributes.isDefault = isDefault
            try trak.write(attributes)
        }
        if !places.takesOthers {
            var kept: [Box] = []
            for child in children ?? [] {
                let kind = try child.choosableKind(chapters: chapters)
                if child.type != "trak" || kind != nil { kept.append(child) }
            }
            children = kept
        }
        guard let reference, try chapterTrackIDs().isEmpty else { return }
        // Only a track that is gone named the chapters.
        for (index, child) in (children ?? []).enumerated() where child.type == "trak" {
            guard try child.choosableKind(chapters: []) != .subtitle else { continue }
            var references = child["tref"] ?? Box("tref", children: [])
            references.children?.append(reference)
            children?[index].replaceOrAppend(references)
            return
        }
    }

    /// nil for what is no track of audio or subtitles, and for one without samples.
    private func choosableKind(chapters: Set<UInt32>) throws(MovieFileError) -> TrackPlaces.Kind? {
        guard type == "trak", !chapters.contains(try TrackHeader(try required("tkhd")).trackID) else { return nil }
        let mdia = try required("mdia")
        guard let kind = TrackPlaces.Kind(handler: try mdia.required("hdlr").handlerType()) else { return nil }
        let stbl = try mdia.required("minf").required("stbl")
        return try TrackStatistics(stbl).sampleCount > 0 ? kind : nil
    }
}

extension TrackPlaces.Kind {
    /// - Parameter handler: ISO/IEC 14496-12, 8.4.3.
    init?(handler: FourCC) {
        switch handler {
        case "soun": self = .audio
        case "text", "sbtl", "subt", "subp", "clcp": self = .subtitle
        default: return nil
        }
    }
}
