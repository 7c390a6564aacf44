/// How many samples each packet of an audio stream in Ogg has, as its codec tells: Opus, Vorbis, FLAC and Speex.
package struct OggPacketLengths: Sendable {
    /// Samples a second, as the positions of pages count them.
    package let rate: Int
    /// How many of them come before the first that is presented.
    package let skipped: Int
    /// By how much a page may end too early; encoders round, but FLAC's blocks are of whole samples.
    let tolerance: Int
    private let codec: Codec
    /// Packets that come before the audio; nil where they are told apart by what they are.
    private var headerCount: Int?
    /// Vorbis: the size of the block before.
    private var lastBlock = 0
    /// Vorbis: of each mode.
    private var blockSizes: [Int] = []

    /// What a decoder has to be set up for.
    struct Kind: Sendable, Hashable {
        var name: String
        var rate: Int
        var channels: Int
    }

    let kind: Kind

    private enum Codec: Equatable { case speex(Int), opus, vorbis(Int, Int), flac }

    /// - Parameter first: the first packet of the stream.
    /// - Returns: nil for what is none of these.
    package init?(_ first: [UInt8]) {
        func number(_ place: Int, _ size: Int = 4) -> Int {
            first[place..<place + size].reversed().reduce(0) { $0 << 8 | Int($1) }
        }
        let name: String
        let channels: Int
        if first.starts(with: "Speex   ".utf8), first.count >= 72 {
            (name, channels) = ("speex", number(48))
            codec = .speex((number(56) & 0xFFFF) * max(1, number(64) & 0xFF))
            (rate, skipped, headerCount) = (number(36), 0, 1 + min(100, number(68)))
        } else if first.starts(with: "OpusHead".utf8), first.count >= 19 {
            (name, channels) = ("opus", Int(first[9]))
            (codec, rate, skipped, headerCount) = (.opus, 48_000, number(10, 2), 1)
        } else if first.starts(with: [1] + "vorbis".utf8), first.count >= 30 {
            (name, channels) = ("vorbis", Int(first[11]))
            codec = .vorbis(1 << Int(first[28] & 0xF), 1 << Int(first[28] >> 4))
            (rate, skipped, headerCount) = (number(12), 0, 2)
        } else if first.starts(with: [0x7F] + "FLAC".utf8), first.count >= 30 {
            (name, channels) = ("flac", Int(first[29] >> 1 & 7) + 1)
            // Behind the mapping's own head and that of the block (RFC 9639, 8.2 and 10.1).
            (codec, skipped, headerCount) = (.flac, 0, nil)
            rate = Int(first[27]) << 12 | Int(first[28]) << 4 | Int(first[29]) >> 4
        } else {
            return nil
        }
        guard (1...1_000_000).contains(rate) else { return nil }
        kind = Kind(name: name, rate: rate, channels: channels)
        tolerance = codec == .flac ? 0 : rate / 10
    }

    /// - Parameter packet: the packets behind the first, one after another.
    /// - Returns: 0 for what is no audio, nil where it cannot be told.
    package mutating func next(_ packet: [UInt8]) -> Int? {
        if let count = headerCount, count > 0 {
            headerCount = count - 1
            guard case .vorbis(let short, let long) = codec, count == 1 else { return 0 }
            blockSizes = VorbisModes.areLong(packet).map { $0 ? long : short }
            return blockSizes.isEmpty ? nil : 0
        }
        guard let first = packet.first else { return 0 }
        switch codec {
        case .speex(let count): return count
        case .flac: return FLACFrame(packet)?.blockSize ?? 0
        case .opus: return Self.opusLength(first, packet.dropFirst().first ?? 0)
        case .vorbis:
            // The lowest bit says whether it is a header, the next ones the mode (Vorbis I, section 4.3.1).
            guard first & 1 == 0 else { return 0 }
            let width = Int.bitWidth - (blockSizes.count - 1).leadingZeroBitCount
            let mode = Int(first >> 1) & (1 << width - 1)
            guard blockSizes.indices.contains(mode) else { return nil }
            defer { lastBlock = blockSizes[mode] }
            return lastBlock == 0 ? 0 : (lastBlock + blockSizes[mode]) / 4
        }
    }

    /// RFC 6716, section 3.1: the configuration says how long a frame is, the code how many there are.
    private static func opusLength(_ toc: UInt8, _ count: UInt8) -> Int {
        let configuration = Int(toc >> 3)
        let frame =
            switch configuration {
            case 0..<12: [480, 960, 1920, 2880][configuration & 3]
            case 12..<16: [480, 960][configuration & 1]
            default: [120, 240, 480, 960][configuration & 3]
            }
        return frame * [1, 2, 2, Int(count & 0x3F)][Int(toc & 3)]
    }
}

/// The modes at the end of Vorbis's setup header (Vorbis I, section 4.2.4).
private enum VorbisModes {
    /// For each mode whether its blocks are long. What comes before them does not say how long it is, so they are read from the end, as
    /// libavcodec does: which mapping, two numbers that are 0, whether it is long. Their count stands before the first; the largest that fits is
    /// right.
    static func areLong(_ setup: [UInt8]) -> [Bool] {
        var bits = BitReader(setup.reversed())
        // The last bit is set; what follows it fills up the byte.
        while let isSet = bits.readFlag(), !isSet {}
        var (found, flags, count) = ([Bool](), [Bool](), 0)
        while count < 64, let mapping = bits.read(8), mapping < 64, bits.read(32) == 0, let isLong = bits.readFlag() {
            flags.insert(isLong, at: 0)
            count += 1
            var rest = bits
            if rest.read(6) == count - 1 { found = flags }
        }
        return found
    }
}
