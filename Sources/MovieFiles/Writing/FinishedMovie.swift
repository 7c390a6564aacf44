package import MediaTypes

/// What became of a recording once its file is an ordinary movie.
package struct FinishedMovie: Sendable, Hashable {
    /// One track of the movie.
    package struct Track: Sendable, Hashable {
        /// As in `tkhd`; never 0.
        package var trackID: UInt32
        /// The kind of media: `vide` or `soun`.
        package var handler: FourCC
        /// Frames, packets of compressed audio, or frames of PCM audio.
        package var sampleCount: Int
        /// As played.
        package var duration: MediaTime
    }

    /// The tracks that hold anything; one that stayed empty is not in the movie.
    package var tracks: [Track]
    /// Of the longest track.
    package var duration: MediaTime
    /// Of the whole file, in bytes.
    package var fileSize: UInt64
    /// Of the index at its end, in bytes.
    package var indexSize: Int
    /// Why its last samples had to give way to the index, if they had to.
    package var shortage: MovieFileError?
}

extension FinishedMovie {
    /// Frames in the movie.
    package var frameCount: Int { tracks.reduce(0) { $1.handler == "vide" ? $0 + $1.sampleCount : $0 } }
    /// Audio tracks in the movie.
    package var audioTrackCount: Int { tracks.count { $0.handler == "soun" } }
}

extension FragmentedMovie {
    /// The tracks as far as they have come.
    var describedTracks: [FinishedMovie.Track] {
        tracks.filter { !$0.isTimeCode }.map { track in
            FinishedMovie.Track(
                trackID: track.trackID, handler: track.handler, sampleCount: track.samples.count,
                duration: MediaTime(ticks: track.samples.duration, timescale: track.timescale))
        }
    }
}
