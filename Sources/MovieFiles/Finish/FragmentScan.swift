/// A movie in fragments as it is found in a file, which may end anywhere; or an ordinary one that is cut off behind its index.
struct FragmentScan {
    /// With every sample that is whole.
    var movie: FragmentedMovie
    /// Where the first `moov` begins.
    var moovOffset: UInt64
    /// Where the last whole box or sample ends, and an index can go.
    var dataEnd: UInt64
    /// What lies behind that and belonged to samples or their fragments, in bytes.
    var bytesLost: UInt64
    /// Whether the movie is whole: an ordinary one, with its index at the end.
    private(set) var isFinished = false
    /// Whether it is an ordinary one that lists samples behind the file's end.
    private(set) var isCutOff = false

    /// - Parameter evenFinished: whether the fragments of a movie that is whole are looked for too.
    /// - Throws: `notAMovie` where there is no index to begin with, `nothingToRecover` where the movie is whole already.
    init(_ file: ReadableFile, evenFinished: Bool = false) throws(MovieFileError) {
        var boxes = TopLevelBoxes(file)
        var found: FragmentedMovie?
        (moovOffset, dataEnd, bytesLost) = (0, 0, 0)
        var tail: TopLevelBoxes.Entry?
        while let entry = try boxes.nextSensible(isRequired: found == nil) {
            if entry.type == "moov", found == nil {
                var moov = try TopLevelBoxes.load(entry, from: file)
                if moov["mvex"] == nil {
                    try moov.addMissingHeader()
                    guard try moov.lacksSamples(before: file.size) else { throw .nothingToRecover }
                    isCutOff = true
                }
                found = try FragmentedMovie(moov: moov)
                moovOffset = entry.offset
            } else if entry.type == "mdat", found == nil, let moov = try HiddenMovieBox(entry, in: file),
                case let isWhole = try Self.hasIndex(behind: entry, in: file), evenFinished || !isWhole
            {
                isFinished = isWhole
                found = try FragmentedMovie(moov: moov.box)
                moovOffset = entry.offset
                boxes = TopLevelBoxes(file, from: moov.end)
                dataEnd = moov.end
                continue
            } else if entry.type == "moof", entry.isWhole, found != nil {
                guard let moof = try? TopLevelBoxes.load(entry, from: file), (try? found?.add(moof: moof)) != nil else {
                    break
                }
            }
            // The index of a movie that died while it was finished; the samples before it are all there.
            let isSecondIndex = entry.type == "moov" && entry.offset != moovOffset
            guard entry.isWhole, !isSecondIndex else {
                tail = entry
                break
            }
            dataEnd = entry.end
        }
        guard let found else { throw boxes.missingIndex }
        movie = found
        finish(tail: tail, fileSize: file.size)
    }

    private static func hasIndex(
        behind entry: TopLevelBoxes.Entry, in file: ReadableFile
    ) throws(MovieFileError) -> Bool {
        var boxes = TopLevelBoxes(file, from: entry.end)
        while let next = try? boxes.next() {
            if next.type == "moov", next.isWhole { return true }
        }
        return false
    }

    /// Drops samples that the file does not hold, and keeps those of the last box that it does.
    private mutating func finish(tail: TopLevelBoxes.Entry?, fileSize: UInt64) {
        let readableEnd = tail?.type == "mdat" ? fileSize : dataEnd
        _ = movie.removeSamples(beyond: readableEnd)
        let lastSampleEnd = movie.tracks.map(\.samples.end).max() ?? 0
        dataEnd = max(dataEnd, lastSampleEnd)
        let isIndex = tail.map { $0.type == "moov" || $0.type == "mfra" } ?? false
        bytesLost = isIndex ? 0 : fileSize - min(fileSize, dataEnd)
    }
}

extension SampleTable {
    /// Where the last sample of the last chunk ends in the file; 0 without samples.
    var end: UInt64 {
        chunks.last.map { $0.offset + sizes.total(ofLast: $0.sampleCount) } ?? 0
    }
}

extension FourCC {
    /// Whether this can be the type of a box: a crash may leave zeros or anything else in its place.
    var isPlausible: Bool {
        (0..<4).allSatisfy { index in
            let byte = UInt8(truncatingIfNeeded: rawValue >> (8 * UInt32(index)))
            return (0x20...0x7E).contains(byte) || byte == 0xA9
        }
    }
}
