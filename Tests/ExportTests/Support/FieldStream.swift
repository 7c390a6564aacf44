/// H.264 without a container, 25 frames a second of 16×32 pixels, each field of which is a picture of its own (ISO/IEC 14496-10, 7.3): no encoder
/// here makes that.
enum FieldStream {
    static func bytes(frames: Int) -> [UInt8] {
        sequence + parameters + (0..<frames).flatMap { field($0, isBottom: false) + field($0, isBottom: true) }
    }

    private static var sequence: [UInt8] {
        var bits = Bits()
        // High profile without constraints, level 3.
        bits.append(100, 8)
        bits.append(0, 8)
        bits.append(30, 8)
        // Its number, 4:2:0, 8 bits twice, no bypass, no scaling; frame numbers of 4 bits, frames shown as they are decoded, one reference.
        for number in [0, 1, 0, 0] { bits.appendGolomb(number) }
        bits.append(0, 2)
        for number in [0, 2, 1] { bits.appendGolomb(number) }
        bits.append(0, 1)
        // One macroblock wide and, in fields, one high.
        bits.appendGolomb(0)
        bits.appendGolomb(0)
        // Fields may be alone and are not mixed; 8×8 inference; no cropping; 50 fields a second, at a constant rate, and no more of it.
        bits.append(0b0010_1, 5)
        bits.append(0b0000_1, 5)
        bits.append(1, 32)
        bits.append(50, 32)
        bits.append(0b1_0000, 5)
        return bits.unit(0x67)
    }

    private static var parameters: [UInt8] {
        var bits = Bits()
        // Both numbers; CAVLC; one group of slices; one reference in each list; no weights; quantizers as they are; no deblocking told.
        bits.appendGolomb(0)
        bits.appendGolomb(0)
        bits.append(0, 2)
        for number in [0, 0, 0] { bits.appendGolomb(number) }
        bits.append(0, 3)
        for number in [0, 0, 0] { bits.appendGolomb(number) }
        bits.append(0, 3)
        return bits.unit(0x68)
    }

    /// One macroblock whose samples are written as they are.
    private static func field(_ frame: Int, isBottom: Bool) -> [UInt8] {
        let isIDR = frame == 0 && !isBottom
        var bits = Bits()
        for number in [0, 7, 0] { bits.appendGolomb(number) }
        bits.append(frame % 16, 4)
        bits.append(isBottom ? 0b11 : 0b10, 2)
        if isIDR { bits.appendGolomb(0) }
        bits.append(0, isIDR ? 2 : 1)
        bits.appendGolomb(0)
        bits.appendGolomb(25)
        bits.align()
        for _ in 0..<384 { bits.append(64 + 8 * frame + (isBottom ? 4 : 0), 8) }
        return bits.unit(isIDR ? 0x65 : 0x41)
    }

    private struct Bits {
        private var bytes: [UInt8] = []
        private var count = 0

        mutating func append(_ value: Int, _ length: Int) {
            for place in (0..<length).reversed() {
                if count % 8 == 0 { bytes.append(0) }
                bytes[bytes.count - 1] |= UInt8(value >> place & 1) << UInt8(7 - count % 8)
                count += 1
            }
        }

        mutating func appendGolomb(_ value: Int) {
            let length = Int.bitWidth - (value + 1).leadingZeroBitCount
            append(0, length - 1)
            append(value + 1, length)
        }

        mutating func align() { append(0, (8 - count % 8) % 8) }

        /// With its start code and its head, a last bit, and a 3 where zeros would be taken for a start code.
        func unit(_ head: UInt8) -> [UInt8] {
            var bits = self
            bits.append(1, 1)
            var (escaped, zeros): ([UInt8], Int) = ([0, 0, 0, 1, head], 0)
            for byte in bits.bytes {
                if zeros >= 2, byte <= 3 {
                    escaped.append(3)
                    zeros = 0
                }
                escaped.append(byte)
                zeros = byte == 0 ? zeros + 1 : 0
            }
            return escaped
        }
    }
}
