public import Encoding
import Errors
public import LiveActivity
package import SystemPackage
import Threads

/// Makes a movie of another one: other codecs, size, rate, container, or a part of it.
///
/// The output appears under its name when it is complete and has been checked; until then, and for good where anything
/// fails, nothing stands there. A session exports once.
///
/// From when it begins an export is an ``Activity``, which those who watch may pause, resume and cancel.
public actor ExportSession {
    private nonisolated let origin: any ExportOrigin
    /// What is made of it.
    package nonisolated let settings: ExportSettings

    /// How an export stands.
    #if hasAttribute(nonexhaustive)
        @nonexhaustive
    #endif
    public enum State: Sendable, Hashable {
        /// Not begun: the request and the input are looked at.
        case pending
        /// It opens decoders and looks for an encoder, or it is paused.
        case waiting
        case exporting(ExportProgress)
    }

    private nonisolated let status = ExportStatus()
    private nonisolated let finished = Locked(SeparateFiles())
    private nonisolated let thumbnail: FilePath?
    /// Where its activity is requested; nil for none.
    private let center: ActivityCenter?
    private let onActivity: @Sendable (Activity) -> Void
    private nonisolated let shown = Locked<ExportActivity?>(nil)
    private nonisolated let work = Locked<Task<ExportResult, any Error>?>(nil)
    private var isUsed = false

    /// - Parameter onActivity: is given the activity when it starts; called from any thread.
    init(
        _ origin: any ExportOrigin, settings: ExportSettings, thumbnail: FilePath?, center: ActivityCenter?,
        onActivity: @escaping @Sendable (Activity) -> Void
    ) {
        (self.origin, self.settings, self.thumbnail) = (origin, settings, thumbnail)
        (self.center, self.onActivity) = (center, onActivity)
    }

    /// What is read, or the first of it.
    package nonisolated var input: FilePath { origin.path }

    /// The export as an activity; nil until it begins, as a request that is rejected never does.
    public nonisolated var activity: Activity? { shown.withLock { $0 }?.activity }

    /// Writes the movie. Cancelling the task cancels the export, which then leaves nothing.
    ///
    /// - Throws: ``RushesError`` if the settings, the input, the destination, an encoder or the finished file is at fault, or this
    ///   session has exported already. `CancellationError` if the task was cancelled.
    public func export(to destination: MovieDestination) async throws -> ExportResult {
        try await export(to: destination, keepingFree: nil)
    }

    /// - Parameter bytes: how many have to be free on the disk before it begins; as many as usual if left out.
    package func export(to destination: MovieDestination, keepingFree bytes: Int64?) async throws -> ExportResult {
        let (origin, settings, thumbnail, status) = (origin, settings, thumbnail, status)
        return try await run(destination, output: destination.path) { onOpened in
            try await ExportJob(
                origin: origin, settings: settings, destination: destination, thumbnail: thumbnail, status: status,
                minimumFreeSpace: bytes, onOpened: onOpened
            ).run()
        }
    }

    /// Writes each part of the movie into a file of its own, named after the destination. Cancelling leaves those that are complete, as does
    /// what fails: ``separated`` names them.
    ///
    /// - Parameter bytes: how many have to be free on the disk before it begins; as many as usual if left out.
    /// - Throws: as ``export(to:)``.
    package func export(
        _ parts: [PartChoice], to destination: MovieDestination, keepingFree bytes: Int64? = nil
    ) async throws -> SeparateFiles {
        let (path, settings, thumbnail, status) = (input, settings, thumbnail, status)
        let finished = finished
        _ = try await run(destination, output: destination.folder) { onOpened in
            try await SeparateExport(
                path: path, choices: parts, settings: settings, destination: destination, thumbnail: thumbnail,
                status: status, minimumFreeSpace: bytes, onOpened: onOpened, finished: finished
            ).run()
            return finished.withLock { $0 }.summary(in: destination.folder)
        }
        return separated
    }

    /// The files that are complete, of those that are made of parts.
    package nonisolated var separated: SeparateFiles { finished.withLock { $0 } }

    /// - Parameters:
    ///   - output: what people look for when it is done: the movie, or the folder of several.
    ///   - export: is given what to call once the request is accepted.
    private func run(
        _ destination: MovieDestination, output: FilePath,
        _ export: @escaping @Sendable (_ onOpened: @escaping @Sendable () -> Void) async throws -> ExportResult
    ) async throws -> ExportResult {
        guard !isUsed else { throw RushesError(.invalidSettings, "A session exports once; make another.") }
        isUsed = true
        let (status, work) = (self.status, self.work)
        let shown = center.map { show(destination, output: output, in: $0) }
        let task = Task { try await export { shown?.show(.waiting, isPaused: status.snapshot.isPaused) } }
        work.withLock { $0 = task }
        if status.isStopped { task.cancel() }
        let updates = Task { [states = states(updateInterval: Self.updateInterval)] in
            guard let shown else { return }
            for await state in states { shown.show(state, isPaused: status.snapshot.isPaused) }
        }
        let result = await withTaskCancellationHandler {
            await task.result
        } onCancel: {
            Self.cancel(status, work)
        }
        status.report(.ended)
        updates.cancel()
        await updates.value
        shown?.end(result, status.snapshot.wholeProgress)
        return try result.get()
    }

    private func show(
        _ destination: MovieDestination, output: FilePath, in center: ActivityCenter
    ) -> ExportActivity {
        let activity = ExportActivity(
            of: origin, to: destination, output: output, in: center,
            control: { [status, work] wish in
                switch wish {
                case .pause: status.report(.paused(true))
                case .resume: status.report(.paused(false))
                case .cancel: Self.cancel(status, work)
                // Not offered.
                default: break
                }
            }, onStart: onActivity)
        shown.withLock { $0 = activity }
        return activity
    }

    /// Ends the export, which then leaves nothing and throws `CancellationError`.
    public nonisolated func cancel() { Self.cancel(status, work) }

    private static func cancel(_ status: ExportStatus, _ work: Locked<Task<ExportResult, any Error>?>) {
        // The task first: whatever breaks because the export is stopped then counts as a cancellation.
        work.withLock { $0 }?.cancel()
        status.report(.stopped)
    }

    /// Between two updates of the activity.
    private static let updateInterval = Duration.milliseconds(250)

    /// Holds the work until ``resume()``; what is in the encoder is still written.
    public nonisolated func pause() { status.report(.paused(true)) }
    /// Continues after ``pause()``.
    public nonisolated func resume() { status.report(.paused(false)) }
    /// Whether it is held.
    package nonisolated var isPaused: Bool { status.snapshot.isPaused }

    /// How the export stands, at once and then in this interval, until it has ended.
    ///
    /// - Parameter updateInterval: at least ten milliseconds.
    public nonisolated func states(updateInterval: Duration) -> AsyncStream<State> {
        let status = self.status
        let (stream, continuation) = AsyncStream.makeStream(of: State.self, bufferingPolicy: .bufferingNewest(1))
        let task = Task {
            while !Task.isCancelled {
                let now = status.snapshot
                guard now.phase != .ended else { break }
                continuation.yield(now.publicState)
                try? await Task.sleep(for: max(.milliseconds(10), updateInterval))
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
        case .opening where part?.number ?? 1 == 1: .waiting
        case .opening, .exporting, .ended:
            isPaused ? .waiting : .exporting(wholeProgress)
        }
    }

    /// Of all files, where there are several.
    fileprivate var wholeProgress: ExportProgress { part?.all(run.progress) ?? run.progress }
}
