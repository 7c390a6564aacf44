public import SystemPackage

/// A take that runs, and then the record of how it ended. It goes on when this object is dropped.
public final class Recording: Sendable {
    /// What the take reports, in order, ending after `finished`. For one reader.
    public let events: AsyncStream<RecordingEvent>

    private let place: @Sendable () -> FilePath?
    private let causes: AsyncStream<RecordingEndReason>.Continuation
    private let mark: @Sendable (String?) -> Void
    private let task: Task<RecordingResult, Never>

    init(
        events: AsyncStream<RecordingEvent>, causes: AsyncStream<RecordingEndReason>.Continuation,
        mark: @escaping @Sendable (String?) -> Void, place: @escaping @Sendable () -> FilePath?,
        task: Task<RecordingResult, Never>
    ) {
        self.place = place
        self.mark = mark
        self.events = events
        self.causes = causes
        self.task = task
    }

    /// Where its file is now, which beside an old one of the name is another place than in the end; `nil` once it is complete.
    public var path: FilePath? { place() }

    /// Ends the take now: every track up to this moment, then the file is completed. Later calls only wait.
    @discardableResult
    public func stop() async -> RecordingResult {
        causes.yield(.stopped)
        return await task.value
    }

    /// Names the present place in the movie, which gets a chapter there. Told as ``RecordingEvent/marked(_:)``; ignored
    /// before the first frame and after the end. Only QuickTime and MP4 files keep it.
    ///
    /// - Parameter title: left out, "Chapter 1" and so on.
    public func mark(_ title: String? = nil) { mark(title) }

    /// Waits for the take to end.
    public var result: RecordingResult { get async { await task.value } }
}
