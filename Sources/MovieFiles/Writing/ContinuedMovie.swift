package import MediaTypes
package import SystemPackage

/// A movie of frames alone that was recorded here and ended, in whatever way, and to which more frames can be added.
///
/// A finished one still has its fragments, as finishing only overwrote 16 bytes of its first index (``IndexAppender``). Those are put
/// back in the opposite order: first the head of the first index, which makes it the state that finishing itself passes through, then
/// the second index is cut off. So it plays after each step.
package struct ContinuedMovie: Sendable {
    let movie: FragmentedMovie
    let moovOffset: UInt64
    /// Where more fragments can go.
    let dataEnd: UInt64
    /// Whether it has its index at the end.
    let isFinished: Bool

    /// Frames in it.
    package var frameCount: Int { movie.tracks.first { $0.handler == "vide" }?.samples.count ?? 0 }

    /// When its first frame was taken; `nil` where it does not say.
    package let creationDate: MovieDate?
    /// How far apart its frames were taken; `nil` where it does not say.
    package let shotInterval: MediaTime?

    /// Looks at a movie that is to go on.
    ///
    /// - Throws: `unsupported` for what was not recorded in fragments, or holds more than frames; `notAMovie`, `system`.
    package init(_ path: FilePath) throws(MovieFileError) {
        self = try ReadableFile.open(path) { (file) throws(MovieFileError) in try ContinuedMovie(file) }
    }

    init(_ file: ReadableFile) throws(MovieFileError) {
        let scan: FragmentScan
        do throws(MovieFileError) { scan = try FragmentScan(file, evenFinished: true) } catch {
            switch error {
            case .unsupported, .nothingToRecover:
                throw .unsupported(
                    reason: "it was not recorded by Rushes, or has been edited since, so it cannot be continued")
            default: throw error
            }
        }
        guard scan.otherMovie == nil else {
            throw .unsupported(reason: "another movie follows in the same file, so it cannot be continued")
        }
        // Its index lists what the fragments no longer tell.
        guard !scan.isFinished || scan.losses.isEmpty else {
            throw .unsupported(reason: "its fragments are damaged, so it cannot be continued")
        }
        (movie, moovOffset, dataEnd) = (scan.movie, scan.moovOffset, scan.dataEnd)
        isFinished = scan.isFinished
        guard movie.tracks.filter({ !$0.isTimeCode }).map(\.handler) == ["vide"] else {
            throw .unsupported(reason: "it holds more than one track, and only a movie without audio can be continued")
        }
        let metadata = try MovieMetadata(moov: movie.moov)
        (creationDate, shotInterval) = (metadata.creationDate, metadata.shotInterval)
    }

    /// Whether frames that another encoder makes are described as these are.
    func isDescribed(like other: FragmentedMovie) -> Bool {
        let (own, others) = (movie.tracks.first { $0.handler == "vide" }, other.tracks.first { $0.handler == "vide" })
        return own?.description == others?.description
            && other.tracks.first?.timescale == movie.tracks.first?.timescale
    }

    /// Makes it a movie in fragments that ends behind its last whole frame.
    func reopen(_ file: any RandomAccessFile) throws(MovieFileError) {
        if isFinished {
            try file.write(Array(try movie.moov.serialized().prefix(16)), at: moovOffset)
            try file.synchronize()
        }
        try file.truncate(to: dataEnd)
    }
}
