import Composition
import GStreamer
import Imaging
import MediaTypes
import Threads

/// Frames of a timelapse with its look: those of one time become one, what is shown of them moves, and images grow of them.
///
/// A track like another, as ``ComposedFrames``.
final class TimelapseFilters: SampleSource {
    fileprivate struct State {
        var mean: BlendFilter?
        var light: LightFilter?
        var grader: FrameGrader?
        var pan: PanFilter?
        var stamp: StampFilter?
        /// The newest frame of a time that others may still share.
        var waiting: TimelapseFrame?
        /// Of the newest frame.
        var format: ComposedFormat?
        var absorbed = 0
        var refusal: String?
    }

    private let source: any SampleSource
    private let images: TimelapseImages
    private let state: Locked<State>

    /// - Parameters:
    ///   - images: are begun anew.
    ///   - frameCount: how many come out, for a pan.
    ///   - light: what becomes of their light; nil: nothing.
    ///   - lookupTable: what their colors are looked up in, also for the images.
    ///   - stamp: what is drawn into each, last.
    init(
        _ source: any SampleSource, _ look: TimelapseLook, images: TimelapseImages, frameCount: Int,
        light: LightFilter?, lookupTable: LookupTable?, stamp: StampFilter?
    ) {
        (self.source, self.images) = (source, images)
        images.begin()
        state = Locked(
            State(
                mean: look.blend.map { _ in BlendFilter() }, light: light, grader: lookupTable.map { FrameGrader($0) },
                pan: look.pan.map { PanFilter($0, frameCount: frameCount) }, stamp: stamp))
    }

    /// The raw formats that it takes, the ones first that others are converted to.
    static let formats = ["I420", "I420_10LE"]
    static var caps: Caps {
        get throws(GStreamerError) { try Caps("video/x-raw,format={ \(formats.joined(separator: ", ")) }") }
    }

    func discardSamples() throws(GStreamerError) { try source.discardSamples() }

    /// How many frames have become part of another.
    var absorbed: Int { state.withLock { $0.absorbed } }
    /// Whether a stamp did not fit into its frame.
    var isStampCut: Bool { state.withLock { $0.stamp?.isCut ?? false } }
    /// Why frames could not be drawn.
    var failure: GStreamerError? {
        state.withLock { $0.refusal }.map { GStreamerError(element: "look", message: $0) }
    }

    /// Only one thread pulls.
    func pull(within limit: Duration) -> AppSink.Pulled {
        let limit = TimeLimit(limit)
        return state.withLock { state in
            while true {
                let left = limit.left
                switch source.pull(within: left) {
                case .sample(let sample):
                    guard let frame = state.frame(sample) else {
                        state.refusal = "frames of this kind cannot be drawn: \(sample.caps.map { "\($0)" } ?? "none")"
                        return .end
                    }
                    let done = state.mean == nil ? frame : state.take(frame)
                    if let result = done.flatMap({ finish($0, &state) }) { return result }
                    if left == .zero { return .nothing }
                case .end:
                    return state.takeLast().flatMap { finish($0, &state) } ?? .end
                case .nothing: return .nothing
                }
            }
        }
    }

    /// - Returns: nil for a frame that is left out.
    private func finish(_ frame: TimelapseFrame, _ state: inout State) -> AppSink.Pulled? {
        do {
            guard let frame = state.light == nil ? frame : try state.light?.apply(to: frame) else { return nil }
            let graded = try state.grader?.apply(to: frame) ?? frame
            images.add(graded)
            let shown = try state.pan?.apply(to: graded) ?? graded
            let stamped = try state.stamp?.apply(to: shown) ?? shown
            return .sample((state.light?.placed(stamped) ?? stamped).sample)
        } catch {
            state.refusal = "\(error)"
            return .end
        }
    }
}

extension TimelapseFilters.State {
    /// nil for what cannot be drawn.
    fileprivate mutating func frame(_ sample: Sample) -> TimelapseFrame? {
        if let caps = sample.caps, caps != format?.caps {
            format = ComposedFormat(caps).flatMap { TimelapseFilters.formats.contains($0.layout.format) ? $0 : nil }
        }
        guard let buffer = sample.buffer, let format else { return nil }
        return TimelapseFrame(sample: sample, buffer: buffer, format: format)
    }

    /// Takes a frame of a time.
    ///
    /// - Returns: the one of the time before, once nothing is added to it any more.
    fileprivate mutating func take(_ frame: TimelapseFrame) -> TimelapseFrame? {
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

    fileprivate mutating func takeLast() -> TimelapseFrame? {
        guard let last = waiting else { return nil }
        waiting = nil
        return mean?.take(like: last) ?? last
    }
}

extension FrameGrader {
    fileprivate mutating func apply(to frame: TimelapseFrame) throws -> TimelapseFrame {
        var frame = frame
        frame.buffer = try apply(to: frame.buffer, frame.format.caps).buffer
        frame.sample = frame.sample.with(frame.buffer, frame.format.caps)
        return frame
    }
}

/// A frame on its way, and what it is.
struct TimelapseFrame: Sendable {
    var sample: Sample
    var buffer: Buffer
    let format: ComposedFormat

    var time: MediaTime? { sample.movieTime }

    /// The same moment with other pixels.
    func with(_ buffer: Buffer) -> TimelapseFrame {
        var frame = self
        frame.buffer = buffer.retimed(
            presentationTime: self.buffer.presentationTime ?? .zero, duration: self.buffer.duration)
        frame.sample = sample.with(frame.buffer, format.caps)
        return frame
    }
}
