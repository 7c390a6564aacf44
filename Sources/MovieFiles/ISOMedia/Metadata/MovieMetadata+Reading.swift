extension MovieMetadata {
    /// Reads a `moov`: for each field the QuickTime key, else the item list, else user data.
    ///
    /// Without a date of its own a movie was made when its header says.
    init(moov: Box) throws(MovieFileError) {
        self.init()
        let texts = MetadataTexts(moov)
        for field in MetadataField.allCases {
            self[field] = texts.text(field)
        }
        others = texts.others
        comment = comment ?? texts.information
        artwork = texts.artwork
        genre = genre ?? texts.genreNumber.flatMap { ID3Genre.name($0) }
        if creationDate == nil, let header = moov["mvhd"] {
            creationDate = MovieDate(secondsSince1904: try TimeHeader(header).creationTime)
        }
    }
}

extension MetadataField {
    /// As QuickTime and ffmpeg name it.
    fileprivate var keys: [String] {
        let key = quickTimeKey
        return [key, key?.replacing("com.apple.quicktime.", with: "")].compactMap(\.self) + commonNames
    }
}

extension MovieMetadata {
    /// Whether a name is of what a muxer says of a file, which is untrue of another one.
    static func isTechnical(_ name: String) -> Bool {
        let name = name.uppercased()
        return technical.contains(name) || name.hasPrefix("_STATISTICS_")
    }

    private static let technical: Set<String> = [
        "BPS", "DURATION", "NUMBER_OF_FRAMES", "NUMBER_OF_BYTES", "SOURCE_ID", "ENCODER", "ENCODER_OPTIONS",
        "ENCODER_SETTINGS", "ENCODED_BY", "TIMECODE", "MAJOR_BRAND", "MINOR_VERSION", "COMPATIBLE_BRANDS",
        "CREATION_TIME", "HANDLER_NAME", "USLT", "VENDOR_ID", "DATE_ENCODED", "WRITING_APP", "MUXING_APP", "LANGUAGE",
        "WAVEFORMATEXTENSIBLE_CHANNEL_MASK", "COM.APPLE.QUICKTIME.FULL-FRAME-RATE-PLAYBACK-INTENT",
    ]
}

/// The texts that a `moov` holds about its movie, in three schemes.
struct MetadataTexts: Sendable {
    private let userData: Box?
    private let keys: KeyedMetadata?
    private let list: ItemList?

    init(_ moov: Box) {
        userData = moov["udta"]
        // No movie is refused for the sake of what is said about it. In user data is where ffmpeg writes keys.
        keys =
            [moov["meta"], userData?["meta"]].lazy.compactMap { $0.flatMap { (try? KeyedMetadata($0)) ?? nil } }.first
        list = userData?["meta"].flatMap { (try? Self.itemList($0)) ?? nil }
    }

    /// The text under a QuickTime key, else in the item list, else in user data.
    func text(_ field: MetadataField) -> String? {
        let type = field.userDataType
        return field.keys.lazy.compactMap { keys?[$0] }.first
            ?? field.itemType.flatMap { listed($0, field.itemForm) }
            // Some writers have user data's types in the list.
            ?? type.flatMap { listed($0) }
            ?? type.flatMap { userData?[$0] }.flatMap(UserDataText.text)
            // The author (QTFF, "User Data Atoms"), which players show as the artist.
            ?? (field == .artist ? userData?["©aut"].flatMap(UserDataText.text) : nil)
    }

    /// What stands under keys that no field has.
    var others: [MovieMetadata.Other] {
        let known = Set(MetadataField.allCases.flatMap(\.keys))
        return (keys?.entries ?? []).compactMap { entry in
            guard entry.namespace == "mdta", !known.contains(entry.name), !MovieMetadata.isTechnical(entry.name),
                let text = keys?[entry.name], !text.isEmpty
            else { return nil }
            return .init(name: entry.name, text: text)
        }
    }

    /// What cameras of Kodak and others say of themselves in user data (QTFF, "Information").
    var information: String? { userData?["©inf"].flatMap(UserDataText.text) }

    private func listed(_ type: FourCC, _ form: ItemList.Form = .text) -> String? {
        list?.items.first { $0.type == type }.flatMap { ItemList.text($0, form) }
    }

    /// iTunes' number of its genre, one more than ID3's.
    var genreNumber: Int? {
        let item = list?.items.first { $0.type == "gnre" }
        let data = item.flatMap { item in
            (try? Box.boxes(in: item.payload, at: item.payloadOffset).boxes)?.first { $0.type == "data" }
        }
        return data.flatMap { UInt16(bigEndianBytes: $0.payload.dropFirst(8).prefix(2)) }.map { Int($0) - 1 }
    }

    /// The covers, as they are.
    var artwork: [UInt8]? { list?.items.first { $0.type == ItemList.artwork }.map { Array($0.payload) } }

    private static func itemList(_ meta: Box) throws(MovieFileError) -> ItemList? {
        let meta = try MetaBox(meta)
        guard meta.handler == "mdir" else { return nil }
        return try meta["ilst"].map(ItemList.init)
    }
}
