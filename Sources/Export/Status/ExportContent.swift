import GStreamer
import LiveActivity
import MovieFiles
import SystemPackage

/// What an export shows as an activity: its progress in, content states out. Sessions and batches show the same.
struct ExportContent: Sendable {
    var progress = ExportProgress()
    private let output: FilePath
    private let begin = ContinuousClock.now
    private var estimate = ProgressEstimate()

    /// - Parameter output: where the movie will be, for people.
    init(output: FilePath) { self.output = output }

    /// Seconds since it began.
    var elapsed: Double { (.now - begin) / .seconds(1) }

    /// What it shows from now on.
    mutating func state(isPaused: Bool) -> ContentState {
        state(isPaused ? .paused : progress.phase.isWork ? .running : .finishing)
    }

    /// The same with a phase that the progress does not tell.
    mutating func state(_ phase: ContentState.Phase) -> ContentState {
        var state = ContentState(phase: phase, fraction: progress.fraction, elapsed: elapsed)
        state.mediaTime = progress.mediaTime.seconds
        state.mediaDuration = progress.mediaDuration?.seconds
        state.framesWritten = progress.framesWritten
        state.bytesWritten = progress.bytesWritten
        if state.elapsed > 1 {
            state.framesPerSecond = Double(progress.framesWritten) / state.elapsed
            state.speed = progress.mediaTime.seconds / state.elapsed
        }
        state.message = progress.step
        state.thumbnail = progress.thumbnail?.wireText
        state.output = output.wireText
        if let part = progress.part {
            state.subtitle = "Part \(part.number) of \(part.count)"
            (state.completedItems, state.totalItems, state.itemUnit) = (part.number - 1, part.count, .files)
            state.currentItem = part.output.lastComponent.map { FilePath(root: nil, [$0]).wireText }
        }
        estimate.apply(to: &state, at: state.elapsed)
        return state
    }
}
