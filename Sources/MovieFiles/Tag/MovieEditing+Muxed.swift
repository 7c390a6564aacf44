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
        let isWritten =
            rest.others.isEmpty && rest.more.isEmpty
            && (creationDate.map { $0.isInstant && $0.secondsFromGMT == 0 } ?? true)
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
    /// - Returns: what writes all of it into another file, an empty one, as long as this one is open; nil where it was written in place.
    /// - Throws: `unsupported` where it is not as muxers write it, which changes nothing; `system`, `noSpace`.
    package static func complete(
        _ metadata: MovieMetadata, _ timeCode: TimeCode?, ofMuxed file: FileDescriptor
    ) throws(MovieFileError) -> ((_ new: FileDescriptor) throws(MovieFileError) -> Void)? {
        guard let rest = metadata.beyondMatroskaMuxer(timeCode) else { return nil }
        var original = try FinishedMatroska(try ReadableFile(file), mayBeWebM: true)
        let elements = try MatroskaChange(MovieChange(metadata: rest), of: original).elements
        if let replacement = try MatroskaReplacement(elements, of: original, in: DescriptorFile(descriptor: file)) {
            try replacement.write()
            return nil
        }
        original.replace(elements)
        let insertion = try MatroskaInsertion(into: original)
        return { (new) throws(MovieFileError) in try insertion.write(to: new) }
    }
}
