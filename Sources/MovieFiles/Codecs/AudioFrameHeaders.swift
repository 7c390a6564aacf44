/// The header of a frame of DTS (ETSI TS 102 114 section 5.3): of its core, which extensions leave as it is.
struct DTSHeader: Sendable, Equatable {
    /// In hertz.
    var sampleRate: Int
    var channels: Int

    /// By `AMODE`: mono, two in five ways, and so on.
    private static let channelCounts = [1, 2, 2, 2, 2, 3, 3, 4, 4, 5, 6, 6, 6, 7, 8, 8]
    /// By `SFREQ`; 0 where there is none.
    private static let rates = [
        0, 8000, 16_000, 32_000, 0, 0, 11_025, 22_050, 44_100, 0, 0, 12_000, 24_000, 48_000, 0, 0,
    ]

    /// nil where the bytes do not begin with a frame, 16 bits a word, most significant byte first.
    init?(_ bytes: ArraySlice<UInt8>) {
        var bits = BitReader(bytes.prefix(16))
        // The frame's kind, length, checksum and sizes stand before the arrangement of its channels.
        guard bits.read(32) == 0x7FFE_8001, bits.skip(1 + 5 + 1 + 7 + 14), let mode = bits.read(6),
            let rate = bits.read(4), Self.channelCounts.indices.contains(mode), Self.rates[rate] > 0,
            // Bit rate, downmix, range, time stamps, auxiliary data, HDCD, extensions, synchronisation.
            bits.skip(5 + 1 + 1 + 1 + 1 + 1 + 3 + 1 + 1), let lowFrequencies = bits.read(2)
        else { return nil }
        sampleRate = Self.rates[rate]
        channels = Self.channelCounts[mode] + (lowFrequencies == 1 || lowFrequencies == 2 ? 1 : 0)
    }
}

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
