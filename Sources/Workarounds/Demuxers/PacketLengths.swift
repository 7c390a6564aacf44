package import GStreamer
import MovieFiles

/// GStreamer 1.22, flacparse and matroskademux: goes with the version in which they tell how long packets are; `WorkaroundTests` “flacparse, the last block” and “matroskademux, packets that share a block”.
///
/// How long copied packets of FLAC, Vorbis and Opus last, as they say themselves: flacparse (1.22) takes the last block, which is shorter, for one as
/// long as the others, and of packets that share a block of Matroska, as mkvmerge writes them, matroskademux tells no length and only the first
/// one's time.
package struct PacketLengths: Sendable {
    private enum Codec { case flac(rate: Int), ogg(OggPacketLengths) }
    private var codec: Codec
    private var isFirst = true
    /// Whether what is cut off from a packet's end counts, which a muxer of GStreamer's is told by the packet itself.
    private let cutsEnd: Bool
    private enum Priming { case none, awaited, counted(MediaTime) }
    /// How much came before the next packet, while it only primes the decoder.
    private var priming = Priming.none

    /// - Returns: nil for other audio, and for Vorbis and Opus whose caps lack the packets that they begin with.
    package init?(_ caps: Caps, cutsEnd: Bool = false) {
        self.cutsEnd = cutsEnd
        switch caps.first?.name {
        case "audio/x-flac":
            guard let rate = caps.first?["rate"]?.intValue, rate > 0 else { return nil }
            codec = .flac(rate: rate)
        case "audio/x-vorbis", "audio/x-opus":
            let headers = caps.streamHeaders
            guard let first = headers.first, var lengths = OggPacketLengths(first) else { return nil }
            for header in headers.dropFirst() { _ = lengths.next(header) }
            codec = .ogg(lengths)
        default: return nil
        }
    }

    /// Of Opus in Ogg, how much lies before the time 0, where oggdemux (1.22) clips it: packets that hold nothing else get the time 0 and no length,
    /// and the next one what is left. From now on they have the times that they are presented at, and their lengths.
    ///
    /// - Parameter first: the stream's first packet, with which Ogg alone begins.
    /// - Returns: nil of all others.
    package mutating func countPriming(behind first: Buffer) -> MediaTime? {
        guard skipped > .zero, (try? first.withBytes { $0.starts(with: "OpusHead".utf8) }) == true else { return nil }
        priming = .awaited
        return skipped
    }

    /// - Parameter packet: those of the stream, one after another.
    /// - Returns: what is told of it, but where it holds less; nil where nobody tells.
    package mutating func duration(of packet: Buffer) -> MediaTime? {
        guard let whole = length(packet) else { return packet.duration }
        let own = cutsEnd ? max(.zero, whole - MediaTime(samples: packet.samplesCutOff, rate: rate)) : whole
        defer { isFirst = false }
        if case .counted(let before) = priming {
            priming = before + whole < skipped ? .counted(before + whole) : .none
            return own
        }
        guard let told = packet.duration else {
            return own - (isFirst && packet.presentationTime == .zero ? skipped : .zero)
        }
        return min(told, own)
    }

    /// When a packet is presented that its parser has given the time 0, as flacparse (1.22) does with blocks of several lengths: those count the
    /// samples before them; or that only primes a decoder. nil of all others, and of FLAC's first, which is at 0 in a part of a file too.
    package mutating func time(of packet: Buffer) -> MediaTime? {
        if case .awaited = priming, let whole = peeked(packet) {
            let isClipped = packet.presentationTime == .zero && packet.duration.map { $0 < whole } ?? false
            priming = isClipped ? .counted(.zero) : .none
        }
        if case .counted(let before) = priming { return before - skipped }
        guard case .flac(let rate) = codec, !isFirst, packet.presentationTime == .zero,
            let frame = (try? packet.withBytes({ FLACFrame($0) })) ?? nil, frame.countsSamples
        else { return nil }
        return MediaTime(samples: Int(clamping: frame.number), rate: rate)
    }

    /// How much of a stream's first packet lies before the time 0, which the demuxer gives it.
    private var skipped: MediaTime {
        guard case .ogg(let lengths) = codec else { return .zero }
        return MediaTime(samples: lengths.skipped, rate: lengths.rate)
    }

    /// Samples a second, as they are counted in packets.
    private var rate: Int {
        switch codec {
        case .flac(let rate): rate
        case .ogg(let lengths): lengths.rate
        }
    }

    /// What the next packet says of its length.
    private func peeked(_ packet: Buffer) -> MediaTime? {
        var own = self
        return own.length(packet)
    }

    private mutating func length(_ packet: Buffer) -> MediaTime? {
        switch codec {
        case .flac(let rate):
            let frame = (try? packet.withBytes { FLACFrame($0) }) ?? nil
            return frame.map { MediaTime(samples: $0.blockSize, rate: rate) }
        case .ogg(var lengths):
            let head = (try? packet.withBytes { Array($0.prefix(8)) }) ?? []
            // What a stream of Ogg begins with may come among its packets.
            guard !["OpusHead", "OpusTags"].contains(where: { head.elementsEqual($0.utf8) }) else { return nil }
            let length = lengths.next(head)
            codec = .ogg(lengths)
            return length.map { MediaTime(samples: $0, rate: lengths.rate) }
        }
    }
}
