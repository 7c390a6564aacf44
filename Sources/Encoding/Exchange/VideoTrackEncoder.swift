import GStreamer
import MediaTypes
import Threads

/// Encodes the frames of a movie with one encoder after the other: one that does not keep up gives its place to a faster one, and that
/// one gives it back.
///
/// The new encoder gets all frames that wait, but for two, and so begins with a key frame; the old one works off what it has. Both do so
/// at the same time, each in a pipeline of its own, and their packets go on in the order of the frames, as one stream that one
/// sample description describes.
final class VideoTrackEncoder: Sendable {
    private enum Item: Sendable {
        case frame(Buffer)
        /// What the frames behind are.
        case caps(Caps)
        case end

        var frame: Buffer? { if case .frame(let frame) = self { frame } else { nil } }
    }

    private struct State: Sendable {
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
        /// From which time on a key frame was wanted last, and of which the encoder does not know that began since.
        var keyFrame: MediaTime?
        var laterKeyFrame: MediaTime?
        /// What is done to each pipeline before it starts.
        var preparations: [@Sendable (Pipeline) -> Void]
        var hasEnded = false
        /// Whether the encoder takes no more.
        var isClosed = false
    }

    private let state: Locked<State>
    private let handover: PacketHandover
    private let plan: MoviePlan

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

    private static func encoder(
        _ plan: MoviePlan, _ track: MoviePlan.Track, _ handover: PacketHandover, number: Int
    ) throws -> TrackEncoder {
        try TrackEncoder(plan.encoder(of: track, "video"), name: "video") {
            handover.take($0, of: number)
        } onEnd: {
            handover.end(of: number)
        }
    }

    // MARK: Frames

    /// Hands a frame over; one thread at a time, which ends the frames too. False if no more is taken.
    func push(_ frame: Buffer) -> Bool {
        // It waits where there is no room.
        guard plan.mayChangeEncoder else { return current.source.push(frame) }
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

    /// Hands on to the encoder what waits, two frames ahead of it: all others can still go to another one.
    private func feed(_ state: inout State) {
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

    /// Does so again whenever an encoder has taken a frame.
    private func refill(_ encoder: TrackEncoder) {
        guard plan.mayChangeEncoder else { return }
        _ = encoder.source.element.pad("src")?.addBufferProbe { [weak self] _ in
            self?.state.withLock { self?.feed(&$0) }
            return .pass
        }
    }

    /// Gives the frames that wait to the encoder that is there for them, if there is one.
    private func takeOver(_ state: inout State) {
        guard let next = state.next, let frame = state.waiting.first?.frame else { return }
        let left = state.current
        (state.current, state.previous, state.next) = (next, left, nil)
        state.number = handover.next
        handover.begin()
        // It begins with one.
        if let wanted = state.keyFrame, wanted > frame.presentationTime ?? .zero { state.laterKeyFrame = wanted }
        if let caps = state.caps { next.source.setCaps(caps) }
        left.source.endOfStream()
    }

    /// Asks the new encoder for the key frame that the old one did not come to: GStreamer's base class for encoders (1.22) takes one that it
    /// is asked for before its first packet for its first frame.
    private func requestLaterKeyFrame(before frame: Buffer, _ state: inout State) {
        guard let wanted = state.laterKeyFrame, let time = frame.presentationTime, time >= wanted,
            handover.hasBegun(state.number)
        else { return }
        state.laterKeyFrame = nil
        state.current.encoded?.requestKeyFrame(at: time)
    }

    // MARK: Exchange

    /// Whether the last exchange is still under way.
    var isExchanging: Bool { state.withLock { $0.next != nil } || handover.isUnderWay }

    /// Lets another encoder have the frames that wait, and those that follow.
    ///
    /// - Returns: false while the last exchange is under way, and at the end.
    /// - Throws: ``GStreamerError`` if an element is missing, or refuses a setting or to start; the other encoder goes on then.
    func exchange(for track: MoviePlan.Track) async throws -> Bool {
        guard !isExchanging, !state.withLock({ $0.hasEnded }) else { return false }
        let new = try Self.encoder(plan, track, handover, number: handover.next)
        for prepare in state.withLock({ $0.preparations }) { prepare(new.pipeline) }
        refill(new)
        do { try await new.pipeline.setState(.playing, within: Self.timeout) } catch {
            await new.pipeline.stop(within: MovieWriter.timeout)
            throw error
        }
        let isTaken = state.withLock { state in
            guard !state.hasEnded, state.next == nil else { return false }
            state.next = new
            feed(&state)
            return true
        }
        guard isTaken else {
            await new.pipeline.stop(within: MovieWriter.timeout)
            return false
        }
        Task { [weak self] in
            while self?.isExchanging == true { try? await Task.sleep(for: Self.interval) }
            await self?.retire()
        }
        return true
    }

    /// Stops the encoder that has handed out all it had.
    private func retire() async {
        let left = state.withLock { state in
            defer { state.previous = nil }
            return state.previous
        }
        await left?.pipeline.stop(within: MovieWriter.timeout)
    }

    /// Seconds for an encoder to start.
    private static let timeout = 5.0
    /// How often it is looked how far an exchange has come.
    private static let interval = Duration.milliseconds(100)

    // MARK: Pipelines

    /// All that there are, the first one first.
    var encoders: [TrackEncoder] {
        state.withLock { [$0.current, $0.previous, $0.next].compactMap(\.self) }
    }

    /// Does something to the pipeline of this encoder and of those that follow; before the start.
    func prepare(_ body: @escaping @Sendable (Pipeline) -> Void) {
        let pipeline = state.withLock { state in
            state.preparations.append(body)
            return state.current.pipeline
        }
        body(pipeline)
    }

    /// Asks for a key frame with the first frame from a running time on.
    func requestKeyFrame(at time: MediaTime) {
        let current = state.withLock { state in
            state.keyFrame = time
            return state.current
        }
        current.encoded?.requestKeyFrame(at: time)
    }
}
