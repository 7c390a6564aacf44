package import SystemPackage

/// What a Matroska or WebM file says of itself, without a look at its frames.
package struct MatroskaDescription: Sendable, Hashable {
    package var metadata: MovieMetadata
    /// Whether it brings fonts, covers or other files.
    package var hasAttachments: Bool

    /// - Throws: `unsupported` where it is damaged or no such file, `system` where it cannot be read.
    package init(reading path: FilePath) throws(MovieFileError) {
        self = try ReadableFile.open(path) { (file) throws(MovieFileError) -> MatroskaDescription in
            let segment = try MatroskaSegment(file, for: .attributes)
            return MatroskaDescription(
                metadata: try MatroskaAttributes.metadata(segment), hasAttachments: !segment.attachments.isEmpty)
        }
    }

    private init(metadata: MovieMetadata, hasAttachments: Bool) {
        (self.metadata, self.hasAttachments) = (metadata, hasAttachments)
    }
}
