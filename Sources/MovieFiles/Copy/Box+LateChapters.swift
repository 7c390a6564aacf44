import MediaTypes

/// Chapters that a movie lists behind its own end.
extension Box {
    /// The chapters of a `moov` whose chapter track lasts longer than everything that is seen and heard, so that players and
    /// the movie's own header disagree on how long it is.
    ///
    /// - Parameter ids: Of the chapter tracks.
    /// - Returns: Those that begin before the end, and those that do not; nil where the track is no longer than the others.
    func lateChapters(
        _ ids: Set<UInt32>, _ file: ReadableFile
    ) throws(MovieFileError) -> (kept: [MovieInfo.Chapter], late: [MovieInfo.Chapter])? {
        guard !ids.isEmpty else { return nil }
        let timescale = Double(try TimeHeader(try required("mvhd")).timescale)
        var (end, chaptersEnd) = (0.0, 0.0)
        for trak in all("trak") {
            let header = try TrackHeader(try trak.required("tkhd"))
            let seconds = Double(header.duration) / timescale
            if ids.contains(header.trackID) {
                chaptersEnd = max(chaptersEnd, seconds)
            } else {
                end = max(end, seconds)
            }
        }
        guard end > 0, chaptersEnd > end + Self.tolerance else { return nil }
        let all = try ChapterReading(file: file).chapters(self)
        return (all.filter { $0.start.seconds < end }, all.filter { $0.start.seconds >= end })
    }

    /// Seconds: a frame more or less is of no matter.
    private static let tolerance = 0.05
}
