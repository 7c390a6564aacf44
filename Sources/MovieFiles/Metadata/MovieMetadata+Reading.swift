extension MovieMetadata {
    /// Reads a `moov`: for each field the QuickTime key, else the item list, else user data.
    ///
    /// Without a date of its own a movie was made when its header says.
    init(moov: Box) throws(MovieFileError) {
        self.init()
        let userData = moov["udta"]
        let keys = try moov["meta"].flatMap { (box) throws(MovieFileError) in try KeyedMetadata(box) }
        let list = try userData?["meta"].flatMap { (box) throws(MovieFileError) in try Self.itemList(box) }
        for field in MetadataField.allCases {
            self[field] =
                keys?[field.quickTimeKey]
                ?? list?.items.first { $0.type == field.itemType }.flatMap(ItemList.text)
                ?? userData?[field.userDataType].flatMap(UserDataText.text)
        }
        if creationDate == nil, let header = moov["mvhd"] {
            creationDate = MovieDate(secondsSince1904: try TimeHeader(header).creationTime)
        }
    }

    private static func itemList(_ meta: Box) throws(MovieFileError) -> ItemList? {
        let meta = try MetaBox(meta)
        guard meta.handler == "mdir" else { return nil }
        return try meta["ilst"].map(ItemList.init)
    }
}
