import Foundation

/// What a movie tells about itself, in Matroska's elements and by the names of its tag registry ("Matroska Media Container Tag
/// Specifications").
struct MatroskaTags: Sendable {
    let title: String?
    let date: MovieDate?
    /// By their names.
    let texts: [(name: String, text: String)]

    init(_ moov: Box) throws(MovieFileError) {
        let metadata = try MovieMetadata(moov: moov)
        (title, date) = (metadata.title, metadata.creationDate)
        texts =
            MetadataField.allCases.compactMap { field in
                guard field != .title else { return nil }
                return Self.text(field, metadata).map { (Self.name(field, metadata), $0) }
            } + [Self.local(metadata.creationDate)].compactMap(\.self)
            + metadata.others.map { ($0.name, $0.text) }
    }

    /// What a tag is called that tells a field.
    static func name(_ field: MetadataField, _ metadata: MovieMetadata) -> String {
        // A year is that of a release or a recording: ffmpeg, and what is built on it, knows no other name.
        if field == .creationDate, metadata.creationDate?.isInstant == false { return "DATE" }
        return field.matroskaNames[0]
    }

    /// What a tag's text is for a field; nil where there is nothing to say.
    static func text(_ field: MetadataField, _ metadata: MovieMetadata) -> String? {
        field == .creationDate ? metadata.creationDate.map(utc) : metadata[field]
    }

    /// A date with the zone of its clock, which the registry has no name for: ffmpeg's, of what QuickTime says; nil where UTC says all.
    static func local(_ date: MovieDate?) -> (name: String, text: String)? {
        guard let date, date.isInstant, date.secondsFromGMT != 0 else { return nil }
        return ("com.apple.quicktime.creationdate", date.description)
    }

    /// As the registry writes dates, without a zone: in that of the headers.
    private static func utc(_ date: MovieDate) -> String {
        guard date.isInstant else { return date.description }
        let text = MovieDate(date.date).description
        return text.replacing("T", with: " ").replacing("Z", with: "")
    }

    /// The `Tags` element; nil where there is nothing to say.
    var element: [UInt8]? {
        guard !texts.isEmpty else { return nil }
        var writer = EBMLWriter()
        writer.master(.tags) { tags in
            Self.append(texts, to: &tags)
        }
        return writer.bytes
    }

    /// Appends a tag of the whole movie to a `Tags` element.
    static func append(_ texts: [(name: String, text: String)], to tags: inout EBMLWriter) {
        tags.master(.tag) { tag in
            tag.master(.targets) { $0.unsigned(.targetTypeValue, 50) }
            for (name, text) in texts {
                tag.master(.simpleTag) { simple in
                    simple.text(.tagName, name)
                    simple.text(.tagLanguage, "und")
                    simple.text(.tagString, text)
                }
            }
        }
    }

    /// The `Info` element.
    ///
    /// - Parameters:
    ///   - duration: In nanoseconds.
    ///   - application: What writes the file.
    func info(duration: Int64, application: String) -> [UInt8] {
        var writer = EBMLWriter()
        writer.master(.info) { info in
            info.unsigned(.timestampScale, UInt64(MatroskaTime.millisecond))
            info.float(.duration, Double(duration) / Double(MatroskaTime.millisecond))
            if let date, date.isInstant, let nanoseconds = Self.nanoseconds(date) { info.signed(.dateUTC, nanoseconds) }
            if let title { info.text(.title, title) }
            info.text(.muxingApp, application)
            info.text(.writingApp, application)
        }
        return writer.bytes
    }

    /// Since the beginning of 2001, which is Foundation's reference date too (RFC 8794 section 7.6); nil centuries from it.
    static func nanoseconds(_ date: MovieDate) -> Int64? {
        Int64(exactly: (date.date.timeIntervalSinceReferenceDate * 1000).rounded()).flatMap {
            let (nanoseconds, isTooFar) = $0.multipliedReportingOverflow(by: MatroskaTime.millisecond)
            return isTooFar ? nil : nanoseconds
        }
    }
}
