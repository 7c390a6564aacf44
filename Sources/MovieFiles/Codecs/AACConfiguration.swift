/// The AudioSpecificConfig of AAC inside of `esds` (ISO/IEC 14496-1 section 7.2.6, ISO/IEC 14496-3 section 1.6.2).
package struct AACConfiguration: Sendable, Equatable {
    /// nil where the stream itself defines them.
    var channels: Int?
    /// In hertz, as decoded.
    var sampleRate: Int?
    /// In hertz, of the samples that packets count: with spectral band replication half of what is decoded.
    var codedRate: Int?
    /// At the coded rate; nil where that is not told.
    var samplesPerPacket: Int?
    /// Whether it is no AAC but MPEG-4 ALS, which is described alike.
    package private(set) var isLossless = false

    /// In hertz, by their numbers (ISO/IEC 14496-3, table 1.18).
    package static let rates = [
        96_000, 88_200, 64_000, 48_000, 44_100, 32_000, 24_000, 22_050, 16_000, 12_000, 11_025, 8_000, 7_350,
    ]
    /// By the configuration's number; of 0 the channels are listed, and the others are none (ISO/IEC 14496-3, table 1.19).
    private static let channelCounts: [Int?] = [nil, 1, 2, 3, 4, 5, 6, 8, nil, nil, nil, 7, 8, 24, 8]

    /// nil where there is no description of a decoder.
    init?(_ entry: SampleEntry) throws(MovieFileError) {
        guard let descriptor = try ElementaryStreamDescriptor(entry) else { return nil }
        self.init(descriptor)
    }

    /// nil where there is no description of a decoder.
    init?(_ descriptor: ElementaryStreamDescriptor) {
        guard let bytes = descriptor.configuration else { return nil }
        self.init(bytes)
    }

    /// - Parameter bytes: the AudioSpecificConfig.
    /// - Returns: nil where it is too short.
    package init?(_ bytes: some Collection<UInt8>) {
        var bits = BitReader(bytes)
        guard var objectType = bits.audioObjectType(), let rate = bits.samplingFrequency(Self.rates),
            let configuration = bits.read(4)
        else { return nil }
        (sampleRate, codedRate) = (rate, rate)
        isLossless = objectType == 36
        channels = Self.channelCounts.indices.contains(configuration) ? Self.channelCounts[configuration] : nil
        // With spectral band replication the decoder gives the rate that comes next.
        if objectType == 5 || objectType == 29, let extended = bits.samplingFrequency(Self.rates) {
            sampleRate = extended
            objectType = bits.audioObjectType() ?? objectType
        }
        // Main, LC, SSR, LTP and scalable AAC tell first whether they have the shorter packets.
        guard [1, 2, 3, 4, 6].contains(objectType) else { return }
        samplesPerPacket = bits.readFlag().map { $0 ? 960 : 1024 }
        // A delay behind that of another coder, and whether there is more to tell.
        guard configuration == 0, let hasDelay = bits.readFlag(), !hasDelay || bits.skip(14), bits.skip(1) else {
            return
        }
        channels = bits.programChannels()
    }
}

extension BitReader {
    fileprivate mutating func audioObjectType() -> Int? {
        guard let type = read(5) else { return nil }
        return type == 31 ? read(6).map { $0 + 32 } : type
    }

    /// How many channels a `program_config_element` lists (ISO/IEC 14496-3, 4.4.1.1).
    fileprivate mutating func programChannels() -> Int? {
        guard skip(4 + 2 + 4), let front = read(4), let side = read(4), let back = read(4), let low = read(2),
            skip(3 + 4)
        else { return nil }
        // Which elements are mixed down to one channel and to two, and how.
        for size in [4, 4, 3] {
            guard let isTold = readFlag(), !isTold || skip(size) else { return nil }
        }
        var channels = low
        for _ in 0..<front + side + back {
            guard let isPair = readFlag(), skip(4) else { return nil }
            channels += isPair ? 2 : 1
        }
        return channels > 0 ? channels : nil
    }

    fileprivate mutating func samplingFrequency(_ rates: [Int]) -> Int? {
        guard let index = read(4) else { return nil }
        if index == 15 { return read(24) }
        return rates.indices.contains(index) ? rates[index] : nil
    }
}
