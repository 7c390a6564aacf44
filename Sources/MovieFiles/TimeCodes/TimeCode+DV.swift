package import SystemPackage

extension TimeCode {
    /// The time code of the first frame of raw DV (IEC 61834-2); nil for any other file, and for a tape without one.
    package static func first(inRawDV path: FilePath) -> TimeCode? {
        guard let file = try? FileDescriptor.open(path, .readOnly, options: .closeOnExec) else { return nil }
        defer { try? file.close() }
        // A header and two blocks of subcode begin each sequence, 80 bytes each.
        var bytes = [UInt8](repeating: 0, count: 240)
        guard (try? bytes.withUnsafeMutableBytes({ try file.read(into: $0) })) == bytes.count else { return nil }
        return TimeCode(dv: bytes)
    }

    private init?(dv bytes: [UInt8]) {
        guard bytes.starts(with: [0x1F, 0x07, 0x00]), bytes[80] >> 5 == 1, bytes[160] >> 5 == 1 else { return nil }
        // Six packets a block, each with three bytes of its own before a pack of five, whose first byte says what it is.
        let packs = [80, 160].flatMap { block in (0..<6).map { block + 3 + 8 * $0 + 3 } }
        guard let pack = packs.first(where: { bytes[$0] == 0x13 }) else { return nil }
        func number(_ byte: UInt8, tens: UInt8) -> UInt32 { UInt32(byte >> 4 & tens) * 10 + UInt32(byte & 0x0F) }
        let isPAL = bytes[3] & 0x80 != 0
        self.init(
            hours: number(bytes[pack + 4], tens: 3), minutes: number(bytes[pack + 3], tens: 7),
            seconds: number(bytes[pack + 2], tens: 7), frames: number(bytes[pack + 1], tens: 3),
            rateNumerator: isPAL ? 25 : 30_000, rateDenominator: isPAL ? 1 : 1001,
            isDropFrame: !isPAL && bytes[pack + 1] & 0x40 != 0)
    }
}
