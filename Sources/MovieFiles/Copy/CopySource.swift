/// The movie that is copied, as one index lists it.
struct CopySource {
    let fileSize: UInt64
    let isQuickTime: Bool
    /// An ordinary index: that of the file, or one made of its fragments, or of the samples that a file has which is cut off.
    let moov: Box
    /// The brands of an ordinary file; nil where it has none, or is in fragments.
    let brands: Box?
    /// Whether the file holds all that it lists.
    let isWhole: Bool
    /// Where the index was made of a Matroska file, what that has beside it; nil for a movie.
    let matroska: MatroskaMovie?

    /// Where they are told beside the index.
    let chapters: [MovieInfo.Chapter]
    /// How the images of both eyes lie in the frames, where the index has no word for it.
    let stereo: StereoLayout?

    /// Several movies behind each other.
    init(
        joined moov: Box, size: UInt64, isQuickTime: Bool, isWhole: Bool, chapters: [MovieInfo.Chapter],
        stereo: StereoLayout? = nil
    ) {
        (self.moov, fileSize, self.isQuickTime, self.isWhole) = (moov, size, isQuickTime, isWhole)
        (self.chapters, brands, matroska, isChosen, self.stereo) = (chapters, nil, nil, true, stereo)
    }

    /// Another one with other tracks.
    init(_ other: CopySource, moov: Box, size: UInt64) {
        (self.moov, fileSize, isQuickTime, isWhole) = (moov, size, other.isQuickTime, other.isWhole)
        (brands, matroska, isChosen) = (other.brands, other.matroska, other.isChosen)
        (chapters, stereo) = (other.chapters, other.stereo)
    }

    private static let maximumBrandsSize: UInt64 = 4096

    /// Whether tracks were chosen, so that others may name some that are gone.
    let isChosen: Bool

    /// - Parameter isForMatroska: whether it is copied into Matroska, and into nothing else.
    init(
        _ file: ReadableFile, _ places: TrackPlaces = TrackPlaces(), isForMatroska: Bool = false
    ) throws(MovieFileError) {
        fileSize = file.size
        isChosen = places.areChosen
        if try MatroskaSegment.isMatroska(file) {
            let movie = try MatroskaMovie(file, places, isForMatroska: isForMatroska)
            (isQuickTime, moov, brands, isWhole) = (false, movie.moov, nil, movie.isWhole)
            (matroska, chapters, stereo) = (movie, movie.chapters, movie.stereo)
            return
        }
        (matroska, chapters, stereo) = (nil, [], nil)
        let contents = try MovieContents(file)
        isQuickTime = contents.isQuickTime
        let isOrdinary = !contents.isCoreAudio && contents.fragments == nil
        // Its boxes may end with it all the same.
        let lacksSamples = isOrdinary ? try contents.moov.lacksSamples(before: file.size) : false
        isWhole = contents.isWhole && !lacksSamples
        guard isWhole else {
            var moov = try IndexRecoveryPlan(file).moov
            try moov.choose(places)
            moov.putEnabledVideoFirst()
            (self.moov, brands) = (moov, nil)
            return
        }
        guard var movie = contents.fragments else {
            var moov = contents.moov
            try moov.choose(places)
            moov.putEnabledVideoFirst()
            self.moov = moov
            brands = try Self.brands(file)
            return
        }
        _ = try movie.repairAV1 { (count, offset) throws(MovieFileError) in try file.read(upTo: count, at: offset) }
        try movie.repairAudio()
        var moov = try MovieIndex(movie, timing: .file(startsAtZero: movie.letsTracksStartAtZero)).moov
        try moov.choose(places)
        moov.putEnabledVideoFirst()
        self.moov = moov
        brands = nil
    }

    private static func brands(_ file: ReadableFile) throws(MovieFileError) -> Box? {
        var boxes = TopLevelBoxes(file)
        guard let first = try boxes.next(), first.type == "ftyp", first.size <= maximumBrandsSize else { return nil }
        return try TopLevelBoxes.load(first, from: file)
    }

    var fileType: MovieFileType { isQuickTime ? .mov : .mp4 }
}
