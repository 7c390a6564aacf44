import Foundation

extension Box {
    /// Writes metadata into a `moov`: every field that `metadata` has a value for; others stay as they are. An empty text takes
    /// away what there is.
    ///
    /// - Parameter isQuickTime: Whether the file's major brand is `qt  `: then titles go to user data, else to the item
    ///   list that MP4 readers look at.
    mutating func write(_ metadata: MovieMetadata, isQuickTime: Bool) throws(MovieFileError) {
        // Of a day or a year nobody knows the moment, which 0 stands for.
        if let date = metadata.creationDate { try setCreationTimes(date.isInstant ? date.secondsSince1904 : 0) }
        try writeTexts(of: metadata, isQuickTime: isQuickTime)
    }

    /// Likewise, but leaves the times of the headers as they are.
    mutating func writeTexts(of metadata: MovieMetadata, isQuickTime: Bool) throws(MovieFileError) {
        let fields = MetadataField.allCases.compactMap { field in metadata[field].map { (field, $0) } }
        try writeKeys(fields, metadata.others)
        var userData = self["udta"] ?? Box("udta", children: [])
        // A file that was the other kind once may have a field where this kind does not: no reader is to find the old text there.
        for (field, text) in fields {
            guard let type = field.userDataType else { continue }
            userData.removeChildren { $0.type == type }
            guard isQuickTime || field.itemType == nil, !text.isEmpty else { continue }
            userData.children?.append(try UserDataText.box(type, text: text))
        }
        let items = isQuickTime ? fields.map { ($0.0, $0.0.quickTimeKey == nil ? $0.1 : "") } : fields
        try userData.writeItems(items, artwork: metadata.artwork)
        setUserData(userData)
    }

    /// Puts user data into a `moov`, or takes it out where there is none.
    ///
    /// It stands before QuickTime's keys: ffmpeg (5.1) takes the items of a list behind them for theirs.
    mutating func setUserData(_ userData: Box) {
        removeChildren { $0.type == "udta" }
        guard userData.children?.isEmpty == false else { return }
        let place = children?.firstIndex { $0.type == "meta" } ?? children?.endIndex ?? 0
        children?.insert(userData, at: place)
    }

    /// - Parameter others: under names of their own, which are keys as good as QuickTime's.
    private mutating func writeKeys(
        _ fields: [(MetadataField, String)], _ others: [MovieMetadata.Other]
    ) throws(MovieFileError) {
        let texts =
            fields.compactMap { field, text in field.quickTimeKey.map { ($0, text) } }
            + others.map { ($0.name, $0.text) }
        guard !texts.isEmpty else { return }
        var keys: KeyedMetadata
        if let meta = self["meta"] {
            // A `meta` of another scheme holds the only place there is.
            guard let existing = try KeyedMetadata(meta) else { return }
            keys = existing
        } else {
            keys = try KeyedMetadata()
        }
        for (key, text) in texts { try keys.set(key, to: text.isEmpty ? nil : text) }
        removeChildren { $0.type == "meta" }
        if !keys.entries.isEmpty { children?.append(try keys.box()) }
    }

    /// Writes an MP4's item list into a `udta`, and drops one that stays empty.
    private mutating func writeItems(
        _ fields: [(MetadataField, String)], artwork: [UInt8]?
    ) throws(MovieFileError) {
        var meta =
            if let existing = self["meta"] { try MetaBox(existing) } else {
                try MetaBox(handler: "mdir", manufacturer: "appl", isFull: true)
            }
        guard meta.handler == "mdir" else { return }
        var list = try meta["ilst"].map(ItemList.init) ?? ItemList()
        for (field, text) in fields {
            guard let type = field.itemType else { continue }
            list.items.removeAll { $0.type == type || $0.type == field.userDataType }
            if !text.isEmpty, let item = try ItemList.item(type, text: text, as: field.itemForm) {
                list.items.append(item)
            }
        }
        if let artwork {
            list.items.removeAll { $0.type == ItemList.artwork }
            if !artwork.isEmpty {
                list.items.append(Box(type: ItemList.artwork, fileOffset: 0, payload: artwork[...]))
            }
        }
        meta["ilst"] = list.box
        removeChildren { $0.type == "meta" }
        if !list.items.isEmpty { children?.append(try meta.box()) }
    }

