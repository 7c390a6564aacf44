extension Box {
    /// Writes metadata into a `moov`: every field that `metadata` has a value for; others stay as they are. An empty text takes
    /// away what there is.
    ///
    /// - Parameter isQuickTime: Whether the file's major brand is `qt  `: then titles go to user data, else to the item
    ///   list that MP4 readers look at.
    mutating func write(_ metadata: MovieMetadata, isQuickTime: Bool) throws(MovieFileError) {
        if let date = metadata.creationDate { try setCreationTimes(date.secondsSince1904) }
        try writeTexts(of: metadata, isQuickTime: isQuickTime)
    }

    /// Likewise, but leaves the times of the headers as they are.
    mutating func writeTexts(of metadata: MovieMetadata, isQuickTime: Bool) throws(MovieFileError) {
        let fields = MetadataField.allCases.compactMap { field in metadata[field].map { (field, $0) } }
        try writeKeys(fields)
        var userData = self["udta"] ?? Box("udta", children: [])
        for (field, text) in fields where isQuickTime || field.itemType == nil {
            userData.removeChildren { $0.type == field.userDataType }
            if !text.isEmpty { userData.children?.append(try UserDataText.box(field.userDataType, text: text)) }
        }
        try userData.writeItems(isQuickTime ? [] : fields, artwork: isQuickTime ? nil : metadata.artwork)
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

    private mutating func writeKeys(_ fields: [(MetadataField, String)]) throws(MovieFileError) {
        guard !fields.isEmpty else { return }
        var keys: KeyedMetadata
        if let meta = self["meta"] {
            // A `meta` of another scheme holds the only place there is.
            guard let existing = try KeyedMetadata(meta) else { return }
            keys = existing
        } else {
            keys = try KeyedMetadata()
        }
        for (field, text) in fields { try keys.set(field.quickTimeKey, to: text.isEmpty ? nil : text) }
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
            list.items.removeAll { $0.type == type }
            if !text.isEmpty { list.items.append(try ItemList.item(type, text: text)) }
        }
        if let artwork {
            list.items.removeAll { $0.type == ItemList.artwork }
            list.items.append(Box(type: ItemList.artwork, fileOffset: 0, payload: artwork[...]))
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
