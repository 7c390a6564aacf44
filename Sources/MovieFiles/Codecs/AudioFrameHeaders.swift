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

/// The header of a frame of MPEG audio (ISO/IEC 11172-3 section 2.4.1.3; ISO/IEC 13818-3 section 2.4.1.3).
struct MPEGAudioHeader: Sendable, Equatable {
    /// 3 is MPEG-1, 2 is MPEG-2, 0 is MPEG-2.5.
    private let version: Int
    private let layer: Int
    /// In hertz.
    let sampleRate: Int
    let channels: Int
    /// Of each channel.
    let samplesPerFrame: UInt32
    /// Of the frame with its header, in bytes; nil where it does not say how long it is.
    let size: Int?

    /// In kilobits a second: MPEG-1 by its layers, then the others by theirs.
    private static let bitRates = [
        [32, 64, 96, 128, 160, 192, 224, 256, 288, 320, 352, 384, 416, 448],
        [32, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384],
        [32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
        [32, 48, 56, 64, 80, 96, 112, 128, 144, 160, 176, 192, 224, 256],
        [8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
        [8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
    ]

    init?(_ bytes: ArraySlice<UInt8>) {
        var bits = BitReader(bytes.prefix(4))
        guard bits.read(11) == 0x7FF, let version = bits.read(2), version != 1, let code = bits.read(2), code != 0,
            bits.skip(1), let bitRate = bits.read(4), bitRate != 15, let rate = bits.read(2), rate < 3,
            let padding = bits.read(1), bits.skip(1), let mode = bits.read(2)
        else { return nil }
        let (isFirst, layer) = (version == 3, 4 - code)
        (self.version, self.layer) = (version, layer)
        // MPEG-2 has half the rates, MPEG-2.5 a quarter.
        let hertz = [44_100, 48_000, 32_000][rate] / (isFirst ? 1 : version == 2 ? 2 : 4)
        let samples = layer == 1 ? 384 : layer == 2 || isFirst ? 1152 : 576
        (sampleRate, channels, samplesPerFrame) = (hertz, mode == 3 ? 1 : 2, UInt32(samples))
        guard bitRate > 0 else {
            size = nil
            return
        }
        let bitsPerSecond = Self.bitRates[(isFirst ? 0 : 3) + layer - 1][bitRate - 1] * 1000
        size =
            layer == 1
            ? (12 * bitsPerSecond / hertz + padding) * 4 : samples / 8 * bitsPerSecond / hertz + padding
    }

    /// Whether it is MP3.
    var isLayer3: Bool { layer == 3 }

    /// Whether both may belong to one stream.
    func isAlike(_ other: Self) -> Bool {
        version == other.version && layer == other.layer && sampleRate == other.sampleRate && channels == other.channels
    }
}
