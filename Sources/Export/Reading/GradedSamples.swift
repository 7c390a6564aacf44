import Composition
import GStreamer
import Imaging
import Threads

/// A track's decoded frames with the colors of a look-up table.
final class GradedSamples: SampleSource {
    private let source: any SampleSource
    private let grader: Locked<FrameGrader>
    private let onFailure: @Sendable (GStreamerError) -> Void

    /// - Parameter onFailure: is told why no more frames come.
    init(
        _ source: any SampleSource, _ table: LookupTable, onFailure: @escaping @Sendable (GStreamerError) -> Void
    ) {
        (self.source, self.onFailure) = (source, onFailure)
        grader = Locked(FrameGrader(table))
    }

    func ignore() throws(GStreamerError) { try source.ignore() }

    /// Only one thread pulls.
    func pull(within seconds: Double) -> AppSink.Pulled {
        let pulled = source.pull(within: seconds)
        guard case .sample(let sample) = pulled, let buffer = sample.buffer, let caps = sample.caps else {
            return pulled
        }
        do {
            return .sample(sample.with(try grader.withLock { try $0.apply(to: buffer, caps) }, caps))
        } catch {
            onFailure(error as? GStreamerError ?? GStreamerError(element: "look-up table", message: "\(error)"))
            return .end
        }
    }
}