    private mutating func setCreationTimes(_ seconds: UInt64) throws(MovieFileError) {
        try edit(["mvhd"]) { (box: inout Box) throws(MovieFileError) in try box.setCreationTime(seconds) }
        try editAll("trak") { (trak: inout Box) throws(MovieFileError) in
            for path: [FourCC] in [["tkhd"], ["mdia", "mdhd"]] {
                try trak.edit(path[...]) { (box: inout Box) throws(MovieFileError) in
                    try box.setCreationTime(seconds)
                }
            }
        }
    }
}

extension Box {
    /// What the covers of a `moov` are coded as, by ffprobe's names; nil where there are none.
    func coverCodecs() throws(MovieFileError) -> [String]? {
        guard let meta = descendant("udta", "meta"),
            let list = try MetaBox(meta).children.first(where: { $0.type == "ilst" })
        else { return nil }
        var codecs: [String] = []
        for item in try ItemList(list).items where item.type == ItemList.artwork {
            // The kind of each value (QuickTime File Format, "Well-Known Types").
            for data in try Box.boxes(in: item.payload, at: item.payloadOffset).boxes where data.type == "data" {
                let kind = UInt32(bigEndianBytes: data.payload.prefix(4)).map { $0 & 0xFF_FFFF }
                codecs.append([13: "mjpeg", 14: "png", 27: "bmp"][kind ?? 0] ?? "unknown")
            }
        }
        return codecs.isEmpty ? nil : codecs
    }
}

/// The international text of a user data item (QuickTime File Format, "User Data Text Strings and Language Codes").
enum UserDataText {
    static func box(_ type: FourCC, text: String) throws(MovieFileError) -> Box {
        // The length has 16 bits.
        let utf8 = text.utf8Prefix(Int(UInt16.max))
        return try Box(type) { (writer: inout ByteWriter) in
            writer.append(UInt16(truncatingIfNeeded: utf8.count))
            // Codes from 0x400 on mean UTF-8.
            writer.append(TrackLanguage.unknown)
            writer.append(contentsOf: utf8)
        }
    }

    /// From 0x80 on (Unicode's mapping table "Mac OS Roman"). Foundation's own, here, takes other letters.
    private static let macRoman = Array(
        ("ÄÅÇÉÑÖÜáàâäãåçéèêëíìîïñóòôöõúùûü†°¢£§•¶ß®©™´¨≠ÆØ∞±≤≥¥µ∂∑∏π∫ªºΩæø¿¡¬√ƒ≈∆«»…\u{A0}ÀÃÕŒœ–—“”‘’÷◊ÿŸ⁄€‹›ﬁﬂ‡·‚„‰ÂÊÁËÈÍÎÏÌÓÔ"
            + "\u{F8FF}ÒÚÛÙıˆ˜¯˘˙˚¸˝˛ˇ").unicodeScalars)

    private static func scalar(macRoman byte: UInt8) -> Unicode.Scalar {
        byte < 0x80 ? Unicode.Scalar(byte) : macRoman[Int(byte) - 0x80]
    }

    static func text(_ box: Box) -> String? {
        guard let length = UInt16(bigEndianBytes: box.payload.prefix(2)),
            let language = UInt16(bigEndianBytes: box.payload.dropFirst(2).prefix(2))
        else { return nil }
        let bytes = box.payload.dropFirst(4).prefix(Int(length))
        // Codes below are the Macintosh's, and so are the letters; many writers of UTF-8 use the code 0.
        return String(bytes: bytes, encoding: .utf8)
            ?? (language < 0x400 ? String(String.UnicodeScalarView(bytes.map(scalar(macRoman:)))) : nil)
    }
}
