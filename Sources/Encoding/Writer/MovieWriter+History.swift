import Errors
package import GStreamer
package import MovieFiles
import Synchronization
import Threads

/// Files that start with packets from memory: a pre-roll, and replays.
extension MovieWriter {
    /// Call once before each ``begin(_:options:at:preRoll:)``, when the start is requested, as a file takes time to be opened. Holds the
    /// packets that the file will start with, or requests a key frame.
    ///
    /// - Returns: the pre-roll to pass on: everything kept so far if no packet has been encoded yet, because GstVideoEncoder (1.22) applies
    ///   a key-frame request made before its first output to its next frame, which may precede that time.
    package func prepareToBegin(at time: MediaTime, preRoll: MediaTime) -> MediaTime {
        let preRoll = history?.begin(from: time) == nil ? max(preRoll, time) : preRoll
        history?.hold(from: time - preRoll)
        if preRoll == .zero { video?.requestKeyFrame(at: time) }
        return preRoll
    }

    /// Begins the first file of a writer that was made to wait for it: with a key frame at the wanted time or before, of those that are
    /// kept, or else the next one.
    ///
    /// - Parameters:
    ///   - time: the encoders' time, measured from their beginning, at which somebody asked for it.
    ///   - preRoll: how much before that is wanted.
    /// - Returns: how much before it is there; less than was wanted where no more is kept.
    /// - Throws: what the disk refused; what is kept is kept on.
    package func begin(
        _ destination: MovieDestination, options: MovieFileWriter.Options, at time: MediaTime, preRoll: MediaTime
    ) async throws -> MediaTime {
        defer { history?.release(time - preRoll) }
        let muxer = try MovieMuxer(
            plan, destination: destination, options: later(options), firstFrame: firstFrame)
        try await muxer.start()
        let begin = expectedBegin(at: time, preRoll: preRoll)
        guard let sequence, sequence.last == nil, sequence.change(to: muxer, notBefore: begin) else {
            await muxer.discard()
            throw RushesError(.nothingRecorded, "The recording has ended before it began.")
        }
        history?.open(from: begin)
        return time - begin
    }

    /// Where the first file will begin that is asked for: with its pre-roll's key frame, or the next one from then on.
    package func expectedBegin(at time: MediaTime, preRoll: MediaTime) -> MediaTime {
        let kept = preRoll > .zero ? history?.begin(from: time - preRoll) : nil
        return kept.map { min($0, time) } ?? time - preRoll
    }

    /// The encoders' time at which the first file begins; `nil` before that is known.
    package var movieBegin: MediaTime? { sequence?.begin }

    /// Frames that were encoded before the first file began, and are in none.
    package var framesBefore: Int { (history?.skipped ?? 0) + (sequence?.skipped ?? 0) }

    /// Keeps all packets from a time on, however old they become, until ``release(_:)`` of that time.
    package func hold(from time: MediaTime) { history?.hold(from: time) }
    package func release(_ time: MediaTime) { history?.release(time) }

    /// Lets go of what is kept in memory, and keeps nothing more: at the end, as whoever asks how a recording ended may hold this for long.
    package func forget() { history?.forget() }

    /// How much is kept in memory, of how many bytes at most, and whether that is less than was asked for because of its bytes; `nil`
    /// where nothing is kept.
    package var kept: (span: MediaTime, limit: Int, isCut: Bool)? {
        history.map { history in
            let (span, isCut) = history.kept
            return (span, history.limit, isCut)
        }
    }

    /// Writes what is kept of a time and later to a file of its own, from the key frame before that time on. What is recorded goes on, and
    /// what is kept is kept on.
    ///
    /// - Parameters:
    ///   - range: of the encoders' time; what they still hold of it is waited for.
    ///   - chapters: of the whole recording.
    /// - Returns: the file, and the encoders' time at which it begins.
    /// - Throws: ``RushesError`` if nothing is kept; what the disk refused.
    package func save(
        _ range: Range<MediaTime>, to destination: MovieDestination, options: MovieFileWriter.Options,
        chapters: [MovieInfo.Chapter]
    ) async throws -> (file: FinishedFile, begin: MediaTime) {
        guard let history else { throw Self.nothingKept }
        guard !history.isForgotten else {
            throw RushesError(.nothingRecorded, "The recording is over, so nothing is kept in memory any more.")
        }
        // What has not been handed in yet comes first; nobody asks for more than seconds of it.
        let coming = range.upperBound - MediaTime(nanoseconds: reached.load(ordering: .relaxed))
        var left = Self.encoderDelay + min(.seconds(10), max(.zero, Duration(coming)))
        while left > .zero, history.end < range.upperBound {
            try? await Task.sleep(for: Self.step)
            left -= Self.step
        }
        guard let span = history.packets(range), !span.entries.isEmpty else { throw Self.nothingKept }
        let muxer = try MovieMuxer(
            plan, destination: destination, options: later(options), firstFrame: firstFrame)
        try await muxer.start()
        muxer.begin(at: span.begin)
        let priming = priming
        // A thread for each track: the muxer takes only so much of one before the others.
        let hasBegun = plan.tracks.indices.allSatisfy { track in
            OwnThread.run("rushes-save") {
                for entry in span.entries where entry.track == track {
                    guard muxer.append(entry.packet, to: track, priming: priming[track]) else { break }
                }
                muxer.end(track)
            }
        }
        guard hasBegun else {
            await muxer.discard()
            throw ThreadShortage()
        }
        // As long as the disk takes something.
        let isWhole =
            await muxer.ended.wait(whileStillFor: Self.diskTimeout) { Int(muxer.file.bytesWritten) }
            && muxer.file.failure == nil
        if !isWhole { await muxer.pipeline.stop(within: Self.timeout) }
        do {
            let file = try await muxer.complete(
                chapters: chapters, until: range.upperBound, isWhole: isWhole, isLive: true)
            if isWhole { await muxer.pipeline.stop(within: Self.timeout) }
            return (file, span.begin)
        } catch {
            await muxer.discard()
            throw error
        }
    }

    private static let nothingKept = RushesError(
        .nothingRecorded, "Nothing is kept in memory yet that could be saved; try again in a moment.")
    /// For the encoders to hand out what they hold, and from one look to the next.
    private static let (encoderDelay, step) = (Duration.seconds(3), Duration.milliseconds(20))
    /// How long the disk may take nothing.
    private static let diskTimeout = Duration.seconds(10)
}
