import Composition
import GStreamer
import Imaging
import MediaTypes
import Threads

/// Frames of a timelapse with its look: those of one time become one, what is shown of them moves, and images grow of them.
///
/// A track like another, as ``ComposedFrames``.
final class LookedFrames: SampleSource {
    fileprivate struct State {
        var mean: FrameMeans?
        var pan: PannedFrames?
        var stamp: StampedFrames?
        /// The newest frame of a time that others may still share.
        var waiting: LookedFrame?
        var absorbed = 0
        var refusal: String?
    }

    private let source: any SampleSource
    private let images: LookImages
    private let state: Locked<State>

    /// - Parameters:
    ///   - images: are begun anew.
    ///   - frameCount: how many come out, for a pan.
    ///   - stamp: what is drawn into each, last.
    init(
        _ source: any SampleSource, _ look: TimelapseLook, images: LookImages, frameCount: Int, stamp: StampedFrames?
    ) {
        (self.source, self.images) = (source, images)
        images.begin()
        state = Locked(
            State(
                mean: look.blend.map { _ in FrameMeans() },
                pan: look.pan.map { PannedFrames($0, frameCount: frameCount) }, stamp: stamp))
    }

    /// The raw formats that it takes, the ones first that others are converted to.
    static let formats = ["I420", "I420_10LE"]

    func ignore() throws(GStreamerError) { try source.ignore() }

    /// How many frames have become part of another.
    var absorbed: Int { state.withLock { $0.absorbed } }
    /// Why frames could not be drawn.
    var failure: GStreamerError? {
        state.withLock { $0.refusal }.map { GStreamerError(element: "look", message: $0) }
    }

    /// Only one thread pulls.
    func pull(within seconds: Double) -> AppSink.Pulled {
        let deadline = ContinuousClock.now + .seconds(seconds)
        return state.withLock { state in
            while true {
                let left = max(0, (deadline - .now) / .seconds(1))
                switch source.pull(within: left) {
                case .sample(let sample):
                    guard let frame = LookedFrame(sample) else {
                        state.refusal = "frames of this kind cannot be drawn: \(sample.caps.map { "\($0)" } ?? "none")"
                        return .end
                    }
                    guard state.mean != nil else { return finish(frame, &state) }
                    guard let done = state.take(frame) else {
                        if left > 0 { continue } else { return .nothing }
                    }
                    return finish(done, &state)
                case .end:
                    guard let last = state.takeLast() else { return .end }
                    return finish(last, &state)
                case .nothing: return .nothing
                }
            }
        }
    }

    private func finish(_ frame: LookedFrame, _ state: inout State) -> AppSink.Pulled {
        images.add(frame)
        do {
            let shown = try state.pan?.apply(to: frame) ?? frame
            return .sample((try state.stamp?.apply(to: shown) ?? shown).sample)
        } catch {
            state.refusal = "\(error)"
            return .end
        }
    }
}

extension LookedFrames.State {
    /// Takes a frame of a time.
    ///
    /// - Returns: the one of the time before, once nothing is added to it any more.
    fileprivate mutating func take(_ frame: LookedFrame) -> LookedFrame? {
        if let time = frame.time, let last = waiting?.time, time == last {
            absorbed += 1
            mean?.add(frame)
            return nil
        }
        let done = takeLast()
        mean?.add(frame)
        waiting = frame
        return done
    }

    fileprivate mutating func takeLast() -> LookedFrame? {
        guard let last = waiting else { return nil }
        waiting = nil
        return mean?.take(like: last) ?? last
    }
}

/// A frame on its way, and what it is.
struct LookedFrame: Sendable {
    var sample: Sample
    var buffer: Buffer
    let format: ComposedFormat

    /// nil for what cannot be drawn.
    init?(_ sample: Sample) {
        guard let buffer = sample.buffer, let format = sample.caps.flatMap({ ComposedFormat($0) }),
            LookedFrames.formats.contains(format.layout.format)
        else { return nil }
        (self.sample, self.buffer, self.format) = (sample, buffer, format)
    }

    var time: MediaTime? { sample.movieTime }

    /// The same moment with other pixels.
    func with(_ buffer: Buffer) -> LookedFrame {
        var frame = self
        frame.buffer = buffer.retimed(
            presentationTime: self.buffer.presentationTime ?? .zero, duration: self.buffer.duration)
        frame.sample = sample.with(frame.buffer, format.caps)
        return frame
    }
}
