import Foundation

/// A track's language as Matroska names it.
struct MatroskaLanguage: Sendable, Equatable {
    /// ISO 639-2 in its bibliographic form.
    var bibliographic: String
    /// BCP 47; nil where the language is not known.
    var tag: String?

    /// Where the bibliographic code is not that of MP4 (ISO 639-2, "B" and "T").
    private static let codes = [
        "sqi": "alb", "hye": "arm", "eus": "baq", "mya": "bur", "zho": "chi", "ces": "cze", "nld": "dut", "fra": "fre",
        "kat": "geo", "deu": "ger", "ell": "gre", "isl": "ice", "mkd": "mac", "mri": "mao", "msa": "may", "fas": "per",
        "ron": "rum", "slk": "slo", "bod": "tib", "cym": "wel",
    ]

    /// ISO 639-2 in the terminological form, which MP4 wants (ISO/IEC 14496-12 section 8.4.2.3), of either form.
    static func terminological(_ code: String) -> String {
        codes.first { $0.value == code }?.key ?? code
    }

    /// - Parameter mdhd: Whose language has fifteen bits, five for each letter, or is a number of the old Macintosh.
    init(_ mdhd: Box) throws(MovieFileError) {
        var mdhd = mdhd
        try mdhd.setISOLanguage()
        let packed = UInt16(bigEndianBytes: mdhd.payload.dropFirst(mdhd.payload.first == 1 ? 32 : 20).prefix(2)) ?? 0
        let letters = [10, 5, 0].map { UInt8(truncatingIfNeeded: packed >> $0 & 0x1F) + 0x60 }
        let isCode = letters.allSatisfy { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) }
        self.init(isCode ? String(decoding: letters, as: UTF8.self) : "und")
    }

    /// - Parameter code: ISO 639-2 in its terminological form, as MP4 has it.
    init(_ code: String) {
        bibliographic = Self.codes[code] ?? code
        guard code != "und" else { return }
        // BCP 47 wants the shortest code that there is.
        tag = Locale.LanguageCode(code).identifier(.alpha2) ?? code
    }
}
