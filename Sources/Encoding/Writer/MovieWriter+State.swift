package import FileSystem
package import GStreamer
package import MovieFiles
package import SystemPackage
import Threads

/// How a movie stands while it is written.
extension MovieWriter {
    /// The time code of the first frame, where the stream tells, as soon as that has passed.
    package var timeCode: TimeCode? { firstFrame.streamCode }

    /// Bytes in all files so far.
    package var bytesWritten: Int64 { parts.bytes + (file?.bytesWritten ?? 0) }

    /// Whether the last file holds anything that plays.
    package var holdsSamples: Bool { file?.holdsSamples ?? false }

    /// Frames that are in the file for sure, of those that were handed over; `nil` where its muxer does not say.
    package var framesInFile: Int? {
        plan.writesEachFrame && plan.isMovieFile ? (file as? WrittenOutputFile)?.framesWritten : nil
    }

    /// Audio that waits to be encoded or written, of the track that lies furthest behind: it grows where the disk or the encoder is too slow for it.
    package var waitingAudio: MediaTime { audio.map(\.waitingTime).max() ?? .zero }

    /// How long the disks take for what they are given. Never waits for them.
    package var diskDelay: MediaTime { sequence?.all.map(\.file.diskDelay).max() ?? .zero }

    /// The first thing that went wrong, or `nil`.
    package var failure: (any Error)? {
        // A file that cannot be written stops the stream, which is then reported too, in words that explain nothing; an
        // encoder's own error is what the file's is a consequence of.
        let reported = pipelines.compactMap(\.bus.failure)
        return reported.first { $0.domain != "gst-stream-error-quark" } ?? editFailure.withLock { $0 } ?? file?.failure
            ?? reported.first
    }

    /// The same in words that stand behind "writing failed: "; `nil` also where the file only has the size that it may have.
    package var failureWords: String? { isFull ? nil : failure.map(WritingFault.words) }

    /// Whether the file takes no more because of its size.
    var isFull: Bool { if case MovieFileError.sizeReached? = failure { true } else { false } }

    /// Where the file was created or, once that was noticed, moved to; `nil` when it is complete.
    package var path: FilePath? { file?.path }

    /// Where the file is by now, whatever others have done with its name. Blocks as long as the disk does.
    package var whereabouts: FileWhereabouts { file?.whereabouts ?? .here }

    /// Bytes free on the file's disk, whatever its folder is called by now; `nil` without an open file. Blocks as long as the disk does.
    package var freeBytes: Int64? { file?.freeBytes }
}
