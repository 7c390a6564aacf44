/// The packets of a Core Audio file (`pakt`): how large each is where their sizes differ, and what of them is presented.
struct CoreAudioPackets {
    /// In bytes, of each; empty where all have the same size.
    private(set) var sizes: [UInt32] = []
    /// In frames, of each; empty where all have the same length.
    private(set) var lengths: [UInt32] = []
    /// Frames at the beginning that only prime the decoder, and at the end that only fill the last packet up.
    private(set) var priming: UInt32 = 0
    private(set) var remainder: UInt32 = 0
    /// Frames that are presented; nil where it is not told.
    private(set) var valid: UInt64?

    /// - Throws: `unsupported` where sizes are missing, `damaged` where they are cut off.
    init(_ bytes: [UInt8], _ format: CoreAudioFile.Format) throws(MovieFileError) {
        if bytes.count >= 24, let count = Int64(bigEndianBytes: bytes[..<8]),
            let priming = Int32(bigEndianBytes: bytes[16..<20]), let remainder = Int32(bigEndianBytes: bytes[20..<24])
        {
            (self.priming, self.remainder) = (UInt32(clamping: priming), UInt32(clamping: remainder))
            valid = UInt64(bigEndianBytes: bytes[8..<16]).flatMap { $0 > 0 ? $0 : nil }
            var rest = bytes.dropFirst(24)
            // A packet has a byte for each number at least.
            for _ in 0..<min(max(0, count), Int64(rest.count)) {
                if format.bytesPerPacket == 0 { sizes.append(try Self.number(&rest)) }
                if format.framesPerPacket == 0 { lengths.append(try Self.number(&rest)) }
            }
        }
        guard format.bytesPerPacket > 0 && format.framesPerPacket > 0 || !sizes.isEmpty else {
            throw .unsupported(reason: "it does not say how large its packets are")
        }
    }

    /// Seven bits a byte, the highest first; the upper bit says that more follow.
    private static func number(_ bytes: inout ArraySlice<UInt8>) throws(MovieFileError) -> UInt32 {
        var value: UInt32 = 0
        while let byte = bytes.popFirst() {
            value = (value & 0x1FF_FFFF) << 7 | UInt32(byte & 0x7F)
            if byte & 0x80 == 0 { return value }
        }
        throw .damaged(reason: "the list of its packets is cut off")
    }
}
