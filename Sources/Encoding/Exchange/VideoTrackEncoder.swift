import GStreamer
import MediaTypes
import Threads

/// Encodes the frames of a movie with one encoder after the other: one that does not keep up gives its place to a faster one, and that
/// one gives it back.
///
/// The new encoder gets the frame that comes next, and so begins with a key frame; the old one works off what waits for it. Both do so
/// at the same time, each in a pipeline of its own, and their packets go on in the order of the frames, as one stream that one
/// sample description describes.
final class VideoTrackEncoder: Sendable {
    private struct State: Sendable {
        var current: TrackEncoder
        /// Works off what waits.
        var previous: TrackEncoder?
        /// Gets the frame that comes next.
        var next: TrackEncoder?
        /// What the frames are.
        var caps: Caps?
        /// From which time on a key frame is wanted.
        var keyFrame: MediaTime?
        /// What is done to each pipeline before it starts.
        var preparations: [@Sendable (Pipeline) -> Void]
        var hasEnded = false
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
        takeOver(at: frame.presentationTime ?? .zero)
        return current.source.push(frame)
    }

    /// No frame follows.
    func endOfStream() {
        let current = state.withLock { state in
            state.hasEnded = true
            return state.current
        }
        current.source.endOfStream()
    }

    /// Changes what the following frames are; on the thread that hands them over.
    func setCaps(_ caps: Caps) {
        state.withLock { $0.caps = caps }
        current.source.setCaps(caps)
    }

    /// Frames that wait to be encoded.
    var waitingFrames: Int {
        let (current, previous) = state.withLock { ($0.current, $0.previous) }
        return current.source.waitingBuffers + (previous?.source.waitingBuffers ?? 0)
    }

    /// The encoder of the next frame.
    var current: TrackEncoder { state.withLock { $0.current } }

    /// Gives the frames from here on to the encoder that waits for them, if there is one.
    private func takeOver(at time: MediaTime) {
        let change = state.withLock { state -> (from: TrackEncoder, to: TrackEncoder, caps: Caps?)? in
            guard let next = state.next else { return nil }
            let left = state.current
            (state.current, state.previous, state.next) = (next, left, nil)
            // It begins with one.
            if let wanted = state.keyFrame, wanted <= time { state.keyFrame = nil }
            handover.begin()
            return (left, next, state.caps)
        }
        guard let change else { return }
        if let caps = change.caps { change.to.source.setCaps(caps) }
        change.from.source.endOfStream()
    }

    // MARK: Exchange

    /// Whether the last exchange is still under way.
    var isExchanging: Bool { state.withLock { $0.next != nil } || handover.isUnderWay }

    /// Lets another encoder have the frames from the next one on.
    ///
    /// - Returns: false while the last exchange is under way, and at the end.
    /// - Throws: ``GStreamerError`` if an element is missing, or refuses a setting or to start; the other encoder goes on then.
    func exchange(for track: MoviePlan.Track) async throws -> Bool {
        guard !isExchanging, !state.withLock({ $0.hasEnded }) else { return false }
        let number = handover.next
        let new = try Self.encoder(plan, track, handover, number: number)
        for prepare in state.withLock({ $0.preparations }) { prepare(new.pipeline) }
        do { try await new.pipeline.setState(.playing, within: Self.timeout) } catch {
            await new.pipeline.stop(within: MovieWriter.timeout)
            throw error
        }
        let isTaken = state.withLock { state in
            guard !state.hasEnded, state.next == nil else { return false }
            state.next = new
            return true
        }
        guard isTaken else {
            await new.pipeline.stop(within: MovieWriter.timeout)
            return false
        }
        Task { [weak self] in
            while self?.handover.hasBegun(number) == false { try? await Task.sleep(for: Self.interval) }
            self?.renewKeyFrame()
            while self?.isExchanging == true { try? await Task.sleep(for: Self.interval) }
            await self?.retire()
        }
        return true
    }

    /// Asks the new encoder for the key frame that is wanted later: GStreamer's base class for encoders (1.22) takes one that it is asked
    /// for before its first packet for its first frame.
    private func renewKeyFrame() {
        let (current, wanted) = state.withLock { ($0.current, $0.keyFrame) }
        if let wanted { current.encoded?.requestKeyFrame(at: wanted) }
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
