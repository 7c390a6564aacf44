package import GStreamer
package import MovieFiles
import Threads

/// GStreamer 1.22, matroskamux: goes with the version that writes texts as they are; `WorkaroundTests` “matroskamux, texts”.
///
/// What a Matroska or WebM file tells about itself: title, comment, artist and the like, date, chapters. Its muxer cannot hold more.
///
/// matroskamux (1.22) writes texts in GStreamer's own notation, "a\ title" in quotes. It gets a letter for each byte,
/// which stays as it is, and the text takes the letters' place on the way to the file.
package struct MatroskaMuxerTags: Sendable {
    private struct Text: Sendable {
        var tag: String
        var letter: Character
        var bytes: [UInt8]
    }

    private let texts: [Text]
    private let date: MovieDate?
    private let chapters: [Chapter]
    private let tracks: [MatroskaTrackAttributes]

    /// Bytes of a text at most: what is longer is no title, nor a description that anyone reads.
    private static let limit = 60_000

    /// - Parameter tracks: in the order of the file; none where nothing is to be said of them.
    package init(_ options: MovieFileWriter.Options, tracks: [MatroskaTrackAttributes]) {
        let metadata = options.metadata
        // A text ends at its first zero byte.
        let wanted: [(String, Character, String?)] = [
            ("title", "T", metadata.title), ("comment", "C", metadata.comment ?? metadata.description),
            ("artist", "A", metadata.artist), ("album", "L", metadata.album), ("genre", "G", metadata.genre),
            ("copyright", "R", metadata.copyright),
        ]
        texts = wanted.compactMap { tag, letter, text in
            let bytes = Array((text ?? "").utf8.prefix { $0 != 0 })
            return bytes.isEmpty || bytes.count > Self.limit ? nil : Text(tag: tag, letter: letter, bytes: bytes)
        }
        self.tracks = tracks
        date = metadata.creationDate
        let starts = options.chapters.map(\.start)
        // A chapter ends where the next one begins.
        let ends = starts.dropFirst() + [options.chapterEnd ?? .zero]
        chapters = zip(options.chapters, zip(starts, ends)).map { chapter, times in
            Chapter(start: times.0, end: max(times.0, times.1), title: chapter.title)
        }
    }

    /// Hands all of it to the muxer, before it starts.
    package func apply(to muxer: Element) throws(GStreamerError) {
        for text in texts { try muxer.addTag(text.tag, String(repeating: text.letter, count: text.bytes.count)) }
        // Left out, it would be the time at which the file is written.
        if let date { try muxer.setMatroskaDate(date) }
        if !chapters.isEmpty { try muxer.setChapters(chapters) }
    }

    var isEmpty: Bool { texts.isEmpty && tracks.isEmpty }

    /// Whether bytes begin with the identifier of TagString, or are a name that is to be another.
    private static func isText(_ bytes: UnsafeRawBufferPointer) -> Bool {
        bytes.count > 4 && bytes[0] == 0x44 && bytes[1] == 0x87 || isName(bytes)
    }

    /// TagName (RFC 9559, 5.1.8.1.2.1) of a comment as the muxer (1.22) calls it, where the registry and all readers say COMMENT.
    private static let name: [UInt8] = [0x45, 0xA3, 0x89] + Array("COMMENTS".utf8) + [0]

    private static func isName(_ bytes: UnsafeRawBufferPointer) -> Bool {
        bytes.count == name.count && bytes.elementsEqual(name)
    }

    /// Puts a text in its letters' place. The muxer hands out each text as a buffer of its own: the identifier of TagString
    /// (RFC 9559, 5.1.8.1.2.5), the size, the letters, a zero byte.
    ///
    /// - Parameter isHead: whether no frame has come yet: only then it may be what describes the tracks. Of frames nothing is looked at but
    ///   their first bytes.
    func restore(_ buffer: inout Buffer, isHead: Bool) {
        guard buffer.byteCount <= Self.limit + 16, isHead || (try? buffer.withBytes(Self.isText)) == true else {
            return
        }
        try? buffer.withMutableBytes { bytes in
            for track in tracks { track.restore(bytes) }
            // A text may end with zero bytes (RFC 8794, 7.4).
            if Self.isName(UnsafeRawBufferPointer(bytes)) { bytes[bytes.count - 2] = 0 }
            guard Self.isText(UnsafeRawBufferPointer(bytes)), bytes.last == 0 else { return }
            for text in texts {
                // From the end: the size in front of the letters may look like one.
                let begin = bytes.count - 1 - text.bytes.count
                guard let letter = text.letter.asciiValue, begin > 2, begin <= 10,
                    bytes[begin..<bytes.count - 1].allSatisfy({ $0 == letter })
                else { continue }
                bytes[begin..<bytes.count - 1].copyBytes(from: text.bytes)
            }
        }
    }
}

extension Element {
    /// Says when the movie was made that a Matroska muxer is to write, before its first packet.
    package func setMatroskaDate(_ date: MovieDate) throws(GStreamerError) {
        try set("creation-time", to: .text(MovieDate(date.date).description))
    }
}

extension Pad {
    /// The identifier of Cluster (RFC 9559, section 5.1.3).
    private static let cluster: [UInt8] = [0x1F, 0x43, 0xB6, 0x75]

    /// Puts what a file tells about itself into its place, in what its muxer hands out.
    ///
    /// - Parameters:
    ///   - header: how frames are described of a codec that the muxer does not know.
    ///   - color: what the colors of the frames are, where the muxer does not write it, or not all.
    ///   - view: how the frames are looked at.
    ///   - input: where the muxer gets frames; nil: there are none.
    ///   - display: what caps of frames say of the display that they were graded on.
    package func restore(
        _ attributes: MatroskaMuxerTags, header: BitmapHeader?, color: ColorInformation?, view: ImmersiveView,
        framesTo input: Pad?,
        display: @escaping @Sendable (Caps) -> MasteringDisplay?
    ) {
        let isHead = Locked(true)
        _ = addBufferEditor { buffer in
            let begins = isHead.withLock { isHead in
                // The first cluster ends the head (RFC 9559, section 5.1); its header is a buffer of its own.
                if isHead, (try? buffer.withBytes { $0.starts(with: Self.cluster) }) == true { isHead = false }
                return isHead
            }
            if !attributes.isEmpty { attributes.restore(&buffer, isHead: begins) }
            guard begins else { return }
            if !view.isPlain { try? buffer.withMutableBytes { MatroskaImmersiveView.write(view, into: $0) } }
            if let header { try? buffer.withMutableBytes { MatroskaBitmapHeader.restore($0, header) } }
            if let color { try? buffer.withMutableBytes { MatroskaColors.restore($0, color) } }
            guard let display = input?.currentCaps.flatMap(display) else { return }
            try? buffer.withMutableBytes { MatroskaLuminance.restore($0, display) }
        }
    }
}
