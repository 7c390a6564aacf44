/// What a recording's tracks report, in order. They hold a lock of their own just then, so nothing is done about it there.
struct RecordingReports: Sendable {
    let all: AsyncStream<RecordingStateMachine.Input>
    private let continuation: AsyncStream<RecordingStateMachine.Input>.Continuation

    init() { (all, continuation) = AsyncStream.makeStream() }

    func put(_ report: RecordingStateMachine.Input) { continuation.yield(report) }
}
