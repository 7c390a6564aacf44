extension MovieMetadata {
    /// Reads a `moov`: for each field the QuickTime key, else the item list, else user data.
    ///
    /// Without a date of its own a movie was made when its header says.
    init(moov: Box) throws(MovieFileError) {
        self.init()
        let texts = MetadataTexts(moov)
        for field in MetadataField.allCases {
            self[field] = texts.text(key: field.quickTimeKey, item: field.itemType, userData: field.userDataType)
        }
        comment = comment ?? texts.information
        artwork = texts.artwork
        genre = genre ?? texts.genreNumber.flatMap { ID3Genre.name($0) }
        if creationDate == nil, let header = moov["mvhd"] {
            creationDate = MovieDate(secondsSince1904: try TimeHeader(header).creationTime)
        }
    }
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
    func text(key: String, item: FourCC?, userData type: FourCC) -> String? {
        keys?[key] ?? keys?[key.replacing("com.apple.quicktime.", with: "")]
            ?? item.flatMap(listed)
            // Some writers have user data's types in the list.
            ?? listed(type)
            ?? userData?[type].flatMap(UserDataText.text)
    }

    /// What cameras of Kodak and others say of themselves in user data (QTFF, "Information").
    var information: String? { userData?["©inf"].flatMap(UserDataText.text) }

    private func listed(_ type: FourCC) -> String? { list?.items.first { $0.type == type }.flatMap(ItemList.text) }

    /// What the item list has.
    var itemTypes: Set<FourCC> { Set(list?.items.map(\.type) ?? []) }

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
