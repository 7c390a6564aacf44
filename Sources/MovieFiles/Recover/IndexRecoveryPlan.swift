import SystemPackage

/// The index of a movie whose recorder died or that is cut off, and where it goes.
struct IndexRecoveryPlan: RecoveryPlan {
    private let scan: FragmentScan
    var dataEnd: UInt64 { scan.dataEnd }
    var otherMovie: UInt64? { scan.otherMovie }
    /// What lay behind the last sample is at the movie's end, as it is played.
    private var losses: [LostRange] {
        scan.losses.map { loss in
            var loss = loss
            if loss.end > dataEnd { loss.time = index.duration }
            return loss
        }
    }
    private let index: MovieIndex
    /// An ordinary one, of every sample that is whole.
    let moov: Box

    /// - Parameter endsTexts: whether chapters and the like of a movie that is cut off end with what is left of it; else whoever reads the
    ///   index says what is behind.
    /// - Throws: `notAMovie`, `nothingToRecover` where it is whole, `system`.
    init(_ file: ReadableFile, endsTexts: Bool = false) throws(MovieFileError) {
        var scan = try FragmentScan(file)
        _ = try scan.movie.repairAV1 { (count, offset) throws(MovieFileError) in
            try file.read(upTo: count, at: offset)
        }
        try scan.movie.repairAudio()
        // Chapters and the like lie in front, and are listed for the length that the movie had.
        if scan.isCutOff, endsTexts { scan.movie.endWithMedia() }
        index = try MovieIndex(scan.movie, timing: .file(startsAtZero: scan.movie.letsTracksStartAtZero))
        var moov = index.moov
        if scan.isCutOff { try moov.keepProperties(of: scan.movie.tracks) }
        if scan.isCutOff, endsTexts { try moov.removeListedChapters(from: index.duration) }
        self.moov = moov
        self.scan = scan
    }

    func complete(_ file: DescriptorFile) throws(MovieFileError) {
        let appender = IndexAppender(file: file, moovOffset: scan.moovOffset, dataEnd: scan.dataEnd)
        try appender.append(try moov.serialized())
        try appender.makeItCount()
    }

    func report(input: FilePath, output: FilePath) -> RecoveredMovie {
        func count(_ handler: FourCC) -> Int {
            index.tracks.reduce(0) { $1.handler == handler ? $0 + $1.sampleCount : $0 }
        }
        return RecoveredMovie(
            input: input, output: output, frames: count("vide"), samples: count("soun"), losses: losses,
            otherMovie: scan.otherMovie, duration: index.duration)
    }
}

extension Box {
    /// Leaves of what a `moov` says of single samples what is about those that the tracks still have.
    fileprivate mutating func keepProperties(of tracks: [FragmentedTrack]) throws(MovieFileError) {
        try editAll("trak") { (trak: inout Box) throws(MovieFileError) in
            let trackID = try TrackHeader(try trak.required("tkhd")).trackID
            guard let count = tracks.first(where: { $0.trackID == trackID })?.samples.count else { return }
            try trak.edit(["mdia", "minf", "stbl"]) { (stbl: inout Box) throws(MovieFileError) in
                try stbl.keepSampleProperties(of: 0..<count)
            }
        }
    }
}
