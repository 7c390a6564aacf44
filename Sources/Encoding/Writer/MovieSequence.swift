import GStreamer
import Threads
import Workarounds

/// The files of one recording, one after the other: hands each packet to the file that it belongs to.
///
/// Each track has one streaming thread, which alone keeps the order of its packets: the lock is held for decisions only, and who
/// waits for a slow disk waits outside it.
final class MovieSequence: Sendable {
    private struct State {
        var router: PartRouter<Sample>
        /// `nil` while the recording waits for its first file; what comes until that begins is not kept here.
        var current: MovieMuxer?
        var next: MovieMuxer?
        var isClosed = false
        /// Whether no packet goes to any file any more.
        var isAbandoned = false
        /// Where the first file begins in the recording, once it is known.
        var begin: MediaTime?
        /// Packets of the leading track that came before.
        var skipped = 0
        /// Packets of the leading track that have come.
        var leading = 0
        /// Tracks of which a packet has come that a file can begin with.
        var begun: Set<Int> = []
    }

    private let state: Locked<State>
    /// How much later than it is presented a packet's time is, for each track: what primes its decoder and is marked.
    private let priming: [MediaTime]
    /// Called with a file that gets no more packets and the movie's time at which the next one begins, on a streaming thread.
    private let onComplete: @Sendable (MovieMuxer, _ end: MediaTime) -> Void

    init(
        _ first: MovieMuxer?, priming: [MediaTime],
        onComplete: @escaping @Sendable (MovieMuxer, _ end: MediaTime) -> Void
    ) {
        state = Locked(
            State(
                router: PartRouter(trackCount: priming.count), current: first, begin: first == nil ? nil : .zero))
        self.priming = priming
        self.onComplete = onComplete
    }

    /// The file that ends with the recording: the next one as soon as its beginning is known. `nil` before the first.
    var last: MovieMuxer? {
        state.withLock { $0.router.boundary == nil ? $0.current ?? $0.next : $0.next ?? $0.current }
    }

    /// The recording's time at which its first file begins; `nil` while that is not known.
    var begin: MediaTime? { state.withLock { $0.begin } }

    /// Packets of the leading track that came before the first file.
    var skipped: Int { state.withLock { $0.skipped } }

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

    /// Begins no other file any more; returns the one that was waited for and that no key frame has begun yet. The first one's key
    /// frame may still be on its way.
    ///
    /// - Parameter reached: the recording's time up to which frames were handed in, among which a key frame may be on its way too.
    func close(reached: MediaTime = .zero) -> MovieMuxer? {
        state.withLock { state in
            state.isClosed = true
            guard state.router.boundary == nil, state.current != nil, !state.router.isDue(by: reached) else {
                return nil
            }
            _ = state.router.cancel()
            defer { state.next = nil }
            return state.next
        }
    }

    /// Takes out the file before the last one, where a track has come to no end in it. What comes after that goes to none.
    ///
    /// - Returns: it, and the recording's time at which the last one begins; `nil` where there is only one file.
    func abandonCurrent() -> (file: MovieMuxer, end: MediaTime)? {
        state.withLock { state in
            guard state.router.boundary != nil, let current = state.current, let next = state.next else { return nil }
            (state.current, state.next, state.isAbandoned) = (next, nil, true)
            return (current, next.begin)
        }
    }

    /// Takes a packet of a track, on that track's thread. False if its file takes no more.
    func append(_ packet: Sample, to track: Int) -> Bool {
        let time = packet.runningTime.map { $0 - priming[track] }
        let isStart = packet.isGroupStart
        let hasBegun = state.withLock { state in
            if isStart { state.begun.insert(track) }
            if track == 0 { state.leading += 1 }
            return state.begun.contains(track)
        }
        // A file's index names no other key frames: whoever seeks to one sees nothing, or what is broken. Where none has come yet, the
        // parser's are better than none.
        let marked = isStart || !hasBegun || packet.buffer?.isKeyFrame != true ? packet : packet.asDeltaUnit()
        return perform(track) { $0.take(marked, of: track, time: time, isKeyFrame: isStart) }
    }

    /// No packet follows in a track; on that track's thread.
    ///
    /// Where one ends before it is known where the next file begins, it is not known either in which file its last packets are: its end waits
    /// for the leading track's key frame, or for its end.
    func end(_ track: Int) {
        var (leading, limit) = (0, TimeLimit(Self.timeout))
        while !limit.isOver {
            let (isHeld, now) = state.withLock { ($0.router.isHeld(track), $0.leading) }
            guard isHeld else { break }
            if now > leading { (leading, limit) = (now, TimeLimit(Self.timeout)) }
            // The frames of the file before may wait for it.
            _ = perform(track) { $0.release(track) }
            OwnThread.sleep(Self.pause)
        }
        _ = perform(track) { $0.end(track) }
    }

    /// For a leading encoder that lies behind: how long it may hand out nothing, and from one look to the next.
    private static let (timeout, pause) = (Duration.seconds(60), Duration.milliseconds(10))

    private func perform(_ track: Int, _ decide: @Sendable (inout PartRouter<Sample>) -> [PartRouter<Sample>.Action])
        -> Bool
    {
        let (actions, current, next): ([PartRouter<Sample>.Action]?, MovieMuxer?, MovieMuxer?) = state.withLock {
            state in
            guard !state.isAbandoned else { return (nil, nil, nil) }
            let (current, next, before) = (state.current, state.next, state.router.begun.count)
            let actions = decide(&state.router)
            // Before any track's thread has something for it.
            if state.router.begun.count > before {
                next?.begin(at: state.router.begun.time)
                state.begin = state.begin ?? state.router.begun.time
            }
            if case .complete = actions.last, let next { (state.current, state.next) = (next, nil) }
            if current == nil, track == 0 { state.skipped += actions.count { $0.isWriteToCurrent } }
            return (actions, current, next)
        }
        guard let actions else { return false }
        for action in actions {
            switch action {
            case .write(let packet, let file):
                // Before the first file there is none to write to.
                guard let muxer = file == .current ? current : next else { continue }
                guard muxer.append(packet, to: track, priming: priming[track]) else { return false }
            case .end(let track, let file): (file == .current ? current : next)?.end(track)
            case .complete: if let current { onComplete(current, next?.begin ?? .zero) }
            }
        }
        return true
    }
}

extension PartRouter.Action {
    fileprivate var isWriteToCurrent: Bool { if case .write(_, .current) = self { true } else { false } }
}
