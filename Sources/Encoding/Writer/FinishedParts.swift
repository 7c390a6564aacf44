package import GStreamer
import MovieFiles
package import SystemPackage
import Threads

/// One of several files of a movie, completed, or left as it is.
package struct FinishedPart: Sendable {
    /// Where it was written.
    package var path: FilePath
    /// Its first and its last moment in the movie.
    package var range: Range<MediaTime>
    package var outcome: Result<FinishedFile, any Error>
}

/// Completes files that a next one follows, beside the recording and one after the other.
final class FinishedParts: Sendable {
    let stream: AsyncStream<FinishedPart>
    /// Names of places in the movie so far.
    let chapters = Locked(Chapters { [] })

    /// In a type of its own: a closure that a generic type holds is wrapped anew each time it is read, ever deeper (Swift 6.3).
    struct Chapters: Sendable {
        let soFar: @Sendable () -> [MovieInfo.Chapter]
    }

    private let results: AsyncStream<FinishedPart>.Continuation
    private let last = Locked<Task<Void, Never>?>(nil)
    private let written = Locked<Int64>(0)

    /// How long the muxer may write nothing of what it holds; its packets are all there.
    private static let flush = Duration.seconds(10)

    init() { (stream, results) = AsyncStream.makeStream() }

    /// Bytes in all that another file has followed.
    var bytes: Int64 { written.withLock { $0 } }

    /// - Parameter isStopped: whether its pipeline was stopped, as it came to no end.
    func complete(_ muxer: MovieMuxer, before end: MediaTime, isStopped: Bool = false) {
        let soFar = muxer.file.bytesWritten
        written.withLock { $0 += soFar }
        let path = muxer.file.path ?? ""
        muxer.isFollowed(at: end)
        last.withLock { last in
            let before = last
            last = Task {
                await before?.value
                await completed(muxer, path, end, isStopped, counted: soFar)
            }
        }
    }

    /// - Parameter counted: how many of its bytes are counted.
    private func completed(
        _ muxer: MovieMuxer, _ path: FilePath, _ end: MediaTime, _ isStopped: Bool, counted: Int64
    ) async {
        var isFlushed = false
        if !isStopped {
            isFlushed = await muxer.ended.wait(whileStillFor: Self.flush) { Int(muxer.file.bytesWritten) }
        }
        let isWhole = (isFlushed || isStopped && muxer.ended.isFired) && muxer.file.failure == nil
        if !isWhole, !isStopped { await muxer.pipeline.stop(within: MovieWriter.timeout) }
        let outcome: Result<FinishedFile, any Error>
        do {
            var file = try await muxer.complete(
                chapters: chapters.withLock { $0 }.soFar(), until: end, isWhole: isWhole, isLive: true)
            // What the muxer still held, and the index.
            written.withLock { $0 += file.size - counted }
            if !isFlushed, muxer.file.failure == nil {
                file.problem = file.problem ?? "Its last packets were not written in time."
            }
            outcome = .success(file)
        } catch { outcome = .failure(error) }
        results.yield(FinishedPart(path: path, range: muxer.begin..<max(muxer.begin, end), outcome: outcome))
        if isWhole, !isStopped { await muxer.pipeline.stop(within: MovieWriter.timeout) }
    }

    /// Waits for all.
    func finish() async {
        await last.withLock { $0 }?.value
        results.finish()
    }
}
