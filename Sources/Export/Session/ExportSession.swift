public import Encoding
import GStreamer
import MovieFiles
public import SystemPackage
import Threads

/// Makes a movie of another one: other codecs, size, rate, container, or a part of it.
///
/// The output appears under its name when it is complete and has been checked; until then, and for good where anything
/// fails, nothing stands there. A session exports once.
public actor ExportSession {
    /// What is read.
    package nonisolated let input: FilePath
    /// What is made of it.
    package nonisolated let settings: ExportSettings

    /// How an export stands.
    public enum State: Sendable, Hashable {
        /// Not begun: the request and the input are looked at.
        case pending
        /// It opens decoders and looks for an encoder, or it is paused.
        case waiting
        case exporting(ExportProgress)
    }

    private nonisolated let status = ExportStatus()
    private nonisolated let thumbnail: FilePath?
    private var isUsed = false

    /// - Parameter thumbnail: where a small JPEG of the frame that is just being exported is written every few seconds.
    public init(input: FilePath, settings: ExportSettings = ExportSettings(), thumbnail: FilePath? = nil) {
        (self.input, self.settings, self.thumbnail) = (input, settings, thumbnail)
    }

    /// Writes the movie. Cancelling the task cancels the export, which then leaves nothing.
    ///
    /// - Throws: ``ExportError`` if the request, the input or the finished file is at fault, or this session has exported
    ///   already; ``MovieEncodingError`` if the destination or the encoder is; ``MovieFileError`` if a movie cannot be read or
    ///   written as a file; if a pipeline fails, GStreamer's own error. Each describes itself in one sentence.
    ///   `CancellationError` if the task was cancelled.
    public func export(to destination: MovieDestination) async throws -> ExportResult {
        guard !isUsed else { throw ExportError(.unsuitable, "A session exports once; make another.") }
        isUsed = true
        let status = self.status
        defer { status.report(.ended) }
        return try await withTaskCancellationHandler {
            try await ExportJob(
                input: input, settings: settings, destination: destination, thumbnail: thumbnail, status: status
            ).run()
        } onCancel: {
            status.report(.stopped)
        }
    }

    /// Holds the work until ``resume()``; what is in the encoder is still written.
    public nonisolated func pause() { status.report(.paused(true)) }
    /// Goes on after ``pause()``.
    public nonisolated func resume() { status.report(.paused(false)) }
    /// Whether it is held.
    public nonisolated var isPaused: Bool { status.snapshot.isPaused }

    /// How the export stands, now and then every so many seconds, until it has ended.
    public nonisolated func states(updateInterval seconds: Double) -> AsyncStream<State> {
        let status = self.status
        let (stream, continuation) = AsyncStream.makeStream(of: State.self, bufferingPolicy: .bufferingNewest(1))
        let task = Task {
            while !Task.isCancelled {
                let now = status.snapshot
                guard now.phase != .ended else { break }
                continuation.yield(now.publicState)
                try? await Task.sleep(for: .seconds(max(0.01, seconds)))
            }
            continuation.finish()
        }
        continuation.onTermination = { _ in task.cancel() }
        return stream
    }
}

extension ExportStatus.State {
    fileprivate var publicState: ExportSession.State {
        switch phase {
        case .pending: .pending
        case .opening: .waiting
        case .exporting, .ended: isPaused ? .waiting : .exporting(run.progress)
        }
    }
}
