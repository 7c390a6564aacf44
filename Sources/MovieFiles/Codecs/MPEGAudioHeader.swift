/// The header of a frame of MPEG audio, layer 3 (ISO/IEC 11172-3 section 2.4.1.3; ISO/IEC 13818-3 section 2.4.1.3).
struct MPEGAudioHeader: Sendable, Equatable {
    /// In hertz.
    var sampleRate: Int
    var channels: Int
    var samplesPerFrame: UInt32

    init?(_ bytes: ArraySlice<UInt8>) {
        var bits = BitReader(bytes.prefix(4))
        guard bits.read(11) == 0x7FF, let version = bits.read(2), version != 1, bits.read(2) == 1, bits.skip(1),
            bits.skip(4), let rate = bits.read(2), rate < 3, bits.skip(2), let mode = bits.read(2)
        else { return nil }
        // Version 3 is MPEG-1; 2 is MPEG-2, with half the rates; 0 is MPEG-2.5, with a quarter.
        sampleRate = [44_100, 48_000, 32_000][rate] / [0: 4, 2: 2, 3: 1][version, default: 1]
        channels = mode == 3 ? 1 : 2
        samplesPerFrame = version == 3 ? 1152 : 576
    }
}
