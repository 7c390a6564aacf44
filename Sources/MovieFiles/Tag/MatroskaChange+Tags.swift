/// The `Tags` (RFC 9559 section 5.1.8).
extension MatroskaChange {
    /// nil where they stay as they are.
    func newTags() throws(MovieFileError) -> [UInt8]? {
        let fields = MetadataField.allCases.compactMap { field in
            change.metadata[field].map { _ in (field, MatroskaTags.text(field, change.metadata) ?? "") }
        }
        let others = change.metadata.others
        guard !fields.isEmpty || !retitled.isEmpty || !others.isEmpty else { return nil }
        let outdated = Set(fields.map(\.0).filter { $0 != .title }.flatMap(\.matroskaNames))
            .union(others.map { $0.name.uppercased() })
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
                guard rawID == ElementID.simpleTag.rawValue else {
                    kept.append((rawID, data))
                    continue
                }
                let text = try Elements(data)
                if isTitle(text, of: target) {
                    guard let title = change.metadata.title, !title.isEmpty else { continue }
                    var writer = text.without([.crc32, .tagString])
                    writer.text(.tagString, title)
                    kept.append((rawID, writer.bytes[...]))
                } else if !replaces(text, of: target, outdated) {
                    kept.append((rawID, data))
                }
            }
            guard kept.contains(where: { $0.rawID == ElementID.simpleTag.rawValue }) else { continue }
            writer.master(.tag) { tag in for (rawID, data) in kept { tag.data(rawID: rawID, data) } }
        }
        let texts =
            fields.filter { $0.0 != .title && !$0.1.isEmpty }.map { field, text in
                (name: MatroskaTags.name(field, change.metadata), text: text)
            } + [MatroskaTags.local(change.metadata.creationDate)].compactMap(\.self)
            + others.map { (name: $0.name, text: $0.text) }
        if !texts.isEmpty { MatroskaTags.append(texts, to: &writer) }
        return writer.bytes == original[.tags] ?? [] ? nil : writer.bytes
    }

    /// Whether a text is the movie's title, and that changes.
    private func isTitle(_ text: Elements, of target: MatroskaTags.Target) -> Bool {
        guard change.metadata.title != nil, case .movie(let level) = target else { return false }
        return level == titleLevel && text.text(.tagName)?.uppercased() == "TITLE"
    }

    /// Whether a text is another one that changes.
    ///
    /// - Parameters:
    ///   - text: a `SimpleTag`.
    ///   - outdated: the names of those of the movie that do.
    private func replaces(_ text: Elements, of target: MatroskaTags.Target, _ outdated: Set<String>) -> Bool {
        let name = text.text(.tagName)?.uppercased() ?? ""
        switch target {
        case .movie: return outdated.contains(name)
        case .track(let uid): return name == "TITLE" && retitled.contains(uid)
        case .part: return false
        }
    }

    static func titleLevel(_ original: FinishedMatroska) throws(MovieFileError) -> UInt64? {
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
