import GStreamer
import Threads
import Workarounds

/// Finds out when all streams of a file have been named and have come out of `parsebin`, and when the first of their packets
/// begins.
///
/// `parsebin` (1.22) gives no sign that it has handed out all streams: it hands each one out when its first packet has been
/// parsed, so one that begins later in the file comes later. What its demuxers have named is counted, and waited for.
final class StreamDiscovery: Sendable {
    /// How much may flow before the streams that are there are taken for all.
    struct Timeout: Sendable, Hashable {
        var packets: Int
        var bytes: Int

        /// Video and audio of a program stream may lie some seconds apart in the file (ISO/IEC 13818-1, 2.5.2: one second).
        static let usual = Timeout(packets: 100, bytes: 16 << 20)
        /// For a file in which a stream is known to begin later than that.
        static let long = Timeout(packets: 20_000, bytes: 128 << 20)
    }

    private struct State {
        var names = StreamNames()
        var packets = 0
        var bytes = 0
        var ended = 0
        /// Of how many streams of video and audio that have come out the first packet is still to come.
        var beginning = 0
        var firstPacket: MediaTime?
        /// Whether no more is waited for.
        var isOver = false
        /// When the last packet ends that a demuxer gave of each stream, by its identifier.
        var ends: [String: MediaTime] = [:]

        var hasBegun: Bool { names.areComplete && beginning == 0 }
    }

    /// Fired once they have been.
    let hasAll = AsyncSignal()
    private let timeout: Timeout
    private let state = Locked(State())

    init(_ timeout: Timeout) { self.timeout = timeout }

    /// When the first packet of video or audio begins, whether a decoder gives anything for it or not.
    var firstPacket: MediaTime? { state.withLock { $0.firstPacket } }

    /// Streams that a demuxer has named and of which nothing has come so far: what `parsebin` has nothing for, and what is empty.
    var silent: [Caps] { state.withLock { $0.names.silent } }

    /// When the last packet ends that a demuxer has given of a stream of audio, in the input's time; nil where nobody knows.
    func end(of identifier: String) -> MediaTime? { state.withLock { $0.ends[identifier] } }

    /// What the streams are called that a demuxer has named.
    var identifiers: [String] { state.withLock { $0.names.identifiers } }

    /// Looks at what `parsebin` puts into itself.
    func watch(_ element: Element) {
        guard let name = element.factoryName, let factory = ElementFactory(name), factory.isDemuxer,
            factory.findsOutputs
        else { return }
        let (state, demuxer) = (state, element.path)
        state.withLock { $0.names.begin(demuxer, holdsTwoAtMost: StreamNames.saysNothing.contains(name)) }
        element.onPadAdded { pad in
            let (caps, identifier) = (pad.currentCaps ?? pad.possibleCaps, pad.streamIdentifier)
            state.withLock { $0.names.add(caps, identifier, of: demuxer) }
            guard let identifier, caps.flatMap(SourceStream.kind) == .audio else { return }
            let isOver = Locked(false)
            _ = pad.addBufferProbe { buffer in
                guard let time = pad.movieTime(of: buffer), !isOver.withLock({ $0 }) else { return .pass }
                let end = time + (buffer.duration?.clamped ?? .zero)
                state.withLock { $0.ends[identifier] = max($0.ends[identifier] ?? end, end) }
                return .pass
            }
            _ = pad.addEndOfStreamProbe {
                isOver.withLock { $0 = true }
                return .remove
            }
        }
        element.onNoMorePads { state.withLock { $0.names.end(demuxer) } }
    }

    /// Looks at one of `parsebin`'s outputs.
    ///
    /// - Parameter caps: of a pad that cannot be asked yet.
    func watch(_ pad: Pad, _ caps: Caps? = nil) {
        let kind = (caps ?? pad.currentCaps ?? pad.possibleCaps).flatMap(SourceStream.kind)
        // Others may have nothing for long.
        let isMedia = kind == .video || kind == .audio
        let isFirst = Locked(true)
        let begins = { @Sendable in
            isFirst.withLock { first in
                defer { first = false }
                return first
            }
        }
        state.withLock { state in
            state.names.came(pad.streamIdentifier)
            if isMedia { state.beginning += 1 }
        }
        _ = pad.addBufferProbe { [weak self] buffer in
            guard let self else { return .remove }
            guard begins() else { return flowed(buffer.byteCount) ? .remove : .pass }
            let (time, identifier) = (isMedia ? pad.movieTime(of: buffer) : nil, pad.streamIdentifier)
            return flowed(buffer.byteCount) { state in
                // What comes once all are thought to be there changes nothing: times count from it by then.
                if let time, !state.isOver { state.firstPacket = min(state.firstPacket ?? time, time) }
                state.names.flows(identifier)
                if isMedia { state.beginning -= 1 }
            } ? .remove : .pass
        }
        _ = pad.addEndOfStreamProbe { [weak self] in
            self?.ended(isEmpty: isMedia && begins())
            return .remove
        }
    }

    /// - Returns: whether nothing more is waited for.
    private func flowed(_ bytes: Int, _ begin: (inout State) -> Void = { _ in }) -> Bool {
        let hasAll = state.withLock { [timeout] state in
            begin(&state)
            state.packets += 1
            state.bytes += bytes
            state.isOver =
                state.isOver || state.hasBegun || state.packets >= timeout.packets || state.bytes >= timeout.bytes
            return state.isOver
        }
        if hasAll { self.hasAll.fire() }
        return hasAll
    }

    private func ended(isEmpty: Bool) {
        let hasAll = state.withLock { state in
            state.ended += 1
            if isEmpty { state.beginning -= 1 }
            state.isOver = state.isOver || state.hasBegun || state.ended >= state.names.cameOut
            return state.isOver
        }
        if hasAll { self.hasAll.fire() }
    }
}
