import MediaTypes

/// An ID3v2.4 tag as it stands at the beginning of an MP3 file (ID3v2.4.0, "Main Structure").
struct ID3TagBytes {
    private(set) var bytes: [UInt8]
    var count: Int { bytes.count }

    private static let writer = ID3FrameWriter(version: 4)

    init(_ metadata: MovieMetadata) { bytes = Self.writer.tag(Self.frames(metadata), room: 0) }

    /// As many bytes as are said, of whose room the chapters take what they need; those that do not fit are left out.
    init(_ attributes: AudioFileAttributes, end: MediaTime, size: Int) {
        let texts = Self.frames(attributes.metadata)
        var chapters = Array(attributes.chapters.prefix(ID3FrameWriter.mostChapters))
        var frames = texts + Self.writer.chapters(chapters, end: end)
        while frames.count + 10 > size, !chapters.isEmpty {
            chapters.removeLast()
            frames = texts + Self.writer.chapters(chapters, end: end)
        }
        bytes = Self.writer.tag(frames, room: max(0, size - 10 - frames.count))
    }

    private static func frames(_ metadata: MovieMetadata) -> [UInt8] {
        MetadataField.allCases.flatMap { writer.frames($0, metadata) } + writer.images(metadata.covers)
            + metadata.others.flatMap { writer.named($0.name, $0.text) }
    }
}
