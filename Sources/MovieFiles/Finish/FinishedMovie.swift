/// What became of a recording once its file is an ordinary movie.
public struct FinishedMovie: Sendable, Hashable {
    /// One track of the movie.
    public struct Track: Sendable, Hashable {
        /// As in `tkhd`; never 0.
        public var trackID: UInt32
        /// The kind of media: `vide` or `soun`.
        public var handler: FourCC
        /// Frames, packets of compressed audio, or frames of PCM audio.
        public var sampleCount: Int
        /// As played, in seconds.
        public var duration: Double
    }

    /// The tracks that hold anything; one that stayed empty is not in the movie.
    public var tracks: [Track]
    /// Of the longest track, in seconds.
    public var duration: Double
    /// Of the whole file, in bytes.
    public var fileSize: UInt64
    /// Of the index at its end, in bytes.
    public var indexSize: Int
    /// Why its last samples had to give way to the index, if they had to.
    public var shortage: MovieFileError?
}

extension FinishedMovie {
    /// Frames in the movie.
    public var frameCount: Int { tracks.reduce(0) { $1.handler == "vide" ? $0 + $1.sampleCount : $0 } }
}

extension FragmentedMovie {
    /// The tracks as far as they have come.
    var describedTracks: [FinishedMovie.Track] {
        tracks.map { track in
            FinishedMovie.Track(
                trackID: track.trackID, handler: track.handler, sampleCount: track.samples.count,
                duration: Double(track.samples.duration) / Double(track.timescale))
        }
    }
}
