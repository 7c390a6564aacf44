import MediaTypes

/// The boxes of a `trak` that say what a Matroska file says of the whole track.
struct TrackHeaders: Sendable {
    private let source: TrackEntry

    init(_ source: TrackEntry) {
        self.source = source
    }

    /// Without a duration.
    func tkhd(_ id: UInt32, isEnabled: Bool, alternateGroup: UInt16) throws(MovieFileError) -> Box {
        let (width, height) = source.kind == .video ? source.shownSize : (0, 0)
        let isAudio = source.kind == .audio
        return try Box(full: "tkhd", flags: isEnabled ? 3 : 2) { (writer: inout ByteWriter) in
            writer.append(UInt64(0))
            writer.append(id)
            writer.append(UInt64(0))
            writer.append(UInt64(0))
            writer.append(UInt16(0))
            writer.append(alternateGroup)
            writer.append(UInt16(isAudio ? 0x100 : 0))
            writer.append(UInt16(0))
            writer.append(
                contentsOf: TransformationMatrix(source.orientation, width: width, height: height).bytes)
            writer.append(width)
            writer.append(height)
        }
    }

    /// What `mdia` begins with, from a `mdhd`: that, the language where it has no room for it, and the handler.
    func mediaHeaders(_ mdhd: Box, handler: FourCC) throws(MovieFileError) -> [Box] {
        [mdhd] + [try source.language?.extendedTag()].compactMap(\.self) + [try hdlr(handler)]
    }

    /// Without a duration.
    func mdhd(timescale: UInt32) throws(MovieFileError) -> Box {
        return try Box(full: "mdhd") { (writer: inout ByteWriter) in
            writer.append(UInt64(0))
            writer.append(timescale)
            writer.append(UInt32(0))
            writer.append(source.language?.packed ?? TrackLanguage.unknown)
            writer.append(UInt16(0))
        }
    }

    private func hdlr(_ type: FourCC) throws(MovieFileError) -> Box {
        try Box(full: "hdlr") { (writer: inout ByteWriter) in
            writer.append(UInt32(0))
            writer.append(type)
            writer.append(table: [UInt32](repeating: 0, count: 3))
            writer.append(contentsOf: (source.name ?? "").utf8Prefix(200))
            writer.append(UInt8(0))
        }
    }

    /// The track's name and what it is for; nil where it has neither.
    func userData() throws(MovieFileError) -> Box? {
        var boxes = try source.roles.boxes()
        if let name = source.name {
            boxes.append(
                try Box("name") { (writer: inout ByteWriter) in writer.append(contentsOf: name.utf8Prefix(1000)) })
        }
        return boxes.isEmpty ? nil : Box("udta", children: boxes)
    }
}

/// A track's language as Matroska names it.
struct MatroskaLanguage: Sendable, Equatable {
    /// ISO 639-2 in its bibliographic form.
    var bibliographic: String
    /// BCP 47; nil where the language is not known.
    var tag: String?

    /// - Parameter mdia: of a track of a movie.
    init(_ mdia: Box) throws(MovieFileError) { self.init(try TrackLanguage(mdia)) }

    /// - Parameter language: nil where it is not known.
    init(_ language: TrackLanguage?) {
        let code = language?.code ?? "und"
        bibliographic = TrackLanguage.bibliographic(code)
        tag = language?.tag
    }
}
