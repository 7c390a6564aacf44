/// A movie in fragments as it is found in a file, which may end anywhere and be damaged anywhere; or an ordinary one that is cut off
/// behind its index.
struct FragmentScan {
    /// With every sample that is whole.
    var movie: FragmentedMovie
    /// Where the first `moov` begins.
    let moovOffset: UInt64
    /// Where the last whole box or sample ends, and an index can go.
    let dataEnd: UInt64
    /// What belonged to samples or their fragments and is lost, in the file's order: among what is kept, and behind ``dataEnd``, of one that
    /// is cut off as far as its index lists samples.
    let losses: [LostRange]
    /// Where another movie begins, behind ``dataEnd``, that is none of this one's; nil where there is none.
    let otherMovie: UInt64?
    /// Whether the movie is whole: an ordinary one, with its index at the end.
    let isFinished: Bool
    /// Whether it is an ordinary one that lists samples behind the file's end.
    let isCutOff: Bool

    /// - Parameter evenFinished: whether the fragments of a movie that is whole are looked for too.
    /// - Throws: `notAMovie` where there is no index to begin with, `nothingToRecover` where the movie is whole already.
    init(_ file: ReadableFile, evenFinished: Bool = false) throws(MovieFileError) {
        let start = try FragmentStart(file, evenFinished: evenFinished)
        (moovOffset, isFinished, isCutOff) = (start.moovOffset, start.isFinished, start.isCutOff)
        var walk = FragmentWalk(start, in: file)
        try walk.run()
        movie = walk.movie
        let listed = start.isCutOff ? movie.dataEnd : 0
        // Drops samples that the file does not hold, and keeps those of the last box that it does.
        _ = movie.removeSamples(beyond: walk.tail?.type == "mdat" ? file.size : walk.dataEnd)
        dataEnd = max(walk.dataEnd, movie.dataEnd)
        otherMovie = walk.otherMovie
        var losses = walk.losses
        let isIndex = walk.tail.map { $0.type == "moov" || $0.type == "mfra" } ?? false
        let end = max(isIndex ? 0 : file.size, listed)
        if end > dataEnd { losses.append(LostRange(offset: dataEnd, size: end - dataEnd, time: movie.end)) }
        self.losses = losses
    }
}

/// The `moov` that a movie in fragments begins with, or that a cut-off one has at its front.
struct FragmentStart {
    let movie: FragmentedMovie
    let moovOffset: UInt64
    /// Where what follows the index begins.
    let end: UInt64
    private(set) var isFinished = false
    private(set) var isCutOff = false

    /// - Throws: as ``FragmentScan``.
    init(_ file: ReadableFile, evenFinished: Bool) throws(MovieFileError) {
        var boxes = TopLevelBoxes(file)
        while let entry = try boxes.nextSensible(isRequired: true) {
            if entry.type == "moov" {
                var moov = try TopLevelBoxes.load(entry, from: file)
                if moov["mvex"] == nil {
                    try moov.addMissingHeader()
                    guard try moov.lacksSamples(before: file.size) else { throw .nothingToRecover }
                    isCutOff = true
                }
                (movie, moovOffset, end) = (try FragmentedMovie(moov: moov), entry.offset, entry.end)
                return
            } else if entry.type == "mdat", let moov = try HiddenMovieBox(entry, in: file),
                case let isWhole = try Self.hasIndex(behind: entry, in: file), evenFinished || !isWhole
            {
                isFinished = isWhole
                (movie, moovOffset, end) = (try FragmentedMovie(moov: moov.box), entry.offset, moov.end)
                return
            }
            guard entry.isWhole else { break }
        }
        throw boxes.missingIndex
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
}

extension FragmentedMovie {
    /// Where the last sample ends in the file; 0 without any.
    var dataEnd: UInt64 { tracks.map(\.samples.end).max() ?? 0 }
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
