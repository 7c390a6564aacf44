import Foundation

/// The language of a track.
package struct TrackLanguage: Sendable, Hashable {
    /// BCP 47, such as "de" or "pt-BR".
    package let tag: String
    /// ISO 639-2 in its terminological form, such as "deu"; "und" where the language has none.
    package let code: String

    /// "und" as ``packed``: no language is known.
    static let unknown: UInt16 = 0x55C4

    /// - Parameter name: BCP 47, or ISO 639 with two or three letters; nil where it is no language, or says that none is known.
    package init?(_ name: String) {
        let parts = name.split(separator: name.contains("-") ? "-" : "_", omittingEmptySubsequences: false)
        let isName = parts.allSatisfy { part in
            (1...8).contains(part.utf8.count) && part.utf8.allSatisfy { Self.isLetter($0 | 0x20) || Self.isDigit($0) }
        }
        guard let first = parts.first?.lowercased(), isName, first.utf8.allSatisfy(Self.isLetter),
            (2...3).contains(first.utf8.count), first != "und"
        else { return nil }
        let language = Self.terminological(first)
        // BCP 47 wants the shortest code that there is.
        let short = Locale.LanguageCode(language).identifier(.alpha2) ?? language
        tag = ([short] + parts.dropFirst().map(String.init)).joined(separator: "-")
        code = language.utf8.count == 3 ? language : Locale.LanguageCode(language).identifier(.alpha3) ?? "und"
    }

    /// Where the bibliographic code is not that of MP4 (ISO 639-2, "B" and "T").
    private static let bibliographicCodes = [
        "sqi": "alb", "hye": "arm", "eus": "baq", "mya": "bur", "zho": "chi", "ces": "cze", "nld": "dut", "fra": "fre",
        "kat": "geo", "deu": "ger", "ell": "gre", "isl": "ice", "mkd": "mac", "mri": "mao", "msa": "may", "fas": "per",
        "ron": "rum", "slk": "slo", "bod": "tib", "cym": "wel",
    ]

    /// The terminological form, which MP4 wants (ISO/IEC 14496-12 section 8.4.2.3), of a code in either.
    private static func terminological(_ code: String) -> String {
        bibliographicCodes.first { $0.value == code }?.key ?? code
    }

    /// The bibliographic form, which Matroska wants, of a code in the terminological one.
    static func bibliographic(_ code: String) -> String { bibliographicCodes[code] ?? code }

    private static func isLetter(_ byte: UInt8) -> Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) }
    private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }
}

extension TrackLanguage {
    /// Of a track: its extended tag (ISO/IEC 14496-12 section 8.4.6) before the three letters of its header.
    init?(_ mdia: Box) throws(MovieFileError) {
        if let bytes = mdia["elng"]?.payload.dropFirst(4).prefix(while: { $0 != 0 }),
            let language = TrackLanguage(String(decoding: bytes, as: UTF8.self))
        {
            self = language
            return
        }
        var mdhd = try mdia.required("mdhd")
        try mdhd.setISOLanguage()
        let packed = UInt16(bigEndianBytes: mdhd.payload.dropFirst(mdhd.languageOffset).prefix(2)) ?? 0
        let letters = [10, 5, 0].map { UInt8(truncatingIfNeeded: packed >> $0 & 0x1F) + 0x60 }
        guard let language = TrackLanguage(String(decoding: letters, as: UTF8.self)) else { return nil }
        self = language
    }

    /// As `mdhd` holds it: five bits a letter, from 1 for "a" on.
    var packed: UInt16 { code.utf8.reduce(UInt16(0)) { $0 << 5 | UInt16($1 &- 0x60) & 0x1F } }

    /// `elng`, where three letters do not say all.
    func extendedTag() throws(MovieFileError) -> Box? {
        guard tag.contains("-") || code == "und" else { return nil }
        return try Box(full: "elng") { (writer: inout ByteWriter) in
            writer.append(contentsOf: Array(tag.utf8))
            writer.append(UInt8(0))
        }
    }
}

extension Box {
    /// Where a `mdhd` has its language.
    var languageOffset: Int { payload.first == 1 ? 32 : 20 }

    /// Gives a `mdia` a language.
    mutating func setLanguage(_ language: TrackLanguage) throws(MovieFileError) {
        try edit(["mdhd"]) { (mdhd: inout Box) throws(MovieFileError) in
            var writer = ByteWriter()
            writer.append(language.packed)
            try mdhd.overwritePayload(at: mdhd.languageOffset, with: writer.bytes)
        }
        removeChildren { $0.type == "elng" }
        if let box = try language.extendedTag() { insert(box, after: "mdhd") }
    }

    /// Has a `mdia` say that no language is known.
    mutating func removeLanguage() throws(MovieFileError) {
        try edit(["mdhd"]) { (mdhd: inout Box) throws(MovieFileError) in
            var writer = ByteWriter()
            writer.append(TrackLanguage.unknown)
            try mdhd.overwritePayload(at: mdhd.languageOffset, with: writer.bytes)
        }
        removeChildren { $0.type == "elng" }
    }
}

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
