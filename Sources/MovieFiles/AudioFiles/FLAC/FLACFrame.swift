/// The head of one FLAC frame (RFC 9639, section 9.1).
package struct FLACFrame {
    /// Samples of each channel.
    package let blockSize: Int
    /// `nil`: as the stream says.
    let sampleRate: Int?
    let channels: Int
    /// Of a sample; `nil`: as the stream says.
    let bits: Int?
    /// Whether it counts samples; else it counts frames, which are all equally long.
    package let countsSamples: Bool
    package let number: UInt64
    /// Where the number stands, and bytes of the head.
    let numberPlace: Range<Int>
    let headSize: Int

    /// The bytes of the longest head.
    static let longestHead = 16

    /// - Parameter bytes: the frame or its beginning.
    /// - Returns: `nil` for what is no frame's head.
    package init?(_ bytes: some RandomAccessCollection<UInt8>) {
        let head = Array(bytes.prefix(Self.longestHead))
        guard head.count > 5, head[0] == 0xFF, head[1] & 0xFE == 0xF8, head[3] & 1 == 0 else { return nil }
        countsSamples = head[1] & 1 == 1
        let (sizeCode, rateCode) = (Int(head[2] >> 4), Int(head[2] & 0xF))
        let (channelCode, bitCode) = (Int(head[3] >> 4), Int(head[3] >> 1 & 7))
        guard sizeCode != 0, rateCode != 15, channelCode < 11, bitCode != 3 else { return nil }
        channels = channelCode < 8 ? channelCode + 1 : 2
        bits = [nil, 8, 12, nil, 16, 20, 24, 32][bitCode]
        guard let (number, length) = Self.number(head[4...]) else { return nil }
        self.number = number
        numberPlace = 4..<4 + length
        var place = 4 + length
        func next(_ count: Int) -> Int? {
            guard place + count < head.count else { return nil }
            defer { place += count }
            return head[place..<place + count].reduce(0) { $0 << 8 | Int($1) }
        }
        switch sizeCode {
        case 1: blockSize = 192
        case 2...5: blockSize = 576 << (sizeCode - 2)
        case 6, 7:
            guard let size = next(sizeCode - 5) else { return nil }
            blockSize = size + 1
        default: blockSize = 256 << (sizeCode - 8)
        }
        switch rateCode {
        case 0: sampleRate = nil
        case 12...14:
            guard let rate = next(rateCode == 12 ? 1 : 2) else { return nil }
            sampleRate = rate * (rateCode == 12 ? 1000 : rateCode == 13 ? 1 : 10)
        default:
            sampleRate =
                [
                    88_200, 176_400, 192_000, 8000, 16_000, 22_050, 24_000, 32_000, 44_100, 48_000, 96_000,
                ][rateCode - 1]
        }
        headSize = place + 1
        guard headSize <= head.count, head[..<place].reduce(0, CRC.eight) == head[place] else { return nil }
    }

    /// A number as UTF-8 writes them, but up to 36 bits.
    private static func number(_ bytes: ArraySlice<UInt8>) -> (UInt64, length: Int)? {
        guard let first = bytes.first else { return nil }
        let length = first < 0x80 ? 1 : (~first).leadingZeroBitCount
        guard length != 0, first < 0x80 || (2...7).contains(length), bytes.count >= length else { return nil }
        var number = first < 0x80 ? UInt64(first) : length == 7 ? 0 : UInt64(first & (0x7F >> length))
        for byte in bytes.dropFirst().prefix(length - 1) {
            guard byte & 0xC0 == 0x80 else { return nil }
            number = number << 6 | UInt64(byte & 0x3F)
        }
        return (number, length)
    }

    static func bytes(of number: UInt64) -> [UInt8] {
        if number < 0x80 { return [UInt8(number)] }
        var length = 2
        while length < 7, number >> UInt64(5 * length + 1) > 0 { length += 1 }
        let rest = (0..<length - 1).reversed().map { (place: Int) -> UInt8 in
            0x80 | UInt8(truncatingIfNeeded: number >> UInt64(6 * place)) & 0x3F
        }
        let marks = ~(UInt8.max >> UInt8(length))
        return [marks | UInt8(truncatingIfNeeded: number >> UInt64(6 * (length - 1)))] + rest
    }

    /// The same frame with another number.
    static func numbered(_ frame: [UInt8], _ head: FLACFrame, _ number: UInt64) -> [UInt8] {
        guard head.number != number, frame.count > head.headSize + 2 else { return frame }
        var new = Array(frame[..<head.numberPlace.lowerBound]) + bytes(of: number)
        new += frame[head.numberPlace.upperBound..<head.headSize - 1]
        new.append(new.reduce(0, CRC.eight))
        new += frame[head.headSize..<frame.count - 2]
        let sum = new.reduce(0, CRC.sixteen)
        return new + [UInt8(sum >> 8), UInt8(truncatingIfNeeded: sum)]
    }
}

/// The checksums of FLAC, polynomials 0x07 and 0x8005, and of Ogg, 0x04C11DB7: from 0 on, highest bit first.
enum CRC {
    private static let eights: [UInt8] = (0..<256).map { byte in
        (0..<8).reduce(UInt8(byte)) { sum, _ in sum & 0x80 == 0 ? sum << 1 : sum << 1 ^ 0x07 }
    }
    private static let sixteens: [UInt16] = (0..<256).map { byte in
        (0..<8).reduce(UInt16(byte) << 8) { sum, _ in sum & 0x8000 == 0 ? sum << 1 : sum << 1 ^ 0x8005 }
    }
    private static let thirtyTwos: [UInt32] = (0..<256).map { byte in
        (0..<8).reduce(UInt32(byte) << 24) { sum, _ in sum & 1 << 31 == 0 ? sum << 1 : sum << 1 ^ 0x04C1_1DB7 }
    }

    static func eight(_ sum: UInt8, _ byte: UInt8) -> UInt8 { eights[Int(sum ^ byte)] }
    static func sixteen(_ sum: UInt16, _ byte: UInt8) -> UInt16 { sum << 8 ^ sixteens[Int(UInt8(sum >> 8) ^ byte)] }
    static func thirtyTwo(_ sum: UInt32, _ byte: UInt8) -> UInt32 {
        sum << 8 ^ thirtyTwos[Int(UInt8(sum >> 24) ^ byte)]
    }
}
