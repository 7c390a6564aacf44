import MediaTypes

/// What a change makes of the descriptions in a Matroska file (RFC 9559 sections 5.1.2, 5.1.4, 5.1.7 and 5.1.8).
struct MatroskaChange {
    let change: MovieChange
    let original: FinishedMatroska
    private let info: Elements
    /// The level of the tags that tell the title: a higher one is that of what the movie is a part of. nil where none does.
    let titleLevel: UInt64?
    /// By their UIDs, those whose titles change.
    private(set) var retitled: Set<UInt64> = []
    /// The data of what takes the place of all elements of a kind; where it is empty, they go.
    private(set) var elements: [ElementID: [UInt8]] = [:]

    /// - Throws: `unsupported` where there is no such track, for a chapter behind the end, and for what WebM has no place for.
    init(_ change: MovieChange, of original: FinishedMatroska) throws(MovieFileError) {
        (self.change, self.original) = (change, original)
        info = try Elements((original[.info] ?? [])[...])
        titleLevel = try Self.titleLevel(original)
        if change.metadata.title != nil || change.metadata.creationDate != nil { elements[.info] = newInfo }
        if let chapters = change.chapters { elements[.chapters] = try data(of: chapters) }
        if !change.tracks.isEmpty || change.orientation != nil { elements[.tracks] = try newTracks() }
        if let artwork = change.metadata.artwork { elements[.attachments] = try attachments(artwork) }
        if let tags = try newTags() { elements[.tags] = tags }
    }

    private var newInfo: [UInt8] {
        let metadata = change.metadata
        var replaced: [ElementID] = [.crc32]
        if metadata.title != nil { replaced.append(.title) }
        if metadata.creationDate != nil { replaced.append(.dateUTC) }
        var writer = info.without(replaced)
        if let title = metadata.title, !title.isEmpty { writer.text(.title, title) }
        if let date = metadata.creationDate, date.isInstant, let date = MatroskaTags.nanoseconds(date) {
            writer.signed(.dateUTC, date)
        }
        return writer.bytes
    }

    private func data(of chapters: [MovieInfo.Chapter]) throws(MovieFileError) -> [UInt8] {
        let ticks = info.float(.duration) ?? 0
        let duration = ticks * Double(info.unsigned(.timestampScale) ?? UInt64(MatroskaTime.millisecond))
        let end = duration > 0 ? Int64(min(duration, 1e18)) : .max
        try MovieEditing.refuseLate(chapters, end: MediaTime(nanoseconds: end))
        let element = MatroskaChapters.element(chapters, shift: 0, end: end) ?? []
        return ElementHeader(element[...], at: 0).map { Array(element.dropFirst(Int($0.dataOffset))) } ?? []
    }

    private mutating func newTracks() throws(MovieFileError) -> [UInt8] {
        var writer = EBMLWriter()
        var counts: [TrackChange.Kind: Int] = [:]
        for (rawID, data) in try Elements((original[.tracks] ?? [])[...]).everything {
            guard rawID == ElementID.trackEntry.rawValue else {
                if rawID != ElementID.crc32.rawValue { writer.data(rawID: rawID, data) }
                continue
            }
            let entry = try Elements(data)
            guard let kind = TrackChange.Kind(matroska: entry.unsigned(.trackType)) else {
                writer.data(.trackEntry, data)
                continue
            }
            counts[kind, default: 0] += 1
            let change = change.tracks.merged(kind, counts[kind] ?? 0)
            if change.title != nil, let uid = entry.unsigned(.trackUID) { retitled.insert(uid) }
            var changed = entry.changed(by: change, isWebM: original.isWebM)
            if kind == .video, let orientation = self.change.orientation {
                changed = try Elements(changed[...]).turned(orientation)
            }
            writer.data(.trackEntry, changed)
        }
        try change.tracks.check(
            counts, roles: original.isWebM ? .webM : .matroska, in: original.isWebM ? "WebM" : "Matroska")
        return writer.bytes
    }

    /// The attached files with another cover, which stands in front; without any where there is none.
    private func attachments(_ artwork: [UInt8]) throws(MovieFileError) -> [UInt8] {
        guard !original.isWebM || artwork.isEmpty else {
            throw .unsupported(reason: "WebM has no place for a cover; a copy of it as Matroska (.mkv) has one")
        }
        let all = try Elements((original[.attachments] ?? [])[...]).everything
        let old = AttachedFiles(elements: all.filter { $0.rawID == ElementID.attachedFile.rawValue }.map(\.data))
        let covers = Set(old.covers.map(\.uid))
        let kept = old.files.filter { !covers.contains($0.uid) }
        var writer = EBMLWriter()
        for file in AttachedFiles(artwork: artwork.isEmpty ? nil : artwork, besides: Set(kept.map(\.uid))).files + kept
        {
            writer.data(.attachedFile, file.element)
        }
        return writer.bytes
    }
}

extension TrackChange.Kind {
    fileprivate init?(matroska type: UInt64?) {
        switch type.flatMap(TrackEntry.Kind.init) {
        case .video: self = .video
        case .audio: self = .audio
        case .subtitle: self = .subtitle
        case nil: return nil
        }
    }
}

extension Elements {
    /// All but some, as they are.
    func without(_ ids: [ElementID]) -> EBMLWriter {
        let left = ids.map(\.rawValue)
        var writer = EBMLWriter()
        for (rawID, data) in everything where !left.contains(rawID) { writer.data(rawID: rawID, data) }
        return writer
    }

    /// A `TrackEntry`'s data.
    fileprivate func changed(by change: TrackChange, isWebM: Bool) -> [UInt8] {
        var replaced: [ElementID] = [.crc32]
        if change.title != nil { replaced.append(.name) }
        if change.language != nil { replaced += [.language, .languageBCP47] }
        if change.isDefault != nil { replaced.append(.flagDefault) }
        let roles = TrackRoles(self)
        let newRoles = change.roles(after: roles)
        if newRoles != roles { replaced += TrackRoles.flags.map(\.1) }
        var writer = without(replaced)
        if let title = change.title, !title.isEmpty { writer.text(.name, title) }
        if let language = change.language.map({ MatroskaLanguage($0.known) }) {
            writer.text(.language, language.bibliographic)
            // WebM has no such element.
            if let tag = language.tag, !isWebM { writer.text(.languageBCP47, tag) }
        }
        if let isDefault = change.isDefault { writer.unsigned(.flagDefault, isDefault ? 1 : 0) }
        if newRoles != roles { newRoles.append(to: &writer) }
        return writer.bytes
    }
}
