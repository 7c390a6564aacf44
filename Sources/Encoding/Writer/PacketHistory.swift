import GStreamer
package import MediaTypes
import Threads
import Workarounds

/// Keeps the last packets of a recording's encoders in memory, for a pre-roll and for replays.
///
/// Packets are copied, so that an encoder or a camera gets its buffers back. Without a file they go no further. When the recording's
/// file is there, threads of its own hand over what was kept, and what comes meanwhile waits behind it; then each track's thread
/// does again.
final class PacketHistory: Sendable {
    private enum Item: Sendable {
        case packet(Sample, bytes: Int)
        case end
    }

    private enum Mode: Sendable { case keeping, replaying, passing }

    /// One track on its way to the file.
    private struct Lane: Sendable {
        var mode: Mode
        /// What is handed over next, and how much of it has been.
        var waiting: [Item] = []
        var done = 0
        var bytes = 0
        var hasEnded = false

        mutating func wait(_ item: Item) {
            waiting.append(item)
            if case .packet(_, let count) = item { bytes += count }
        }

        /// The next item to replay; `nil` when the queue is empty, and the lane then passes packets through.
        mutating func next() -> Item? {
            guard mode == .replaying, done < waiting.count else {
                if mode == .replaying { mode = .passing }
                (waiting, done, bytes) = ([], 0, 0)
                return nil
            }
            defer { done += 1 }
            if done > 500 {
                waiting.removeFirst(done)
                done = 0
            }
            if case .packet(_, let count) = waiting[done] { bytes -= count }
            return waiting[done]
        }
    }

    private struct State: Sendable {
        var ring: PacketRing<Sample>
        var lanes: [Lane]
        /// Packets of the leading track that no file gets.
        var skipped = 0
        var handedOver = 0
        var hasFailed = false
        var isForgotten = false
    }

    private let state: Locked<State>
    private let sequence: MovieSequence
    /// How much later than it is presented a packet's time is, for each track.
    private let priming: [MediaTime]
    /// Bytes that are kept at most.
    let limit: Int

    /// Between two looks of an encoder that waits for the disk.
    private static let nap = Duration.milliseconds(10)

    /// - Parameter isStandby: whether there is no file yet.
    init(_ kept: KeptHistory, _ sequence: MovieSequence, priming: [MediaTime], isStandby: Bool) {
        (self.sequence, self.priming, limit) = (sequence, priming, kept.limit)
        let ring = PacketRing<Sample>(trackCount: priming.count, duration: kept.duration, limit: kept.limit)
        let lane = Lane(mode: isStandby ? .keeping : .passing)
        state = Locked(State(ring: ring, lanes: Array(repeating: lane, count: priming.count)))
    }

    // MARK: Packets

    /// Takes a packet of a track, on that track's thread. False if its file takes no more.
    func append(_ packet: Sample, to track: Int) -> Bool {
        let entry = entry(packet, track)
        let (mode, hasFailed) = state.withLock { state in
            if let entry, !state.isForgotten { state.ring.append(entry) }
            let mode = state.lanes[track].mode
            switch mode {
            case .keeping: if track == 0 { state.skipped += 1 }
            case .replaying: state.lanes[track].wait(.packet(entry?.packet ?? packet, bytes: entry?.bytes ?? 0))
            case .passing: break
            }
            return (mode, state.hasFailed)
        }
        if mode == .passing { return sequence.append(packet, to: track) }
        // A disk that is too slow for what comes holds the encoder up, as it does without a history.
        while state.withLock({ $0.lanes[track].mode == .replaying && $0.lanes[track].bytes > limit }) {
            OwnThread.sleep(Self.nap)
        }
        return !hasFailed
    }

    private func entry(_ packet: Sample, _ track: Int) -> PacketRing<Sample>.Entry? {
        guard let buffer = packet.buffer, let caps = packet.caps else { return nil }
        return PacketRing.Entry(
            packet.with(buffer.copied(), caps), track: track, time: packet.runningTime.map { $0 - priming[track] },
            duration: buffer.duration ?? .zero, isKeyFrame: packet.isGroupStart, bytes: buffer.byteCount)
    }

