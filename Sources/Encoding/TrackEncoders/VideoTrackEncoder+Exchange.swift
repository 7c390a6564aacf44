import GStreamer
import MediaTypes
import Threads

/// Encoders that take each other's place while frames come.
extension VideoTrackEncoder {
    /// Whether the last exchange is still under way, until its old encoder is gone.
    var isExchanging: Bool { state.withLock { $0.next != nil || $0.previous != nil } }

    /// Lets another encoder have the frames that wait, and those that follow.
    ///
    /// - Returns: false while the last exchange is under way, and at the end.
    /// - Throws: ``GStreamerError`` if an element is missing, or refuses a setting or to start; the other encoder goes on then.
    func exchange(for track: MoviePlan.Track) async throws -> Bool {
        guard !isExchanging, !state.withLock({ $0.hasEnded }) else { return false }
        let number = handover.next
        let new = try Self.encoder(plan, track, handover, number: number)
        let known = state.withLock { $0.preparations }
        for prepare in known { prepare(new.pipeline) }
        refill(new)
        do { try await new.pipeline.setState(.playing, within: Self.timeout) } catch {
            await new.pipeline.stop(within: Self.stopTimeout)
            throw error
        }
        let isTaken = state.withLock { state in
            // The last exchange is over, but its encoder may not have been stopped yet; nor may another have come and gone meanwhile, whose
            // number this one has.
            guard !state.hasEnded, state.next == nil, state.previous == nil, handover.next == number else {
                return false
            }
            // What has been asked for while it started.
            for prepare in state.preparations.dropFirst(known.count) { prepare(new.pipeline) }
            state.next = new
            feed(&state)
            return true
        }
        guard isTaken else {
            await new.pipeline.stop(within: Self.stopTimeout)
            return false
        }
        Task { [weak self] in
            while self?.isHandingOver == true { try? await Task.sleep(for: Self.interval) }
            await self?.retire()
        }
        return true
    }

    private var isHandingOver: Bool { state.withLock { $0.next != nil } || handover.isUnderWay }

    /// Stops the encoder that has handed out all it had.
    private func retire() async {
        let left = state.withLock { $0.previous }
        await left?.pipeline.stop(within: Self.stopTimeout)
        state.withLock { $0.previous = nil }
    }

    /// For an encoder to start.
    private static let timeout = Duration.seconds(5)
    /// The same for one to stop; one that hangs is left to a thread of its own.
    private static let stopTimeout = Duration.milliseconds(500)
    /// How often it is looked how far an exchange has come.
    private static let interval = Duration.milliseconds(100)

    /// Gives the frames that wait to the encoder that is there for them, if there is one.
    func takeOver(_ state: inout State) {
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

    /// Asks an encoder for the key frame that was wanted before it had begun: GStreamer's base class for encoders (1.22) takes one that it
    /// is asked for before its first packet for its next frame, and after that hears of no other where it moves the times of frames, as for x264
    /// and x265, by a thousand hours: it takes that frame's for where the last one was wanted.
    func requestLaterKeyFrame(before frame: Buffer, _ state: inout State) {
        guard let wanted = state.laterKeyFrame, let time = frame.presentationTime, time >= wanted,
            handover.hasBegun(state.number)
        else { return }
        state.laterKeyFrame = nil
        state.current.encoded?.requestKeyFrame(at: time)
    }
}
