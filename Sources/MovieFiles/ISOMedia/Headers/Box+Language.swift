extension Box {
    /// Gives a `mdhd` with a language code of the old Macintosh the ISO 639-2 code that MP4 knows (QuickTime File Format,
    /// "Language Code Values").
    mutating func setISOLanguage() throws(MovieFileError) {
        let offset = languageOffset
        guard let code = UInt16(bigEndianBytes: payload.dropFirst(offset).prefix(2)),
            code < Self.firstISOLanguage || code == Self.unspecifiedLanguage
        else { return }
        let names = Self.macintoshLanguages
        let name = names.indices.contains(Int(code)) ? names[Int(code)] : "und"
        // Five bits a letter, from 1 for "a" on.
        let packed = name.utf8.reduce(UInt16(0)) { $0 << 5 | UInt16($1 - 0x60) }
        var writer = ByteWriter()
        writer.append(packed)
        try overwritePayload(at: offset, with: writer.bytes)
    }

    private static let firstISOLanguage: UInt16 = 0x400
    private static let unspecifiedLanguage: UInt16 = 0x7FFF

    /// By number, from 0; those beyond were never common.
    private static let macintoshLanguages = [
        "eng", "fra", "deu", "ita", "nld", "swe", "spa", "dan", "por", "nor", "heb", "jpn", "ara", "fin", "ell", "isl",
        "mlt", "tur", "hrv", "zho", "urd", "hin", "tha", "kor", "lit", "pol", "hun", "est", "lav", "smi", "fao", "fas",
        "rus", "zho", "nld", "gle", "sqi", "ron", "ces", "slk", "slv", "yid", "srp", "mkd", "bul", "ukr", "bel",
    ]
}
