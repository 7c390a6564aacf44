import Composition
import GStreamer
import Threads
import Workarounds

/// Where a track's samples are pulled from: the end of a pipeline, or what Swift makes of several such.
protocol SampleSource: Sendable {
    /// Waits for the next sample. Blocks.
    func pull(within limit: Duration) -> AppSink.Pulled
    /// Lets everything that still comes go to waste, so that nobody waits for a reader of it.
    ///
    /// - Throws: ``GStreamerError`` if the element refuses.
    func discardSamples() throws(GStreamerError)
    /// A sample that was pulled before the first ones of all tracks were there, at its true time.
    func placed(_ sample: Sample) -> Sample
}

extension SampleSource {
    func placed(_ sample: Sample) -> Sample { sample }
}

extension AppSink: SampleSource {}

/// A track's samples at their true times, which count from the file's beginning: its demuxer may count from anywhere, or change its
/// mind on when the file begins.
struct PlacedSamples: SampleSource {
    let source: any SampleSource
    let beginning: MatroskaBeginning
    /// When the file begins, as its demuxer counts.
    let origin: @Sendable () -> MediaTime
    /// How many times as fast the samples are.
    let tempo: Double?

    func discardSamples() throws(GStreamerError) { try source.discardSamples() }
    func placed(_ sample: Sample) -> Sample { beginning.corrected(sample) }

    func pull(within limit: Duration) -> AppSink.Pulled {
        let pulled = source.pull(within: limit)
        guard case .sample(let sample) = pulled else { return pulled }
        let origin = origin()
        let placed = beginning.corrected(sample)
        guard origin > .zero else { return .sample(placed) }
        return .sample(placed.shifted(by: -(tempo.map { MediaTime(seconds: origin.seconds / $0) } ?? origin)))
    }
}

/// A track's decoded frames with other colors.
final class GradedSamples: SampleSource {
    private let source: any SampleSource
    private let grader: Locked<FrameGrader>
    private let onFailure: @Sendable (GStreamerError) -> Void
    private let given = Locked<Caps?>(nil)

    /// What the frames are before; nil as long as none has come.
    var caps: Caps? { given.withLock { $0 } }

    /// - Parameter onFailure: is told why no more frames come.
    init(
        _ source: any SampleSource, _ grader: FrameGrader, onFailure: @escaping @Sendable (GStreamerError) -> Void
    ) {
        (self.source, self.onFailure) = (source, onFailure)
        self.grader = Locked(grader)
    }

    func discardSamples() throws(GStreamerError) { try source.discardSamples() }
    func placed(_ sample: Sample) -> Sample { source.placed(sample) }

    /// Only one thread pulls.
    func pull(within limit: Duration) -> AppSink.Pulled {
        let pulled = source.pull(within: limit)
        guard case .sample(let sample) = pulled else { return pulled }
        return graded(sample).map { .sample($0) } ?? .end
    }

    /// `nil` where it failed.
    func graded(_ sample: Sample) -> Sample? {
        guard let buffer = sample.buffer, let caps = sample.caps else { return sample }
        given.withLock { $0 = $0 ?? caps }
        do {
            let graded = try grader.withLock { try $0.apply(to: buffer, caps) }
            return sample.with(graded.buffer, graded.caps)
        } catch {
            onFailure(error as? GStreamerError ?? GStreamerError(element: "colors", message: "\(error)"))
            return nil
        }
    }
}
