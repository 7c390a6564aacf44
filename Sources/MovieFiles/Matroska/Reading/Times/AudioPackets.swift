/// How many samples of audio a packet holds, as its first bytes tell.
enum AudioPackets: Sendable, Equatable {
    /// Always as many.
    case constant(UInt32)
    case opus
    case flac
    case mp3
    case ac3
    case eac3
    /// Of so many samples, but where a packet says that it has fewer.
    case alac(UInt32)

    /// As many bytes of a packet as have to be seen.
    static let headSize = 24

    /// - Returns: nil where the bytes are no such packet.
    func sampleCount(_ head: ArraySlice<UInt8>) -> UInt32? {
        switch self {
        case .constant(let count): count
        case .opus: Self.opus(head)
        case .flac: Self.flac(head)
        case .mp3: MPEGAudioHeader(head)?.samplesPerFrame
        case .ac3: head.starts(with: [0x0B, 0x77]) ? 1536 : nil
        case .eac3: EnhancedAC3Header(head)?.sampleCount
        case .alac(let usual): Self.alac(head, usual)
        }
    }

    /// At 48 kHz, from the byte that begins each packet (RFC 6716 section 3.1).
    private static func opus(_ head: ArraySlice<UInt8>) -> UInt32? {
        guard let first = head.first else { return nil }
        let configuration = Int(first >> 3)
        // In parts of 2.5 ms: SILK, hybrid, CELT.
        let parts =
            switch configuration {
            case 0..<12: [4, 8, 16, 24][configuration % 4]
            case 12..<16: [4, 8][configuration % 2]
            default: [1, 2, 4, 8][configuration % 4]
            }
        let frames: Int
        switch first & 3 {
        case 0: frames = 1
        case 1, 2: frames = 2
        default:
            guard let second = head.dropFirst().first else { return nil }
            frames = Int(second & 0x3F)
        }
        // Not more than 120 ms.
        return (1...48).contains(parts * frames) ? UInt32(parts * frames * 120) : nil
    }

    /// From the head of a packet's first element (Apple, "ALAC: Apple Lossless Audio Codec").
    private static func alac(_ head: ArraySlice<UInt8>, _ usual: UInt32) -> UInt32? {
        var bits = BitReader(head)
        // Its kind, its number and what is not used come first, what was shifted and whether it is compressed behind.
        guard bits.read(19) != nil, let isPartial = bits.read(1), bits.read(3) != nil else { return nil }
        guard isPartial == 1 else { return usual }
        guard let high = bits.read(16), let low = bits.read(16), high == 0, (1...Int(usual)).contains(low) else {
            return nil
        }
        return UInt32(low)
    }

    /// From the header of a frame (RFC 9639 section 9.1).
    private static func flac(_ head: ArraySlice<UInt8>) -> UInt32? {
        guard head.count > 5, head[head.startIndex] == 0xFF, head[head.startIndex + 1] & 0xFC == 0xF8 else {
            return nil
        }
        let code = Int(head[head.startIndex + 2] >> 4)
        switch code {
        case 1: return 192
        case 2...5: return 576 << UInt32(code - 2)
        case 8...15: return 256 << UInt32(code - 8)
        case 6, 7:
            // Behind the number of the frame, which is coded as UTF-8 codes a character.
            let numberLength = max(1, (~head[head.startIndex + 4]).leadingZeroBitCount)
            let rest = head.dropFirst(4 + numberLength)
            if code == 6 { return rest.first.map { UInt32($0) + 1 } }
            return UInt16(bigEndianBytes: rest.prefix(2)).map { UInt32($0) + 1 }
        default: return nil
        }
    }
}
