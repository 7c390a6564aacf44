import GStreamer
import MovieFiles
import Threads

/// Hands on the packets of encoders that follow each other in one track, as if one had made them all.
final class PacketHandover: Sendable {
    fileprivate struct State: Sendable {
        var order = EncoderHandover<Sample>()
        /// The newest encoder that has handed out a packet.
        var begun: Int?
        /// Of all packets from now on, and the encoder whose own those were.
        var caps: Caps?
        var first = 0
        /// What its packets need, of each kind of encoder that there was, by what that says of itself. `nil` where it is none of those
        /// that parameter sets describe.
        var streams: [[UInt8]: ContinuedStream?] = [:]
        /// Of the newest encoder.
        var newest: (encoder: Int, caps: Caps, stream: ContinuedStream?)?
    }

    private let state = Locked(State())
    /// Whether parameter sets stand before key frames too.
    private let holdsSets: Bool
    private let onPacket: @Sendable (Sample) -> Bool
    private let onEnd: @Sendable () -> Void

    /// - Parameters:
    ///   - holdsSets: whether each key frame of a later encoder has its parameter sets before it, for containers whose description
    ///     cannot be changed any more.
    ///   - onPacket: takes each packet on a streaming thread; false ends the stream with an error.
    ///   - onEnd: called after the last packet.
    init(holdsSets: Bool, onPacket: @escaping @Sendable (Sample) -> Bool, onEnd: @escaping @Sendable () -> Void) {
        (self.holdsSets, self.onPacket, self.onEnd) = (holdsSets, onPacket, onEnd)
    }

    /// Whether an encoder still hands out what it has of the frames before the last exchange.
    var isUnderWay: Bool { state.withLock { $0.order.isUnderWay } }

    /// The number of the encoder that follows the newest one.
    var next: Int { state.withLock { $0.order.next } }

    /// Whether an encoder has handed out a packet.
    func hasBegun(_ encoder: Int) -> Bool { state.withLock { $0.begun.map { $0 >= encoder } ?? false } }

    /// That one gets the frames from now on. Not while an exchange is under way.
    func begin() { state.withLock { $0.order.begin() } }

    /// Takes a packet of an encoder.
    func take(_ packet: Sample, of encoder: Int) -> Bool {
        let goesOn = state.withLock { state in
            state.begun = max(state.begun ?? encoder, encoder)
            return state.order.take(packet, of: encoder)
        }
        return !goesOn || handOn(packet, of: encoder)
    }

    /// Not before it is its turn: of an encoder that is slow to begin nothing is known until then.
    private func handOn(_ packet: Sample, of encoder: Int) -> Bool {
        let isFirst = state.withLock { state in
            if state.caps == nil { (state.caps, state.first) = (packet.caps, encoder) }
            return state.first == encoder
        }
        return onPacket(isFirst ? packet : continued(packet, encoder))
    }

    /// The end of an encoder.
    func end(of encoder: Int) {
        var next = state.withLock { $0.order.end(of: encoder) }
        while case .packets(let packets) = next {
            // Those that wait are the newest one's. What is not taken any more has been told as the file's failure.
            let newest = self.next - 1
            for packet in packets where !handOn(packet, of: newest) { break }
            next = state.withLock { $0.order.following() }
        }
        if case .end = next { onEnd() }
    }

    /// A later encoder's packet as one of the first. One that cannot be read goes on as it is, which is what a decoder gets from a camera.
    private func continued(_ packet: Sample, _ encoder: Int) -> Sample {
        guard let caps = packet.caps, let buffer = packet.buffer else { return packet }
        let (stream, all) = state.withLock { ($0.stream(of: encoder, caps), $0.caps ?? caps) }
        guard let stream else { return packet }
        let bytes = (try? buffer.withBytes { stream.packet($0, holdsSets: holdsSets && buffer.isKeyFrame) }) ?? nil
        return packet.with(bytes.map { buffer.replacingBytes(with: $0) } ?? buffer, all)
    }
}

extension PacketHandover.State {
    /// How the packets of an encoder are continued, of what it says of itself.
    fileprivate mutating func stream(of encoder: Int, _ caps: Caps) -> ContinuedStream? {
        if let newest, newest.encoder == encoder, newest.caps == caps { return newest.stream }
        guard let own = caps.codecData, let all = self.caps, let others = all.codecData else { return nil }
        let found: ContinuedStream?
        if let known = streams[own] {
            found = known
        } else {
            found = ContinuedStream(own, after: others, isHEVC: VideoCodec(caps: caps) == .hevc)
            streams[own] = found
            if let found, found.codecData != others { self.caps = all.with(codecData: found.codecData) }
        }
        newest = (encoder, caps, found)
        return found
    }
}
