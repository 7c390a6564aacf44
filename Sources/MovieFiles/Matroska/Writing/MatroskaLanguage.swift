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

    /// - Parameter mdia: of a track of a movie.
    init(_ mdia: Box) throws(MovieFileError) { self.init(try TrackLanguage(mdia)) }

    /// - Parameter language: nil where it is not known.
    init(_ language: TrackLanguage?) {
        let code = language?.code ?? "und"
        bibliographic = Self.codes[code] ?? code
        tag = language?.tag
    }
}
