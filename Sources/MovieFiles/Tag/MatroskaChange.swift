import MediaTypes

/// What a change makes of the descriptions in a Matroska file (RFC 9559 sections 5.1.2, 5.1.4, 5.1.7 and 5.1.8).
struct MatroskaChange {
    private let change: MovieChange
    private let original: FinishedMatroska
    private let info: Elements
    /// The level of the tags that tell the title: a higher one is that of what the movie is a part of. nil where none does.
    private let titleLevel: UInt64?
    /// By their UIDs, those whose titles change.
    private var retitled: Set<UInt64> = []
    /// The data of what takes the place of all elements of a kind; where it is empty, they go.
    private(set) var elements: [ElementID: [UInt8]] = [:]

    /// - Throws: `unsupported` where there is no such track, and for a chapter behind the end.
    init(_ change: MovieChange, of original: FinishedMatroska) throws(MovieFileError) {
        (self.change, self.original) = (change, original)
        info = try Elements((original[.info] ?? [])[...])
        titleLevel = try Self.titleLevel(original)
        if change.metadata.title != nil || change.metadata.creationDate != nil { elements[.info] = newInfo }
        if let chapters = change.chapters { elements[.chapters] = try data(of: chapters) }
        if !change.tracks.isEmpty { elements[.tracks] = try newTracks() }
        if let tags = try newTags() { elements[.tags] = tags }
    }

    private static func titleLevel(_ original: FinishedMatroska) throws(MovieFileError) -> UInt64? {
        var lowest: UInt64?
        for data in try Elements((original[.tags] ?? [])[...]).all(.tag) {
            let tag = try Elements(data)
            guard case .movie(let level) = MatroskaTags.Target(try tag.inside(.targets)) else { continue }
            for text in tag.all(.simpleTag) where try Elements(text).text(.tagName)?.uppercased() == "TITLE" {
                lowest = min(lowest ?? level, level)
            }
        }
        return lowest
    }

    private var newInfo: [UInt8] {
        let metadata = change.metadata
        var replaced: [ElementID] = [.crc32]
        if metadata.title != nil { replaced.append(.title) }
        if metadata.creationDate != nil { replaced.append(.dateUTC) }
        var writer = info.without(replaced)
        if let title = metadata.title, !title.isEmpty { writer.text(.title, title) }
        if let date = metadata.creationDate.flatMap(MatroskaTags.nanoseconds) { writer.signed(.dateUTC, date) }
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
            writer.data(.trackEntry, entry.changed(by: change, isWebM: original.isWebM))
        }
        for change in change.tracks where change.number < 1 || change.number > counts[change.kind] ?? 0 {
            throw change.missing(of: counts[change.kind] ?? 0)
        }
        return writer.bytes
    }

    /// nil where they stay as they are.
    private func newTags() throws(MovieFileError) -> [UInt8]? {
        let fields = MetadataField.allCases.compactMap { field in
            change.metadata[field].map { _ in (field, MatroskaTags.text(field, change.metadata) ?? "") }
        }
        guard !fields.isEmpty || !retitled.isEmpty else { return nil }
        let outdated = Set(fields.map(\.0).filter { $0 != .title }.flatMap(\.matroskaNames))
        var writer = EBMLWriter()
        for (rawID, data) in try Elements((original[.tags] ?? [])[...]).everything {
            guard rawID == ElementID.tag.rawValue else {
                if rawID != ElementID.crc32.rawValue { writer.data(rawID: rawID, data) }
                continue
            }
            let tag = try Elements(data)
            let target = MatroskaTags.Target(try tag.inside(.targets))
            var kept: [(rawID: UInt32, data: ArraySlice<UInt8>)] = []
            for (rawID, data) in tag.everything where rawID != ElementID.crc32.rawValue {
                let isText = rawID == ElementID.simpleTag.rawValue
                if isText, replaces(try Elements(data), of: target, outdated) { continue }
                kept.append((rawID, data))
            }
            guard kept.contains(where: { $0.rawID == ElementID.simpleTag.rawValue }) else { continue }
            writer.master(.tag) { tag in for (rawID, data) in kept { tag.data(rawID: rawID, data) } }
        }
        let texts = fields.filter { $0.0 != .title && !$0.1.isEmpty }.compactMap { field, text in
            field.matroskaNames.first.map { (name: $0, text: text) }
        }
        if !texts.isEmpty { MatroskaTags.append(texts, to: &writer) }
        return writer.bytes == original[.tags] ?? [] ? nil : writer.bytes
    }

    /// Whether a text is one that changes.
    ///
    /// - Parameters:
    ///   - text: a `SimpleTag`.
    ///   - outdated: the names of those of the movie that do.
    private func replaces(_ text: Elements, of target: MatroskaTags.Target, _ outdated: Set<String>) -> Bool {
        let name = text.text(.tagName)?.uppercased() ?? ""
        switch target {
        case .movie(let level):
            let isTitle = name == "TITLE" && change.metadata.title != nil && level == titleLevel
            return isTitle || outdated.contains(name)
        case .track(let uid): return name == "TITLE" && retitled.contains(uid)
        case .part: return false
        }
    }
}

extension MatroskaTags {
    /// What a tag is about (RFC 9559 section 5.1.8.1.1).
    enum Target {
        /// The whole, of a level: 30 is a song, 50 an album or a film.
        case movie(level: UInt64)
        case track(UInt64)
        /// A chapter, an edition or an attachment.
        case part

        private static let usualLevel: UInt64 = 50

        /// - Parameter targets: nil where it has none.
        init(_ targets: Elements?) {
            let parts: [ElementID] = [.tagEditionUID, .tagChapterUID, .tagAttachmentUID]
            if let uid = targets?.unsigned(.tagTrackUID), uid != 0 {
                self = .track(uid)
            } else {
                let isPart = parts.contains { targets?.unsigned($0) ?? 0 != 0 }
                self = isPart ? .part : .movie(level: targets?.unsigned(.targetTypeValue) ?? Self.usualLevel)
            }
        }
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
    fileprivate func without(_ ids: [ElementID]) -> EBMLWriter {
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
        var writer = without(replaced)
        if let title = change.title, !title.isEmpty { writer.text(.name, title) }
        if let language = change.language.map({ MatroskaLanguage($0.known) }) {
            writer.text(.language, language.bibliographic)
            // WebM has no such element.
            if let tag = language.tag, !isWebM { writer.text(.languageBCP47, tag) }
        }
        if let isDefault = change.isDefault { writer.unsigned(.flagDefault, isDefault ? 1 : 0) }
        return writer.bytes
    }
}
