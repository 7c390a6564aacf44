import MediaTypes

/// The `Chapters` element (RFC 9559 section 5.1.7).
enum MatroskaChapters {
    /// - Parameters:
    ///   - shift: How much later than in the movie everything is, in nanoseconds; but what begins with it begins with the file.
    ///   - end: Of the file's presentation, in nanoseconds: where the last chapter ends.
    /// - Returns: nil where there are none.
    static func element(_ chapters: [MovieInfo.Chapter], shift: Int64, end: Int64) -> [UInt8]? {
        let sorted = chapters.filter { has($0, shift: shift, end: end) }.sorted { $0.start < $1.start }
        guard !sorted.isEmpty else { return nil }
        let starts = sorted.map {
            $0.start > .zero ? UInt64($0.start.nanoseconds) + UInt64(max(0, shift)) : 0
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

    /// Those that it has no place for, as those behind the end of a file that is cut off.
    static func omitted(_ chapters: [MovieInfo.Chapter], shift: Int64, end: Int64) -> [MovieInfo.Chapter] {
        chapters.filter { !has($0, shift: shift, end: end) }
    }

    private static func has(_ chapter: MovieInfo.Chapter, shift: Int64, end: Int64) -> Bool {
        (.zero...max(.zero, MediaTime(nanoseconds: end - shift))).contains(chapter.start)
    }
}

extension MovieInfo.Chapter {
    /// What is said where it is not in a copy.
    var omission: String { "The chapter “\(title)” is left out: it begins after the movie's end." }
}
