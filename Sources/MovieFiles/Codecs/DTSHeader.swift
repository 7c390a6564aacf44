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
