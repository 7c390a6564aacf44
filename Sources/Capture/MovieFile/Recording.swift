/// A take that runs, and then the record of how it ended. It goes on when this object is dropped.
public final class Recording: Sendable {
    /// What the take reports, in order, ending after `finished`. For one reader.
    public let events: AsyncStream<RecordingEvent>

    private let causes: AsyncStream<RecordingEndReason>.Continuation
    private let task: Task<RecordingResult, Never>

    init(
        events: AsyncStream<RecordingEvent>, causes: AsyncStream<RecordingEndReason>.Continuation,
        task: Task<RecordingResult, Never>
    ) {
        self.events = events
        self.causes = causes
        self.task = task
    }

    /// Ends the take now: every track up to this moment, then the file is completed. Later calls only wait.
    @discardableResult
    public func stop() async -> RecordingResult {
        causes.yield(.stopped)
        return await task.value
    }

    /// Waits for the take to end.
    public var result: RecordingResult { get async { await task.value } }
}
