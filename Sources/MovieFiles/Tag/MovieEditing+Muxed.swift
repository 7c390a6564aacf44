package import SystemPackage

extension MovieMetadata {
    /// What of it GStreamer's muxer of Matroska (1.22) has no names for; nil where that is nothing.
    ///
    /// - Parameter timeCode: that of the first frame.
    func beyondMatroskaMuxer(_ timeCode: TimeCode?) -> MovieMetadata? {
        let own: [MetadataField] = [.title, .artist, .album, .genre, .copyright, .software]
        var rest = MovieMetadata()
        for field in MetadataField.allCases where !own.contains(field) { rest[field] = self[field] }
        rest.others = others
        if let timeCode { rest.others.append(.init(name: "TIMECODE", text: timeCode.description)) }
        let isWritten = rest.others.isEmpty && rest.more.isEmpty && creationDate?.isInstant ?? true
        let fields: [MetadataField] = [.description, .keywords, .make, .model, .location]
        guard !isWritten || fields.contains(where: { rest[$0] != nil }) else { return nil }
        // The description is in its place, where there is no comment.
        rest.comment = comment ?? (description == nil ? nil : "")
        return rest
    }
}

extension MovieEditing {
    /// Has a Matroska or WebM file that GStreamer's muxer wrote tell what that has no names for.
    ///
    /// - Parameters:
    ///   - metadata: all that the file is to tell.
    ///   - timeCode: that of the first frame.
    ///   - replace: makes another file of it, where there is no room for it: from the one, open for reading, into the other, empty one.
    /// - Throws: `unsupported`, `system`, `noSpace`.
    package static func complete(
        _ metadata: MovieMetadata, _ timeCode: TimeCode?, ofMuxed file: FileDescriptor,
        replace: ((FileDescriptor, FileDescriptor) throws -> Void) throws -> Void
    ) throws {
        guard let rest = metadata.beyondMatroskaMuxer(timeCode) else { return }
        var original = try FinishedMatroska(try ReadableFile(file), mayBeWebM: true)
        let elements = try MatroskaChange(MovieChange(metadata: rest), of: original).elements
        if let replacement = try MatroskaReplacement(elements, of: original, in: DescriptorFile(descriptor: file)) {
            return try replacement.write()
        }
        original.replace(elements)
        let insertion = try MatroskaInsertion(into: original)
        try replace { _, new in try insertion.write(to: new) }
    }
}
