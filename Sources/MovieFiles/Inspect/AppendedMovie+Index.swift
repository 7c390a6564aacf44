extension AppendedMovie {
    /// QuickTime's and MP4's indexes behind the first. A movie in fragments may have its index again before each of them.
    ///
    /// - Returns: nil for a file with one movie.
    init?(movie file: ReadableFile) throws(MovieFileError) {
        var boxes = TopLevelBoxes(file)
        var (first, begin): (TopLevelBoxes.Entry?, UInt64?) = (nil, nil)
        var others: [TopLevelBoxes.Entry] = []
        while let entry = try boxes.nextSensible(isRequired: false) {
            if entry.type == "ftyp", first != nil { begin = begin ?? entry.offset }
            guard entry.type == "moov", entry.isWhole else { continue }
            if first == nil { first = entry } else if begin != nil { others.append(entry) }
        }
        guard let first, let begin, !others.isEmpty else { return nil }
        var (durations, isFragmented): ([Double?], Bool) = ([], try Self.index(first, file)["mvex"] != nil)
        for entry in others {
            let moov = try Self.index(entry, file)
            if moov["mvex"] == nil { isFragmented = false }
            let header = try moov["mvhd"].map { (box) throws(MovieFileError) in try TimeHeader(box) }
            durations.append(
                header.flatMap { $0.duration > 0 ? Double($0.duration) / Double($0.timescale) : nil })
        }
        guard !isFragmented else { return nil }
        self.init(from: begin, to: file.size, lasting: durations)
    }

    private static func index(_ entry: TopLevelBoxes.Entry, _ file: ReadableFile) throws(MovieFileError) -> Box {
        var box = try TopLevelBoxes.load(entry, from: file)
        try box.decompress()
        return box
    }
}
