import MediaTypes

/// What a change makes of ID3v2 tags: one of the version of the first. Frames that it does not concern stay as they are, whatever they are for.
struct ID3TagChange {
    private(set) var bytes: [UInt8]

    /// What is left free for later, in bytes.
    private static let room = 1024

    /// - Parameters:
    ///   - tags: those of the file, in order; none where there was none.
    ///   - short: what another tag says that goes, of which the new one tells what the old ones do not.
    ///   - end: of the last chapter.
    /// - Throws: `unsupported` for tags of different versions, and for more than a tag holds.
    init(
        _ change: MovieChange, of tags: [ID3Tag], _ short: MovieMetadata? = nil, end: MediaTime
    ) throws(MovieFileError) {
        let version = tags.first?.version ?? 4
        guard tags.allSatisfy({ $0.version == version }) else {
            throw .unsupported(reason: "it begins with ID3 tags of several versions; a copy of it has one")
        }
        let writer = ID3FrameWriter(version: version)
        let changed = MetadataField.allCases.filter { change.metadata[$0] != nil }
        let old = Self.merged(tags)
        var frames = old.filter { !Self.isOutdated($0, change, changed) }.flatMap { Array($0.whole) }
        frames += changed.flatMap { writer.frames($0, change.metadata) }
        if let artwork = change.metadata.artwork { frames += writer.images(CoverArt.covers(inItem: artwork)) }
        frames += change.metadata.others.flatMap { writer.named($0.name, $0.text) }
        if let chapters = change.chapters {
            guard chapters.count <= ID3FrameWriter.mostChapters else {
                throw .unsupported(
                    reason: "an ID3 tag holds \(ID3FrameWriter.mostChapters) chapters, and there are \(chapters.count)")
            }
            frames += writer.chapters(chapters, end: end)
        }
        if let short {
            let told = tags.map(\.metadata)
            let missing = MetadataField.allCases.filter { field in
                !changed.contains(field) && told.allSatisfy { $0[field] == nil }
            }
            // The date is told by no text of a name.
            let isDated = old.contains { Self.dates.contains($0.id) }
            frames += missing.filter { $0 != .creationDate || !isDated }.flatMap { writer.frames($0, short) }
        }
        guard frames.count + Self.room <= ID3Tag.maximumSize else {
            throw .unsupported(reason: "an ID3 tag cannot hold as much; choose a smaller cover")
        }
        bytes = frames.isEmpty ? [] : writer.tag(frames, room: Self.room)
    }

    /// The frames of all tags; of texts that have one place those of the first.
    private static func merged(_ tags: [ID3Tag]) -> [ID3Tag.Frame] {
        var frames: [ID3Tag.Frame] = []
        for tag in tags {
            let earlier = frames
            frames += tag.frames.filter { frame in
                !earlier.contains { other in
                    frame.id == other.id && (hasOnePlace(frame.id) || frame.whole.elementsEqual(other.whole))
                }
            }
        }
        return frames
    }

    private static func hasOnePlace(_ id: String) -> Bool { id.hasPrefix("T") && id != "TXXX" || id == "CTOC" }

    private static let dates = ["TDRC", "TYER", "TDAT", "TIME", "TRDA"]

    private static func isOutdated(_ frame: ID3Tag.Frame, _ change: MovieChange, _ changed: [MetadataField]) -> Bool {
        switch frame.id {
        case "APIC": change.metadata.artwork != nil
        case "CHAP", "CTOC": change.chapters != nil
        case "COMM": changed.contains(.comment) && ID3Tag.name(ofRemark: frame.bytes).isEmpty
        case "USLT": changed.contains(.lyrics)
        case "TXXX":
            changed.flatMap(\.commonNames).contains(ID3Tag.texts(frame.bytes).first?.lowercased() ?? "")
                || change.metadata.others.contains { $0.name == ID3Tag.texts(frame.bytes).first }
        default:
            changed.contains { ID3FrameWriter.id(of: $0) == frame.id }
                || changed.contains(.creationDate) && dates.contains(frame.id)
        }
    }
}
