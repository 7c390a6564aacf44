package import MovieFiles

/// GStreamer 1.22, matroskamux: goes with the version that gives tracks without a title none; `WorkaroundTests` “matroskamux, tracks without a title”.
///
/// What a track of a Matroska or WebM file tells about itself: title, language, and whether it is played without being asked.
///
/// matroskamux (1.22) has words for a title and for three letters of a language alone, and calls a track "Video" or "Audio" that
/// has no title. It gets a title of letters, without anything that would have to be quoted, and what is to be told takes the place
/// of the name on the way to the file.
package struct MatroskaTrackAttributes: Sendable {
    /// For `taginject`; nil where nothing is to be said before the file.
    package let tags: String?
    private let title: [UInt8]
    /// What stands beside the title.
    private let others: [UInt8]
    /// The name that the muxer writes, with the zero byte behind it.
    private let name: [UInt8]
    private let letters: [UInt8]

    /// Bytes of a title at most.
    private static let limit = 1000
    /// The identifiers of Tracks, Name and TagString (RFC 9559, 5.1.4, 5.1.4.1.18 and 5.1.8.1.2.5).
    private static let tracks: [UInt8] = [0x16, 0x54, 0xAE, 0x6B]
    private static let (nameID, tagString): ([UInt8], [UInt8]) = ([0x53, 0x6E], [0x44, 0x87])

    /// - Parameters:
    ///   - place: among the tracks.
    ///   - space: bytes that are left free for who writes more of the track.
    package init(_ attributes: TrackAttributes, place: Int, isVideo: Bool, space: Int = 0) {
        // A text ends at its first zero byte.
        let title = Array((attributes.title ?? "").utf8Prefix(Self.limit).prefix { $0 != 0 })
        let told = attributes.language.flatMap { $0.code == "und" ? nil : $0.code }
        // Codes for local use (ISO 639-2: qaa to qtz), as broadcasters have them for audio with a description, are none to the muxer.
        let isLocal = told.map { $0.count == 3 && ("qaa"..."qtz").contains($0) } ?? false
        let code = isLocal ? nil : told
        // FlagDefault where it is not, and Language where none is known: a track without is English (5.1.4.1.5 and 5.1.4.1.19).
        let others: [UInt8] =
            (attributes.isDefault ?? true ? [] : [0x88, 0x81, 0]) + attributes.roles.matroskaElements
            + (code == nil ? [0x22, 0xB5, 0x9C, 0x83] + Array((told ?? "und").utf8) : [])
        let own = Array((isVideo ? "Video" : "Audio").utf8)
        // What is left over of the muxer's own name is no byte, or two and more, which an element can fill.
        let left = Self.nameID.count + 1 + own.count + 1 - others.count
        let hasLetters = !title.isEmpty || space > 0 || left < 0 || left == 1
        let count = hasLetters ? title.count + others.count + space : 0
        letters = Array(repeating: UInt8(ascii: "a") + UInt8(place % 26), count: count)
        let texts = [
            hasLetters ? "title=" + String(decoding: letters, as: UTF8.self) : nil, code.map { "language-code=\($0)" },
        ].compactMap(\.self)
        tags = texts.isEmpty ? nil : texts.joined(separator: ",")
        name = (hasLetters ? letters : own) + [0]
        (self.title, self.others) = (title, others)
    }

    /// Puts what is to be told into its place, in what the muxer hands out: the head of the file with all tracks, and a buffer for
    /// each text of a tag.
    func restore(_ bytes: UnsafeMutableRawBufferPointer) {
        if bytes.firstRange(of: Self.tracks) != nil { return restoreName(bytes) }
        guard !letters.isEmpty, bytes.starts(with: Self.tagString), bytes.suffix(name.count).elementsEqual(name),
            bytes.count <= Self.tagString.count + 8 + name.count
        else { return }
        let begin = bytes.count - name.count
        bytes[begin...].copyBytes(from: title + [UInt8](repeating: 0, count: name.count - title.count))
    }

    private func restoreName(_ bytes: UnsafeMutableRawBufferPointer) {
        for length in 1...2 {
            let head = Self.nameID + Self.size(name.count, in: length)
            guard let begin = bytes.firstRange(of: head + name)?.lowerBound else { continue }
            let end = begin + head.count + name.count
            var new = others
            // The zero byte behind it belongs to it.
            if !title.isEmpty { new = Self.nameID + Self.size(title.count + 1, in: length) + title + [0] + others }
            let rest = end - begin - new.count
            // An element that tells nothing (EBML Void, RFC 8794 section 11.3.3).
            if rest > 1 {
                let size = rest < 129 ? Self.size(rest - 2, in: 1) : Self.size(rest - 3, in: 2)
                new += [0xEC] + size + [UInt8](repeating: 0, count: rest - 1 - size.count)
            }
            bytes[begin..<end].copyBytes(from: new)
            return
        }
    }

    /// A size in one or two bytes (RFC 8794, section 4).
    private static func size(_ count: Int, in length: Int) -> [UInt8] {
        let low = UInt8(truncatingIfNeeded: count)
        return length == 1 ? [0x80 | low] : [0x40 | UInt8(truncatingIfNeeded: count >> 8), low]
    }
}
