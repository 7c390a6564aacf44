import Foundation

/// What a movie tells about itself, in Matroska's elements and by the names of its tag registry ("Matroska Media Container Tag
/// Specifications").
struct MatroskaTags: Sendable {
    let title: String?
    let date: MovieDate?
    /// By their names.
    private(set) var texts: [(name: String, text: String)] = []

    /// What movies tell beside the fields of ``MovieMetadata``.
    private static let others: [(name: String, key: String, type: FourCC)] = [
        ("ARTIST", "com.apple.quicktime.artist", "©ART"), ("COMMENT", "com.apple.quicktime.comment", "©cmt"),
        ("ALBUM", "com.apple.quicktime.album", "©alb"), ("GENRE", "com.apple.quicktime.genre", "©gen"),
        ("COPYRIGHT", "com.apple.quicktime.copyright", "cprt"),
    ]

    init(_ moov: Box) throws(MovieFileError) {
        let metadata = try MovieMetadata(moov: moov)
        (title, date) = (metadata.title, metadata.creationDate)
        // The registry has no names for cameras, and none for a place in numbers: these are ffmpeg's.
        let fields: [(String, String?)] = [
            ("DESCRIPTION", metadata.description), ("KEYWORDS", metadata[.keywords]),
            ("DATE_RECORDED", date.map(Self.utc)), ("MAKE", metadata.make), ("MODEL", metadata.model),
            ("LOCATION", metadata.location), ("ENCODER", metadata.software),
        ]
        let others = try MetadataTexts(moov)
        let found = Self.others.map { ($0.name, others.text(key: $0.key, item: $0.type, userData: $0.type)) }
        texts = (fields + found).compactMap { name, text in text.map { (name, $0) } }
    }

    /// As the registry writes dates, without a zone: in that of the headers.
    private static func utc(_ date: MovieDate) -> String {
        let text = MovieDate(date.date).description
        return text.replacing("T", with: " ").replacing("Z", with: "")
    }

    /// The `Tags` element; nil where there is nothing to say.
    var element: [UInt8]? {
        guard !texts.isEmpty else { return nil }
        var writer = EBMLWriter()
        writer.master(.tags) { tags in
            tags.master(.tag) { tag in
                // The whole movie.
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
        return writer.bytes
    }

    /// The `Info` element.
    ///
    /// - Parameters:
    ///   - duration: In nanoseconds.
    ///   - application: What writes the file.
    func info(duration: Int64, application: String) -> [UInt8] {
        var writer = EBMLWriter()
        writer.master(.info) { info in
            info.unsigned(.timestampScale, UInt64(MatroskaTiming.millisecond))
            info.float(.duration, Double(duration) / Double(MatroskaTiming.millisecond))
            if let date, let nanoseconds = Self.nanoseconds(date) { info.signed(.dateUTC, nanoseconds) }
            if let title { info.text(.title, title) }
            info.text(.muxingApp, application)
            info.text(.writingApp, application)
        }
        return writer.bytes
    }

    /// Since the beginning of 2001, which is Foundation's reference date too (RFC 8794 section 7.6); nil centuries from it.
    private static func nanoseconds(_ date: MovieDate) -> Int64? {
        Int64(exactly: (date.date.timeIntervalSinceReferenceDate * 1000).rounded()).flatMap {
            let (nanoseconds, isTooFar) = $0.multipliedReportingOverflow(by: MatroskaTiming.millisecond)
            return isTooFar ? nil : nanoseconds
        }
    }
}

/// The `Chapters` element (RFC 9559 section 5.1.7).
enum MatroskaChapters {
    /// - Parameters:
    ///   - shift: How much later than in the movie everything is, in nanoseconds; but what begins with it begins with the file.
    ///   - end: Of the file's presentation, in nanoseconds: where the last chapter ends.
    /// - Returns: nil where there are none.
    static func element(_ chapters: [MovieInfo.Chapter], shift: Int64, end: Int64) -> [UInt8]? {
        let limit = Double(end - shift) / Double(MatroskaTiming.second)
        let sorted = chapters.filter { (0...max(0, limit)).contains($0.start) }.sorted { $0.start < $1.start }
        guard !sorted.isEmpty else { return nil }
        let starts = sorted.map {
            $0.start > 0 ? UInt64($0.start * Double(MatroskaTiming.second)) + UInt64(max(0, shift)) : 0
        }
        let ends = Array(starts.dropFirst()) + [UInt64(max(0, end))]
        var writer = EBMLWriter()
        writer.master(.chapters) { chapters in
            chapters.master(.editionEntry) { edition in
                for (index, chapter) in sorted.enumerated() {
                    edition.master(.chapterAtom) { atom in
                        atom.unsigned(.chapterUID, UInt64(index + 1))
                        atom.unsigned(.chapterTimeStart, starts[index])
                        atom.unsigned(.chapterTimeEnd, ends[index])
                        atom.master(.chapterDisplay) { display in
                            display.text(.chapString, chapter.title)
                            display.text(.chapLanguage, "und")
                        }
                    }
                }
            }
        }
        return writer.bytes
    }
}
