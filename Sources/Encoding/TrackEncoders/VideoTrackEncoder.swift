import GStreamer
import MediaTypes
import Threads

/// Encodes the frames of a movie with one encoder at a time: one that does not keep up is replaced by a faster one, and takes over again
/// later.
///
/// The new encoder gets all frames that wait, but for two, and so begins with a key frame; the old one works off what it has. Both do so
/// at the same time, each in a pipeline of its own, and their packets go on in the order of the frames, as one stream that one
/// sample description describes.
final class VideoTrackEncoder: Sendable {
    enum Item: Sendable {
        case frame(Buffer)
        /// What the frames behind are.
        case caps(Caps)
        case end

        var frame: Buffer? { if case .frame(let frame) = self { frame } else { nil } }
    }

    struct State: Sendable {
        var current: TrackEncoder
        /// Works off what it has.
        var previous: TrackEncoder?
        /// Gets the frames that wait.
        var next: TrackEncoder?
        /// What no encoder has yet.
        var waiting: [Item] = []
        /// What the frames are, where that was changed.
        var caps: Caps?
        /// The current encoder's number.
        var number = 0
        /// From which time on a key frame was wanted last, and one that the current encoder has yet to be asked for.
        var keyFrame: MediaTime?
        var laterKeyFrame: MediaTime?
        /// What is done to each pipeline, before it starts if it is known by then.
        var preparations: [@Sendable (Pipeline) -> Void]
        var hasEnded = false
        /// Whether the encoder takes no more.
        var isClosed = false
    }

    let state: Locked<State>
    let handover: PacketHandover
    let plan: MoviePlan

    /// Builds the first encoder of a plan with frames.
    ///
    /// - Parameters:
    ///   - prepare: what is done to each pipeline before it starts.
    ///   - onPacket: takes each packet on a streaming thread, and may make it wait; false ends the stream with an error.
    ///   - onEnd: called after the last packet.
    /// - Throws: ``GStreamerError`` if an element is missing or refuses a setting.
    init(
        _ plan: MoviePlan, _ track: MoviePlan.Track, prepare: @escaping @Sendable (Pipeline) -> Void,
        onPacket: @escaping @Sendable (Sample) -> Bool, onEnd: @escaping @Sendable () -> Void
    ) throws {
        self.plan = plan
        let handover = PacketHandover(holdsSets: plan.isMatroska, onPacket: onPacket, onEnd: onEnd)
        self.handover = handover
        let first = try Self.encoder(plan, track, handover, number: 0)
        prepare(first.pipeline)
        state = Locked(State(current: first, preparations: [prepare]))
        refill(first)
    }

    static func encoder(
        _ plan: MoviePlan, _ track: MoviePlan.Track, _ handover: PacketHandover, number: Int
    ) throws -> TrackEncoder {
        try TrackEncoder(plan.encoder(of: track, "video"), name: "video", isLive: plan.purpose == .live) {
            handover.take($0, of: number)
        } onEnd: {
            handover.end(of: number)
        }
    }

    // MARK: Frames

    /// Hands a frame over; one thread at a time, which ends the frames too. False if no more is taken.
    func push(_ frame: Buffer) -> Bool {
        guard plan.mayChangeEncoder else {
            state.withLock { requestLaterKeyFrame(before: frame, &$0) }
            // Blocks while the encoder's queue is full.
            return current.source.push(frame)
        }
        return put(.frame(frame))
    }

    /// No frame follows.
    func endOfStream() {
        state.withLock { $0.hasEnded = true }
        _ = put(.end)
    }

    /// Changes what the following frames are; on the thread that hands them over.
    func setCaps(_ caps: Caps) { _ = put(.caps(caps)) }

    /// Frames that wait to be encoded.
    var waitingFrames: Int {
        state.withLock { state in
            state.waiting.count { $0.frame != nil } + state.current.source.waitingBuffers
                + (state.previous?.source.waitingBuffers ?? 0)
        }
    }

    /// The encoder of the next frame.
    var current: TrackEncoder { state.withLock { $0.current } }

    private func put(_ item: Item) -> Bool {
        state.withLock { state in
            state.waiting.append(item)
            feed(&state)
            return !state.isClosed
        }
    }

    /// Passes waiting frames to the encoder, two at most ahead of it: the others can still go to another encoder.
    func feed(_ state: inout State) {
        takeOver(&state)
        while let item = state.waiting.first {
            if item.frame != nil, plan.mayChangeEncoder, state.current.source.waitingBuffers >= Self.ahead { return }
            state.waiting.removeFirst()
            switch item {
            case .frame(let frame):
                requestLaterKeyFrame(before: frame, &state)
                state.isClosed = !state.current.source.push(frame)
            case .caps(let caps):
                state.caps = caps
                state.current.source.setCaps(caps)
            case .end: state.current.source.endOfStream()
            }
        }
    }

    private static let ahead = 2

    /// Calls ``feed(_:)`` whenever an encoder has taken a frame.
    func refill(_ encoder: TrackEncoder) {
        guard plan.mayChangeEncoder else { return }
        _ = encoder.source.element.pad("src")?.addBufferProbe { [weak self] _ in
            self?.state.withLock { self?.feed(&$0) }
            return .pass
        }
    }

    // MARK: Pipelines

    /// All that there are, the first one first.
    var encoders: [TrackEncoder] {
        state.withLock { [$0.current, $0.previous, $0.next].compactMap(\.self) }
    }

    /// Does something to the pipelines of the encoders that there are, one that works off what it has included, and of those that follow.
    func prepare(_ body: @escaping @Sendable (Pipeline) -> Void) {
        let pipelines = state.withLock { state in
            state.preparations.append(body)
            return [state.current, state.previous, state.next].compactMap { $0?.pipeline }
        }
        for pipeline in pipelines { body(pipeline) }
    }

    /// Asks for a key frame with the first frame from a running time on.
    func requestKeyFrame(at time: MediaTime) {
        let asked = state.withLock { state -> TrackEncoder? in
            state.keyFrame = time
            guard handover.hasBegun(state.number) else {
                state.laterKeyFrame = time
                return nil
            }
            return state.current
        }
        asked?.encoded?.requestKeyFrame(at: time)
    }
}
