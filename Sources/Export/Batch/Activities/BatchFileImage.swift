import LiveActivity
import SystemPackage

/// What is shown of one file of a batch while it is exported.
struct BatchFileImage {
    let activity: Activity
    var isHeld = false
    private var content: ExportContent
    private var shown = ContinuousClock.now

    init(_ activity: Activity, output: FilePath) {
        (self.activity, content) = (activity, ExportContent(output: output))
    }

    var progress: ExportProgress {
        get { content.progress }
        set { content.progress = newValue }
    }

    /// Whether nothing was shown for a second.
    var isQuiet: Bool { .now - shown >= .seconds(1) }

    /// What it shows from now on.
    mutating func show() -> ContentState {
        shown = .now
        return content.state(isPaused: isHeld)
    }

    /// What it shows at its end.
    mutating func final(_ outcome: BatchOutcome) -> ContentState {
        let phase: ContentState.Phase =
            switch outcome.kind {
            case .done, .skipped: .finished
            case .failed: .failed
            case .cancelled: .cancelled
            }
        var state = content.state(phase)
        let isFinished = phase == .finished
        (state.fileIsGood, state.reason) = (isFinished, outcome.reason)
        if isFinished { (state.fraction, state.bytesWritten) = (1, outcome.outputSize) }
        state.message = outcome.notes.isEmpty ? nil : outcome.notes.joined(separator: " ")
        return state
    }
}
