import GStreamer
import Threads

/// The files of one recording, one after the other: hands each packet to the file that it belongs to.
///
/// Each track has one streaming thread, which alone keeps the order of its packets: the lock is held for decisions only, and who
/// waits for a slow disk waits outside it.
final class MovieSequence: Sendable {
    private struct State {
        var router: PartRouter<Sample>
        var current: MovieMuxer
        var next: MovieMuxer?
        var isClosed = false
    }

    private let state: Locked<State>
    /// How much later than it is presented a packet's time is, for each track: what primes its decoder and is marked.
    private let priming: [MediaTime]
    /// Called with a file that gets no more packets and the movie's time at which the next one begins, on a streaming thread.
    private let onComplete: @Sendable (MovieMuxer, _ end: MediaTime) -> Void

    init(
        _ first: MovieMuxer, priming: [MediaTime],
        onComplete: @escaping @Sendable (MovieMuxer, _ end: MediaTime) -> Void
    ) {
        state = Locked(State(router: PartRouter(trackCount: priming.count), current: first))
        self.priming = priming
        self.onComplete = onComplete
    }

    /// The file that ends with the recording: the next one as soon as its beginning is known.
    var last: MovieMuxer { state.withLock { $0.router.boundary == nil ? $0.current : $0.next ?? $0.current } }

    /// The files that are open.
    var all: [MovieMuxer] { state.withLock { [$0.current, $0.next].compactMap(\.self) } }

    /// Goes over to another file, which runs already, with the leading track's first key frame from a movie time on. False while
    /// the last change is under way, or where the leading track has ended.
    func change(to muxer: MovieMuxer, notBefore earliest: MediaTime) -> Bool {
        state.withLock { state in
            guard !state.isClosed, state.router.change(notBefore: earliest) else { return false }
            state.next = muxer
            return true
        }
    }

    /// Begins no other file any more; returns the one that was waited for and that no key frame has begun yet.
    func close() -> MovieMuxer? {
        state.withLock { state in
            state.isClosed = true
            guard state.router.boundary == nil else { return nil }
            _ = state.router.cancel()
            defer { state.next = nil }
            return state.next
        }
    }

    /// Takes a packet of a track, on that track's thread. False if its file takes no more.
    func append(_ packet: Sample, to track: Int) -> Bool {
        let time = packet.runningTime.map { $0 - priming[track] }
        return perform(track) {
            $0.take(packet, of: track, time: time, isKeyFrame: packet.buffer?.isKeyFrame == true)
        }
    }

    /// No packet follows in a track; on that track's thread.
    func end(_ track: Int) { _ = perform(track) { $0.end(track) } }

    private func perform(_ track: Int, _ decide: @Sendable (inout PartRouter<Sample>) -> [PartRouter<Sample>.Action])
        -> Bool
    {
        let (actions, current, next) = state.withLock { state in
            let (current, next, before) = (state.current, state.next, state.router.boundary)
            let actions = decide(&state.router)
            // Before any track's thread has something for it.
            if before == nil, let begin = state.router.boundary { next?.begin(at: begin) }
            if case .complete = actions.last, let next { (state.current, state.next) = (next, nil) }
            return (actions, current, next)
        }
        for action in actions {
            switch action {
            case .write(let packet, let file):
                guard (file == .current ? current : next)?.append(packet, to: track, priming: priming[track]) == true
                else { return false }
            case .end(let track, let file): (file == .current ? current : next)?.end(track)
            case .complete: onComplete(current, next?.begin ?? .zero)
            }
        }
        return true
    }
}
