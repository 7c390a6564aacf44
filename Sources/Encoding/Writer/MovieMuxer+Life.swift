import Errors
import Foundation
import GStreamer
import MovieFiles
import Threads

/// From a file that appears to one that is complete and has its name, and how long disks get for each step.
extension MovieMuxer {
    /// - Throws: what the disk or an element refused; nothing is left then.
    func start() async throws {
        try await onOwnThread("rushes-file") { [file] in try file.open() }
        do { try await pipeline.setState(.playing, within: .seconds(5)) } catch {
            await discard()
            throw error
        }
    }

    /// Takes away what has been written.
    func discard() async {
        wake()
        await pipeline.stop(within: MovieWriter.timeout)
        // A disk that does not answer is left to a thread of its own.
        await onOwnThread("rushes-discard", orAfter: Self.discardTimeout, otherwise: ()) { [file] in
            file.discard()
        }
    }

    /// For taking a file away.
    private static let discardTimeout = Duration.seconds(5)

    /// Completes the file and gives it its name.
    ///
    /// - Parameters:
    ///   - chapters: of the whole recording; those in this file are kept.
    ///   - end: the recording's time at which the next file begins.
    ///   - isWhole: whether all that came is in the file.
    func complete(
        chapters: [MovieInfo.Chapter], until end: MediaTime? = nil, isWhole: Bool, isLive: Bool
    ) async throws -> FinishedFile {
        let begin = self.begin
        let own = chapters.filter { $0.start >= begin && $0.start < end ?? .max }
            .map { MovieInfo.Chapter(start: $0.start - begin, title: $0.title) }
        let timeout = Self.diskTimeout(written: isLive ? 0 : file.bytesWritten)
        let silence = RushesError(
            .writeFailed,
            "The disk has not responded for \(timeout.components.seconds) seconds, so the movie is not complete.")
        return try await onOwnThread(
            "rushes-finish", orAfter: timeout, otherwise: .failure(silence),
            progressCounter: { [file] in file.keptBytes }
        ) { [file] in
            Result { try file.finish(chapters: own, isWhole: isWhole) }
        }.get()
    }

    /// Looks once more where the complete file is, as its end is about to be told.
    ///
    /// - Returns: `nil` where it is as it was, and where the disk does not answer.
    /// - Throws: ``RushesError`` if it is gone.
    func settle() async throws -> SettledFile? {
        try await onOwnThread(
            "rushes-settle", orAfter: Self.diskTimeout(written: 0), otherwise: .success(nil),
            progressCounter: { [file] in file.keptBytes }
        ) { [file] in
            Result { try file.settle() }
        }.get()
    }

    /// How long the disk gets for the index and what the system still holds in memory. Of an export, which is
    /// written faster than a card takes it, that can be a fifth of the memory (vm.dirty_ratio) at five megabytes a second.
    ///
    /// - Parameters: bytes of the movie so far, and of this machine's memory.
    static func diskTimeout(
        written: Int64, memory: Int64 = Int64(clamping: ProcessInfo.processInfo.physicalMemory)
    ) -> Duration { .seconds(60) + .microseconds(min(max(0, written), memory / 5) / 5) }
}
