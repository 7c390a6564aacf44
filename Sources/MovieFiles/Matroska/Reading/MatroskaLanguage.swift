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
