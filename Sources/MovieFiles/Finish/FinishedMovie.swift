/// What became of a recording once its file is an ordinary movie.
public struct FinishedMovie: Sendable, Hashable {
    /// One track of the movie.
    public struct Track: Sendable, Hashable {
        /// As in `tkhd`; never 0.
        public var trackID: UInt32
        /// The kind of media: `vide` or `soun`.
        public var handler: FourCC
        /// Pictures, packets of compressed sound, or frames of PCM sound.
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
}
