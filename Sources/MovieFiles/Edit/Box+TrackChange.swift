extension Box {
    /// Changes what tracks of a `moov` say about themselves.
    ///
    /// - Parameter container: the kind of file, for people.
    /// - Throws: `unsupported` where there is no such track, and for what cannot be said of it.
    mutating func apply(_ changes: [TrackChange], in container: String) throws(MovieFileError) {
        let chapters = try chapterTrackIDs()
        var counts: [TrackChange.Kind: Int] = [:]
        for (index, child) in (children ?? []).enumerated() {
            guard let kind = try child.trackKind(chapters: chapters) else { continue }
            counts[kind, default: 0] += 1
            try children?[index].apply(changes.merged(kind, counts[kind] ?? 0))
        }
        try changes.check(counts, roles: .movie, in: container)
    }

    /// nil for what is no `trak`, is of another kind, holds chapters or has no samples.
    private func trackKind(chapters: Set<UInt32>) throws(MovieFileError) -> TrackChange.Kind? {
        guard type == "trak", !chapters.contains(try TrackHeader(try required("tkhd")).trackID) else { return nil }
        let mdia = try required("mdia")
        let handler = try mdia.required("hdlr").handlerType()
        let kind: TrackChange.Kind? =
            switch TrackPlaces.Kind(handler: handler) {
            case .audio: .audio
            case .subtitle: .subtitle
            case nil: handler == "vide" ? .video : nil
            }
        return try TrackStatistics(try mdia.required("minf").required("stbl")).sampleCount > 0 ? kind : nil
    }

    /// Changes a `trak`.
    private mutating func apply(_ change: TrackChange) throws(MovieFileError) {
        var attributes = TrackAttributes()
        attributes.title = change.title
        attributes.language = change.language?.known
        try write(attributes)
        if change.language == .unknown {
            try edit(["mdia"]) { (mdia: inout Box) throws(MovieFileError) in try mdia.removeLanguage() }
        }
        if change.title == "" {
            try edit(["udta"]) { (userData: inout Box) in userData.removeChildren { $0.type == "name" } }
            removeChildren { $0.type == "udta" && $0.children?.isEmpty == true }
        }
        let roles = TrackRoles(self)
        if change.roles(after: roles) != roles { try setRoles(change.roles(after: roles)) }
        if let isDefault = change.isDefault {
            try setEnabled(isDefault, alternateGroup: change.kind.alternateGroup)
        }
    }
}

extension TrackChange.Kind {
    /// The group of tracks that players choose one of, where the movie has none yet; nil: they are shown beside each other.
    fileprivate var alternateGroup: UInt16? {
        switch self {
        case .video: nil
        case .audio: 1
        case .subtitle: SubtitleTrack.alternateGroup
        }
    }
}
