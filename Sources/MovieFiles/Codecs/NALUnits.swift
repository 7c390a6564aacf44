/// The units that a frame of H.264 or HEVC is made of, as MOV and MP4 hold them: each one behind its length (ISO/IEC
/// 14496-15 section 5.3.4.2).
enum NALUnits {
    /// The units of a sample; nil where the lengths do not fill it.
    ///
    /// - Parameter lengthSize: In bytes.
    static func split(_ sample: ArraySlice<UInt8>, lengthSize: Int) -> [ArraySlice<UInt8>]? {
        var units: [ArraySlice<UInt8>] = []
        var rest = sample
        while !rest.isEmpty {
            guard rest.count > lengthSize else { return nil }
            let length = rest.prefix(lengthSize).reduce(0) { $0 << 8 | Int($1) }
            rest = rest.dropFirst(lengthSize)
            guard length > 0, length <= rest.count else { return nil }
            units.append(rest.prefix(length))
            rest = rest.dropFirst(length)
        }
        return units
    }

    /// A unit without the bytes that keep start codes out of it (ITU-T H.264 and H.265 section 7.4.1).
    static func unescaped(_ unit: some Sequence<UInt8>) -> [UInt8] {
        var payload: [UInt8] = []
        payload.reserveCapacity(unit.underestimatedCount)
        var zeros = 0
        for byte in unit {
            if zeros >= 2, byte == 3 {
                zeros = 0
                continue
            }
            zeros = byte == 0 ? zeros + 1 : 0
            payload.append(byte)
        }
        return payload
    }

    /// A unit with them.
    static func escaped(_ payload: [UInt8]) -> [UInt8] {
        var unit: [UInt8] = []
        unit.reserveCapacity(payload.count + payload.count / 64)
        var zeros = 0
        for byte in payload {
            if zeros >= 2, byte <= 3 {
                unit.append(3)
                zeros = 0
            }
            zeros = byte == 0 ? zeros + 1 : 0
            unit.append(byte)
        }
        if unit.last == 0 { unit.append(3) }
        return unit
    }
}
