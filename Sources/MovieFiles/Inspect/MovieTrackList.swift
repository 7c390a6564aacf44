package import SystemPackage

/// A track of a QuickTime or MP4 file as its index names it, whatever it holds.
package struct ListedTrack: Hashable, Sendable {
    /// Unique in the movie.
    package var trackID: UInt32
    /// What it is for (ISO/IEC 14496-12, 8.4.3): `vide`, `soun`, `text`, `tmcd`, …
    package var handler: String
    /// Its first sample description's type, as `avc1`; nil where it has none.
    package var format: String?
    /// How many samples it lists.
    package var sampleCount: Int
    /// Whether other tracks name it as their chapters.
    package var isChapters: Bool
    /// What it tells about itself.
    package var facts: TrackFacts
    /// Whether its first samples are in the file for others that need them, or for a decoder, and are not presented.
    package var hidesBeginning = false
}

extension ListedTrack {
    /// All tracks of a movie, in the file's order.
    ///
    /// - Throws: `notAMovie`, `invalidBox`, or `system` where the file cannot be read.
    package static func all(in path: FilePath) throws(MovieFileError) -> [ListedTrack] {
        try ReadableFile.open(path) { (file) throws(MovieFileError) in
            let contents = try MovieContents(file)
            let chapters = try contents.moov.chapterTrackIDs()
            return try contents.tracks().map { track in
                ListedTrack(
                    trackID: track.header.trackID, handler: track.handler.description,
                    format: track.entry?.format.description, sampleCount: track.statistics.sampleCount,
                    isChapters: chapters.contains(track.header.trackID), facts: track.facts,
                    hidesBeginning: track.hidesBeginning)
            }
        }
    }
}
