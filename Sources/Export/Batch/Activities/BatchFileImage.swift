import GStreamer
import LiveActivity
import MovieFiles
import SystemPackage

/// What is shown of one file of a batch while it is exported.
struct BatchFileImage {
    let activity: Activity
    var progress = ExportProgress()
    var isHeld = false
    private let output: FilePath
    private let begin = ContinuousClock.now
    private var shown = ContinuousClock.now
    private var estimate = ProgressEstimate()

    init(_ activity: Activity, output: FilePath) { (self.activity, self.output) = (activity, output) }

    /// Whether nothing was shown for a second.
    var isQuiet: Bool { .now - shown >= .seconds(1) }

    private var elapsed: Double { (.now - begin) / .seconds(1) }

    /// What it shows from now on.
    mutating func show() -> ContentState {
        var state = filled(
            ContentState(
                phase: isHeld ? .paused : progress.phase.isWork ? .running : .finishing, fraction: progress.fraction,
                elapsed: elapsed))
        state.message = progress.step
        estimate.apply(to: &state, at: state.elapsed)
        shown = .now
        return state
    }

    /// What it shows at its end.
    func final(_ outcome: BatchOutcome) -> ContentState {
        let phase: ContentState.Phase =
            switch outcome.kind {
            case .done, .skipped: .finished
            case .failed: .failed
            case .cancelled: .cancelled
            }
        let isFinished = phase == .finished
        var state = filled(ContentState(phase: phase, fraction: isFinished ? 1 : nil, elapsed: elapsed))
        state.fileIsGood = isFinished
        state.reason = outcome.reason
        state.thumbnail = nil
        if isFinished { state.bytesWritten = outcome.outputSize }
        if !outcome.notes.isEmpty { state.message = outcome.notes.joined(separator: " ") }
        return state
    }

    private func filled(_ empty: ContentState) -> ContentState {
        var state = empty
        state.mediaTime = progress.mediaTime.seconds
        state.mediaDuration = progress.mediaDuration?.seconds
        state.framesWritten = progress.framesWritten
        state.bytesWritten = progress.bytesWritten
        state.thumbnail = progress.thumbnail?.wireText
        state.output = output.wireText
        guard state.elapsed > 0 else { return state }
        state.framesPerSecond = Double(progress.framesWritten) / state.elapsed
        state.speed = progress.mediaTime.seconds / state.elapsed
        return state
    }
}
