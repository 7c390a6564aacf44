/// Puts what describes the audio of AAC in LATM into each of its frames (ISO/IEC 14496-3, 1.7: AudioSyncStream of AudioMuxElement), of which
/// many refer to one before them.
///
/// It is given the stream in pieces and leaves alone what it does not know: several programs, layers or coders that need more to be described.
package struct LATMDescription: Sendable {
    /// The first bits of a frame that has it, and how many they are: the one that says so, and `StreamMuxConfig`.
    private var known: (bytes: [UInt8], count: Int)?
    /// Bytes of the next piece that belong to a frame of this one.
    private var pending = 0

    /// A frame's own head, in bytes.
    private static let headSize = 3
    private static let maximumSize = 1 << 13

    /// A stream of which nothing is known yet.
    package init() {}

    /// - Parameter bytes: what follows the last piece.
    /// - Returns: the same with descriptions; nil where nothing is to be changed.
    package mutating func complete(_ bytes: [UInt8]) -> [UInt8]? {
        var place = min(pending, bytes.count)
        pending -= place
        var (result, isChanged) = (Array(bytes.prefix(place)), false)
        while let size = Self.frameSize(bytes[place...]) {
            let frame = bytes[place..<min(bytes.count, place + Self.headSize + size)]
            place += frame.count
            guard frame.count == Self.headSize + size else {
                pending = Self.headSize + size - frame.count
                result += frame
                break
            }
            let content = Array(frame.dropFirst(Self.headSize))
            if let count = Self.descriptionSize(content) {
                known = (Array(content.prefix(count / 8 + 1)), count)
            } else if content[0] & 0x80 != 0, let new = described(content) {
                isChanged = true
                result += [0x56, 0xE0 | UInt8(new.count >> 8), UInt8(new.count & 0xFF)] + new
                continue
            }
            result += frame
        }
        return isChanged ? result + bytes[place...] : nil
    }

    /// Whether a frame's description says that its audio is decoded to twice the rate that it is coded with (spectral band replication, SBR).
    ///
    /// - Returns: nil where it has no description of its own, or one that is unknown here.
    package static func isDoubled(_ frame: [UInt8]) -> Bool? {
        guard frameSize(frame[...]) != nil, case let content = Array(frame.dropFirst(headSize)),
            descriptionSize(content) != nil
        else { return nil }
        var bits = BitReader(content.prefix(64))
        guard let version = multiplexerVersion(&bits), !version || bits.readLATMNumber() != nil else { return nil }
        return bits.read(5).map { $0 == 5 || $0 == 29 }
    }

    /// How many bytes follow the head of a frame, if these begin with one: 11 bits of synchronisation, 13 of size.
    private static func frameSize(_ bytes: ArraySlice<UInt8>) -> Int? {
        let head = Array(bytes.prefix(headSize))
        guard head.count == headSize, head[0] == 0x56, head[1] & 0xE0 == 0xE0 else { return nil }
        let size = Int(head[1] & 0x1F) << 8 | Int(head[2])
        return size > 0 ? size : nil
    }

    /// A frame that refers to the last description, with that in it; nil where there is none, or no room for it.
    private func described(_ content: [UInt8]) -> [UInt8]? {
        guard let known else { return nil }
        // All bits behind the first, which says that it refers to one before, lie further behind.
        let (bytes, bits) = ((known.count - 1) / 8, UInt8((known.count - 1) % 8))
        var new = [UInt8](repeating: 0, count: content.count + bytes + 1)
        guard new.count < Self.maximumSize else { return nil }
        for (index, byte) in content.enumerated() {
            let byte = index == 0 ? byte & 0x7F : byte
            new[index + bytes] |= byte >> bits
            if bits > 0 { new[index + bytes + 1] |= byte << (8 - bits) }
        }
        for index in 0..<known.count where known.bytes[index / 8] & (0x80 >> UInt8(index % 8)) != 0 {
            new[index / 8] |= 0x80 >> UInt8(index % 8)
        }
        return new
    }

    /// Passes over what stands before the description of the audio; nil where that is unknown here.
    private static func multiplexerVersion(_ bits: inout BitReader) -> Bool? {
        guard bits.read(1) == 0, let version = bits.readFlag() else { return nil }
        if version {
            guard bits.read(1) == 0, bits.readLATMNumber() != nil else { return nil }
        }
        // All in one time frame; one part, one program, one layer.
        guard bits.read(1) == 1, bits.read(6) == 0, bits.read(4) == 0, bits.read(3) == 0 else { return nil }
        return version
    }

    /// How many bits a frame's description has with the one before it; nil where it has none, or one that is unknown here.
    private static func descriptionSize(_ content: [UInt8]) -> Int? {
        // Longer ones tell more than is known here.
        var bits = BitReader(content.prefix(64))
        guard let version = multiplexerVersion(&bits) else { return nil }
        if version {
            guard let length = bits.readLATMNumber(), bits.skip(length) else { return nil }
        } else {
            guard bits.skipAudioDescription() else { return nil }
        }
        // A length for each frame, and how full the buffer is.
        guard bits.read(3) == 0, bits.skip(8), let hasOther = bits.readFlag() else { return nil }
        if hasOther {
            if version {
                guard bits.readLATMNumber() != nil else { return nil }
            } else {
                var isLonger = true
                while isLonger {
                    guard let more = bits.readFlag(), bits.skip(8) else { return nil }
                    isLonger = more
                }
            }
        }
        guard let hasChecksum = bits.readFlag(), !hasChecksum || bits.skip(8) else { return nil }
        return bits.position
    }
}

extension BitReader {
    /// `LatmGetValue`: up to four bytes, behind the number of further ones.
    fileprivate mutating func readLATMNumber() -> Int? { read(2).flatMap { read(8 * ($0 + 1)) } }

    /// Passes over an `AudioSpecificConfig` (1.6.2.1) of AAC; false for any other.
    fileprivate mutating func skipAudioDescription() -> Bool {
        guard var kind = read(5), skipRate(), let channels = read(4), channels > 0 else { return false }
        // Bands or stereo that a decoder makes are described before the coder itself.
        if kind == 5 || kind == 29 {
            guard skipRate(), let core = read(5) else { return false }
            kind = core
        }
        // Main, low complexity, scalable sampling rate, long-term prediction.
        guard (1...4).contains(kind), skip(1), let hasDelay = readFlag(), !hasDelay || skip(14) else { return false }
        return read(1) == 0
    }

    private mutating func skipRate() -> Bool { read(4).map { $0 != 15 || skip(24) } ?? false }
}