    /// No packet follows in a track; on that track's thread.
    func end(_ track: Int) {
        let mode = state.withLock { state in
            state.lanes[track].hasEnded = true
            if state.lanes[track].mode == .replaying { state.lanes[track].wait(.end) }
            return state.lanes[track].mode
        }
        if mode == .passing { sequence.end(track) }
    }

    // MARK: The recording's file

    /// Keeps all packets from a time on, however old they become, until ``release(_:)`` of that time.
    func hold(from time: MediaTime) { state.withLock { $0.ring.hold(from: time) } }
    func release(_ time: MediaTime) { state.withLock { $0.ring.release(time) } }

    /// Where a file begins that is to begin at a time: with the newest key frame at that time or before; `nil` where none is kept.
    func begin(from time: MediaTime) -> MediaTime? { state.withLock { $0.ring.packets(from: time)?.begin } }

    /// Hands over what is kept from a time on, and all that comes; the sequence has been told of the file. Once.
    ///
    /// Each track has a thread: where one's encoder lies far behind, the muxer takes no more of the others until it has come.
    func open(from time: MediaTime) {
        let tracks = state.withLock { state in
            guard state.lanes.allSatisfy({ $0.mode == .keeping }), !state.hasFailed else { return 0..<0 }
            for track in state.lanes.indices { state.lanes[track].mode = .replaying }
            for entry in state.ring.packets(from: time)?.entries ?? [] {
                if entry.track == 0 { state.skipped -= 1 }
                state.lanes[entry.track].wait(.packet(entry.packet, bytes: entry.bytes))
            }
            for track in state.lanes.indices where state.lanes[track].hasEnded { state.lanes[track].wait(.end) }
            return state.lanes.indices
        }
        for track in tracks where !OwnThread.run("rushes-pre-roll", { self.replay(track) }) { fail() }
    }

    private func replay(_ track: Int) {
        while let item = next(track) {
            switch item {
            case .packet(let packet, _): guard sequence.append(packet, to: track) else { return fail() }
            case .end: sequence.end(track)
            }
        }
    }

    private func next(_ track: Int) -> Item? {
        state.withLock { state in
            state.handedOver += 1
            return state.lanes[track].next()
        }
    }

    private func fail() {
        state.withLock { state in
            state.hasFailed = true
            for track in state.lanes.indices { state.lanes[track].mode = .keeping }
        }
    }

    // MARK: What is kept

    /// Lets go of all that is kept, and keeps nothing more: the recording is over.
    func forget() {
        state.withLock { state in
            state.isForgotten = true
            state.ring.removeAll()
            for track in state.lanes.indices {
                (state.lanes[track].waiting, state.lanes[track].done, state.lanes[track].bytes) = ([], 0, 0)
            }
        }
    }

    /// Whether it was told to.
    var isForgotten: Bool { state.withLock { $0.isForgotten } }

    /// What a file consists of that begins with a time or the key frame before, and ends with another.
    func packets(_ range: Range<MediaTime>) -> PacketRing<Sample>.Span? {
        state.withLock { $0.ring.packets(from: range.lowerBound, until: range.upperBound) }
    }

    /// The time that every track has come to.
    var end: MediaTime { state.withLock { $0.ring.end } }
    /// How much is kept, and whether that is less than was asked for because of its bytes.
    var kept: (span: MediaTime, isCut: Bool) { state.withLock { ($0.ring.span, $0.ring.isCut) } }
    /// Packets of the leading track that no file got, as the recording had not begun.
    var skipped: Int { state.withLock { $0.skipped } }
    /// Changes while what was kept is handed over.
    var handedOver: Int { state.withLock { $0.handedOver } }
}

/// How much of the past a recording keeps in memory.
package struct KeptHistory: Sendable, Equatable {
    package var duration: MediaTime
    /// Bytes at most.
    package var limit: Int

    package init(duration: MediaTime, limit: Int) { (self.duration, self.limit) = (duration, limit) }
}
