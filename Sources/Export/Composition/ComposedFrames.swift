import Composition
import EditProjects
import GStreamer
import Imaging
import MediaTypes
import Threads

/// The main movie's frames with those of others drawn in: each with the newest one of every inset that is not later.
///
/// A track like another: frames are decoded by the movies' own pipelines and drawn where they are pulled.
final class ComposedFrames: SampleSource {
    /// An inset's frames, and how its times lie in the main movie.
    struct Inset: Sendable {
        let frames: any SampleSource
        let place: InsetPlace
        /// What makes SDR of its frames, where they are HDR and the main movie is not; `nil` where frames stay as they are.
        let tones: InsetTones?
        /// See ``InsetFrames``.
        let rounding: MediaTime
    }

    fileprivate struct State {
        var compositor: VideoCompositor
        var insets: [InsetFrames<ComposableFrame>]
        var tones: [InsetTones?]
        /// Of each feed's newest frame.
        var formats: [ComposedFormat?]
        /// The next change of the layout.
        var next = 0
        /// A main frame whose insets are not all there.
        var waiting: (sample: Sample, buffer: Buffer, time: MediaTime)?
        var latest: MediaTime?
        var refusal: String?
    }

    private let main: any SampleSource
    private let insets: [Inset]
    private let steps: [MovieComposition.Step]
    private let state: Locked<State>

    /// - Parameters:
    ///   - steps: in order, the first at zero.
    ///   - keepsChroma: whether frames of 4:2:2 stay that.
    init(_ main: any SampleSource, _ insets: [Inset], steps: [MovieComposition.Step], keepsChroma: Bool = false) {
        (self.main, self.insets, self.steps) = (main, insets, steps)
        let begin = steps.first?.choice.layout ?? Layout(.corner(.bottomRight))
        state = Locked(
            State(
                compositor: VideoCompositor(begin, feeds: insets.count + 1, keepsChroma: keepsChroma),
                insets: insets.map { InsetFrames(rounding: $0.rounding) }, tones: insets.map(\.tones),
                formats: [ComposedFormat?](repeating: nil, count: insets.count + 1)))
    }

    func discardSamples() throws(GStreamerError) {
        for source in [main] + insets.map(\.frames) { try source.discardSamples() }
    }

    /// Forgets what was pulled before the movies were sent to another place.
    func forget() {
        state.withLock { state in
            state.insets = insets.map { InsetFrames(rounding: $0.rounding) }
            (state.waiting, state.latest) = (nil, nil)
        }
    }

    /// Which part of the main movie's time each inset was found to cover so far; `nil` for one without frames.
    var spans: [Range<MediaTime>?] { state.withLock { $0.insets.map(\.span) } }

    /// How the light of each inset goes with the main movie's; `nil` where nothing is to be said of that.
    var lights: [InsetTones.Light?] { state.withLock { $0.tones.map { $0?.light } } }

    /// Why frames could not be drawn, in words.
    var refusal: String? { state.withLock { $0.refusal } }

    /// - Throws: ``RushesError`` if a layout cannot be had with these movies. To be asked once a frame has come.
    func check() throws {
        try state.withLock { state in
            for step in steps { try state.compositor.check(step.choice.layout, sizes: state.sizes) }
        }
    }

    /// Only one thread pulls.
    func pull(within limit: Duration) -> AppSink.Pulled {
        let limit = TimeLimit(limit)
        return state.withLock { state in
            if state.waiting == nil {
                switch main.pull(within: limit.left) {
                case .sample(let sample):
                    guard let buffer = sample.buffer else { return .nothing }
                    state.take(sample, buffer)
                case let other: return other
                }
            }
            guard let (sample, buffer, time) = state.waiting else { return .nothing }
            for index in insets.indices {
                while state.insets[index].needsMore(for: time) {
                    let left = limit.left
                    switch insets[index].frames.pull(within: left) {
                    case .sample(let frame): state.add(frame, to: index, insets[index].place)
                    case .end: state.insets[index].end()
                    case .nothing: return .nothing
                    }
                }
            }
            state.waiting = nil
            if let composed = state.compose(sample, buffer, time, steps) { return .sample(composed) }
            state.refusal = state.refusal ?? "there is not enough memory for them"
            return .end
        }
    }
}

extension ComposedFrames.State {
    /// Each feed's; of one that has not begun the main one's.
    var sizes: [VideoSize] {
        formats.map { ($0 ?? formats[0]).map { compositor.shownSize(of: $0) } ?? VideoSize(2, 2) }
    }

    mutating func take(_ sample: Sample, _ buffer: Buffer) {
        _ = format(of: sample.caps, 0)
        let usual = buffer.duration ?? 40 * .millisecond
        let time = sample.movieTime ?? latest.map { $0 + usual } ?? .zero
        // What is drawn into the frame needs no copy of it where nobody else holds it.
        (waiting, latest) = ((sample.withoutData, buffer, time), time)
    }

    mutating func add(_ sample: Sample, to inset: Int, _ place: InsetPlace) {
        guard var buffer = sample.buffer, let time = sample.movieTime else { return }
        var caps = sample.caps
        do { (buffer, caps) = try tones[inset]?.apply(to: buffer, caps, main: formats[0]) ?? (buffer, caps) } catch {
            refusal = refusal ?? "\(error)"
        }
        guard let format = format(of: caps, inset + 1) else { return }
        insets[inset].append(
            ComposableFrame(buffer, format), time: place.mainTime(of: time),
            duration: buffer.duration ?? 40 * .millisecond)
    }

    private mutating func format(of caps: Caps?, _ feed: Int) -> ComposedFormat? {
        guard let caps else { return formats[feed] }
        if formats[feed]?.caps != caps { formats[feed] = ComposedFormat(caps) }
        if formats[feed] == nil { refusal = "\(caps)" }
        return formats[feed]
    }

    mutating func compose(
        _ sample: consuming Sample, _ buffer: consuming Buffer, _ time: MediaTime, _ steps: [MovieComposition.Step]
    ) -> Sample? {
        guard let format = format(of: sample.caps, 0) else { return nil }
        compositor.prepare(like: format)
        while next < steps.count, steps[next].time <= time {
            let (begin, choice) = (steps[next].time - steps[next].choice.elapsed, steps[next].choice)
            if let origin = choice.origin {
                compositor.make(.arrange(origin.layout, order: origin.order), at: begin, over: .zero, sizes: sizes)
            }
            compositor.make(
                .arrange(choice.layout, order: choice.order), at: begin, over: next > 0 ? choice.transition : .zero,
                sizes: sizes)
            next += 1
        }
        let (shown, duration) = (buffer.presentationTime ?? time, buffer.duration)
        let frames = [ComposableFrame(buffer, format)] + insets.map { $0.frame(at: time) }
        guard let composed = compositor.compose(frames, driver: 0, at: time, sizes: sizes),
            let own = compositor.format
        else { return nil }
        return sample.with(composed.retimed(presentationTime: shown, duration: duration), own.caps)
    }
}
