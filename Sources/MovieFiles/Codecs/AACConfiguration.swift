/// The AudioSpecificConfig of AAC inside of `esds` (ISO/IEC 14496-1 section 7.2.6, ISO/IEC 14496-3 section 1.6.2).
struct AACConfiguration: Sendable, Equatable {
    /// nil where the stream itself defines them.
    var channels: Int?
    /// In hertz, as decoded.
    var sampleRate: Int?
    /// In hertz, before spectral band replication.
    var coreSampleRate: Int?

    private static let rates = [
        96_000, 88_200, 64_000, 48_000, 44_100, 32_000, 24_000, 22_050, 16_000, 12_000, 11_025, 8_000, 7_350,
    ]
    private static let channelCounts: [Int?] = [nil, 1, 2, 3, 4, 5, 6, 8]

    /// nil where there is no description of a decoder.
    init?(_ entry: SampleEntry) throws(MovieFileError) {
        guard let bytes = try ElementaryStreamDescriptor(entry)?.configuration else { return nil }
        var bits = BitReader(bytes)
        guard var objectType = bits.audioObjectType(), let rate = bits.samplingFrequency(Self.rates),
            let configuration = bits.read(4)
        else { return nil }
        sampleRate = rate
        coreSampleRate = rate
        channels = Self.channelCounts.indices.contains(configuration) ? Self.channelCounts[configuration] : nil
        // With spectral band replication the decoder gives the rate that comes next.
        if objectType == 5 || objectType == 29, let extended = bits.samplingFrequency(Self.rates) {
            sampleRate = extended
            objectType = bits.audioObjectType() ?? objectType
        }
    }
}

extension BitReader {
    fileprivate mutating func audioObjectType() -> Int? {
        guard let type = read(5) else { return nil }
        return type == 31 ? read(6).map { $0 + 32 } : type
    }

    fileprivate mutating func samplingFrequency(_ rates: [Int]) -> Int? {
        guard let index = read(4) else { return nil }
        if index == 15 { return read(24) }
        return rates.indices.contains(index) ? rates[index] : nil
    }
}
