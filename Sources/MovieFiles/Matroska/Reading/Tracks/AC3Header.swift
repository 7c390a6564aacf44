/// What MP4's `dac3` repeats of the header of an AC-3 frame (ETSI TS 102 366 sections 4.4 and F.4).
struct AC3Header: Sendable, Equatable {
    /// Of the box `dac3`.
    var configuration: [UInt8]

    init?(_ bytes: ArraySlice<UInt8>) {
        var bits = BitReader(bytes.prefix(12))
        guard bits.read(16) == 0x0B77, bits.skip(16), let rate = bits.read(2), rate < 3, let frameSize = bits.read(6),
            let identification = bits.read(5), identification <= 10, let service = bits.read(3),
            let (mode, hasLowFrequencies) = bits.readChannels(skipsMixing: true)
        else { return nil }
        var writer = BitWriter()
        writer.append(rate, count: 2)
        writer.append(identification, count: 5)
        writer.append(service, count: 3)
        writer.append(mode, count: 3)
        writer.append(hasLowFrequencies, count: 1)
        writer.append(frameSize >> 1, count: 5)
        writer.append(0, count: 5)
        configuration = writer.bytes
    }
}

/// Likewise of Enhanced AC-3, and its `dec3` (ETSI TS 102 366 sections E.1.2 and F.6), where it is one independent stream.
struct EnhancedAC3Header: Sendable, Equatable {
    var sampleCount: UInt32
    /// Of the frame, in bytes.
    var frameSize: Int
    private let rate: Int
    private let identification: Int
    private let mode: Int
    private let hasLowFrequencies: Int

    init?(_ bytes: ArraySlice<UInt8>) {
        var bits = BitReader(bytes.prefix(12))
        // Stream type 0 is an independent one, the first of a packet.
        guard bits.read(16) == 0x0B77, bits.read(2) == 0, bits.read(3) == 0, let size = bits.read(11),
            let rate = bits.read(2), rate < 3, let blocks = bits.read(2),
            let (mode, hasLowFrequencies) = bits.readChannels(skipsMixing: false), let identification = bits.read(5),
            identification > 10
        else { return nil }
        sampleCount = 256 * [1, 2, 3, 6][blocks]
        frameSize = (size + 1) * 2
        (self.rate, self.identification) = (rate, identification)
        (self.mode, self.hasLowFrequencies) = (mode, hasLowFrequencies)
    }

    /// Of the box `dec3`, for packets of one frame each.
    var configuration: [UInt8] {
        var writer = BitWriter()
        // In thousands of bits a second.
        let hertz = [48_000, 44_100, 32_000][rate]
        writer.append(frameSize * 8 * hertz / Int(sampleCount) / 1000, count: 13)
        writer.append(0, count: 3)
        writer.append(rate, count: 2)
        writer.append(identification, count: 5)
        // Reserved, not an associated service, of the main kind.
        writer.append(0, count: 5)
        writer.append(mode, count: 3)
        writer.append(hasLowFrequencies, count: 1)
        // Reserved, no dependent streams, reserved.
        writer.append(0, count: 8)
        return writer.bytes
    }
}

extension BitReader {
    /// `acmod` and `lfeon`, between which AC-3 has mixing levels.
    fileprivate mutating func readChannels(skipsMixing: Bool) -> (mode: Int, hasLowFrequencies: Int)? {
        guard let mode = read(3) else { return nil }
        if skipsMixing {
            if mode & 1 != 0, mode != 1, !skip(2) { return nil }
            if mode & 4 != 0, !skip(2) { return nil }
            if mode == 2, !skip(2) { return nil }
        }
        return read(1).map { (mode, $0) }
    }
}
