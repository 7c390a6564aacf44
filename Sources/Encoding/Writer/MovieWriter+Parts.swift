package import GStreamer
package import MovieFiles
import Synchronization
import Threads

/// Files that follow each other without a gap, under encoders that go on.
extension MovieWriter {
    /// Goes over to another file with a key frame, which the encoder is asked for. The files' packets, one behind the other, are
    /// those of one file; each file begins at its own time zero.
    ///
    /// - Parameters:
    ///   - time: the movie's time from which on the frame is wanted; a time that has passed means at once.
    ///   - isPaused: whether nothing is handed in at the moment; asked for when the file is open.
    /// - Returns: false while the last change is under way, where the file that is wanted has begun meanwhile, and at the end.
    /// - Throws: what the disk refused; the movie goes on in the same file.
    package func split(
        to destination: MovieDestination, options: MovieFileWriter.Options, at time: MediaTime = .zero,
        isPaused: @Sendable () -> Bool = { false }
    ) async throws -> Bool {
        // In this order: where no change is under way, no other file begins from here on.
        guard let sequence, sequence.all.count == 1, time == .zero || time > partBegin + Self.rounding else {
            return false
        }
        let muxer = try MovieMuxer(
            plan, destination: destination, options: later(options), firstFrame: firstFrame)
        try await muxer.start()
        // No packet from then on has come yet: none is encoded of what is handed in meanwhile.
        let margin = isPaused() ? .nanosecond : Self.splitMargin
        let earliest = max(time, MediaTime(nanoseconds: reached.load(ordering: .relaxed)) + margin)
        guard sequence.change(to: muxer, notBefore: earliest) else {
            await muxer.discard()
            return false
        }
        video?.requestKeyFrame(at: earliest)
        return true
    }

    /// For a file that does not begin with the encoders.
    func later(_ options: MovieFileWriter.Options) -> MovieFileWriter.Options {
        var options = options
        // What primes a decoder came with their first packets.
        options.audioPriming = 0
        return options
    }

    /// How far a file may begin before the time that was wanted, as frames' times are rounded.
    private static let rounding = 50 * MediaTime.millisecond

    /// More than it takes from reading the time to the change being known to who hands packets on.
    private static let splitMargin: MediaTime = 250 * .millisecond

    /// Files that another one follows, as they are completed; ends with ``finish(within:chapters:progressCounter:)``.
    package var finishedParts: AsyncStream<FinishedPart> { parts.stream }

    /// What the chapters of parts are taken from: all of the movie so far.
    package func takeChapters(from chapters: @escaping @Sendable () -> [MovieInfo.Chapter]) {
        parts.chapters.withLock { $0 = .init(soFar: chapters) }
    }

    /// What the files' dates and time codes are taken from: when what lies at a time in the movie was taken. Files of which that is not
    /// known when their first samples are written have neither.
    ///
    /// - Parameter rate: of the frames in the movie; without one there is no time code.
    package func takeDates(rate: Fraction?, from dates: @escaping @Sendable (MediaTime) -> MovieDate?) {
        firstFrame.take(dates, rate: rate)
    }

    /// The movie's time at which the last file begins.
    package var partBegin: MediaTime { sequence?.last?.begin ?? .zero }

    /// Bytes in the last file so far.
    package var partBytes: Int64 { file?.bytesWritten ?? 0 }
}
