import MediaTypes

/// The `Chapters` element (RFC 9559 section 5.1.7).
enum MatroskaChapters {
    /// - Parameters:
    ///   - shift: How much later than in the movie everything is, in nanoseconds; but what begins with it begins with the file.
    ///   - end: Of the file's presentation, in nanoseconds: where the last chapter ends.
    /// - Returns: nil where there are none.
    static func element(_ chapters: [MovieInfo.Chapter], shift: Int64, end: Int64) -> [UInt8]? {
        let limit = max(.zero, MediaTime(nanoseconds: end - shift))
        let sorted = chapters.filter { (.zero...limit).contains($0.start) }.sorted { $0.start < $1.start }
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
}
