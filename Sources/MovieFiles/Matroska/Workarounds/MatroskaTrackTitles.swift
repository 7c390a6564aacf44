/// What a finished Matroska file says of its tracks twice, changed where it stands.
///
/// matroskamux (1.22) writes the title of a track as its name, and as a tag of it once more, which players and mediainfo show beside it.
enum MatroskaTrackTitles {
    /// A title is no longer.
    private static let maximumSize = 1 << 20

    /// What takes the place of the tags, and of the list of the file's parts where none is left; each as long as what it replaces.
    ///
    /// - Parameter start: Where the segment's data begins, first with the list of its parts.
    static func patches(from start: UInt64, in file: DescriptorFile) -> [(offset: UInt64, bytes: [UInt8])] {
        guard let (seekHead, seeks) = elements(of: .seekHead, at: start, file),
            let place = seeks.all(.seek).first(where: isSeekOfTags).flatMap({ try? Elements($0) })?
                .unsigned(.seekPosition), place < 1 << 60,
            let (tags, list) = elements(of: .tags, at: start + place, file)
        else { return [] }
        var (kept, isChanged) = ([[UInt8]](), false)
        for (id, data) in list.everything {
            guard id == ElementID.tag.rawValue, let tag = try? Elements(data), isOfTrack(tag) else {
                kept.append(element(id, data))
                continue
            }
            let others = tag.everything.filter { $0.rawID != ElementID.simpleTag.rawValue || !isTitle($0.data) }
            isChanged = isChanged || others.count < tag.everything.count
            guard others.contains(where: { $0.rawID == ElementID.simpleTag.rawValue }) else { continue }
            kept.append(element(id, others.flatMap { element($0.rawID, $0.data) }))
        }
        guard isChanged else { return [] }
        guard kept.isEmpty else {
            return filled(.tags, kept, size: tags.count).map { [(tags.lowerBound, $0)] } ?? []
        }
        // None is left, so nothing is to lead to them.
        let others = seeks.everything.filter { !isSeekOfTags($0.data) }.map { element($0.rawID, $0.data) }
        guard let head = filled(.seekHead, others, size: seekHead.count) else { return [] }
        var void = EBMLWriter()
        void.void(tags.count)
        return [(seekHead.lowerBound, head), (tags.lowerBound, void.bytes)]
    }

    /// What lies in an element, and from where to where that goes, its head included.
    private static func elements(
        of id: ElementID, at place: UInt64, _ file: DescriptorFile
    ) -> (Range<UInt64>, Elements)? {
        let head = file.read(upTo: ElementHeader.maximumSize, at: place)
        guard let header = ElementHeader(head[...], at: place), header.id == id, let size = header.size,
            size <= maximumSize
        else { return nil }
        let bytes = file.read(upTo: Int(size), at: header.dataOffset)
        return (try? Elements(bytes[...])).map { (place..<header.dataOffset + size, $0) }
    }

    private static func isOfTrack(_ tag: Elements) -> Bool {
        (try? tag.inside(.targets))?.unsigned(.tagTrackUID) ?? 0 != 0
    }

    private static func isTitle(_ data: ArraySlice<UInt8>) -> Bool {
        (try? Elements(data))?.text(.tagName) == "TITLE"
    }

    private static func isSeekOfTags(_ data: ArraySlice<UInt8>) -> Bool {
        (try? Elements(data))?.unsigned(.seekID) == UInt64(ElementID.tags.rawValue)
    }

    private static func element(_ id: UInt32, _ data: some Collection<UInt8>) -> [UInt8] {
        var writer = EBMLWriter()
        writer.data(rawID: id, data)
        return writer.bytes
    }

    /// An element with these in it, and one that tells nothing behind it, of so many bytes in all; nil where that cannot be.
    private static func filled(_ id: ElementID, _ inside: [[UInt8]], size: Int) -> [UInt8]? {
        var writer = EBMLWriter()
        writer.data(id, inside.flatMap(\.self))
        let rest = size - writer.bytes.count
        guard rest >= 0, rest != 1 else { return nil }
        writer.void(rest)
        return writer.bytes
    }
}
