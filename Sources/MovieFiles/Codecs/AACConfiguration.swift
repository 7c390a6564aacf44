/// The AudioSpecificConfig of AAC inside of `esds` (ISO/IEC 14496-1 section 7.2.6, ISO/IEC 14496-3 section 1.6.2).
struct AACConfiguration: Sendable, Equatable {
    /// nil where the stream itself defines them.
    var channels: Int?
    /// In hertz, as decoded.
    var sampleRate: Int?

    private static let rates = [
        96_000, 88_200, 64_000, 48_000, 44_100, 32_000, 24_000, 22_050, 16_000, 12_000, 11_025, 8_000, 7_350,
    ]
    private static let channelCounts: [Int?] = [nil, 1, 2, 3, 4, 5, 6, 8]

    /// nil where there is no description of a decoder.
    init?(_ entry: SampleEntry) throws(MovieFileError) {
        guard let esds = entry.inWave("esds") else { return nil }
        var reader = ByteReader(esds)
        try reader.skip(4)
        guard let bytes = try Self.decoderSpecificInfo(&reader) else { return nil }
        var bits = BitReader(bytes)
        guard var objectType = bits.audioObjectType(), let rate = bits.samplingFrequency(Self.rates),
            let configuration = bits.read(4)
        else { return nil }
        sampleRate = rate
        channels = Self.channelCounts.indices.contains(configuration) ? Self.channelCounts[configuration] : nil
        // With spectral band replication the decoder gives the rate that comes next.
        if objectType == 5 || objectType == 29, let extended = bits.samplingFrequency(Self.rates) {
            sampleRate = extended
            objectType = bits.audioObjectType() ?? objectType
        }
    }

    /// Goes down the descriptors: ES (3), decoder configuration (4), decoder specific info (5).
    private static func decoderSpecificInfo(_ reader: inout ByteReader) throws(MovieFileError) -> ArraySlice<UInt8>? {
        while !reader.remaining.isEmpty {
            let tag: UInt8 = try reader.read()
            var size = 0
            for _ in 0..<4 {
                let byte: UInt8 = try reader.read()
                size = size << 7 | Int(byte & 0x7F)
                if byte & 0x80 == 0 { break }
            }
            switch tag {
            case 3:
                try reader.skip(2)
                let flags: UInt8 = try reader.read()
                if flags & 0x80 != 0 { try reader.skip(2) }
                if flags & 0x40 != 0 { try reader.skip(Int(try reader.read(UInt8.self))) }
                if flags & 0x20 != 0 { try reader.skip(2) }
            case 4: try reader.skip(13)
            case 5: return try reader.readBytes(size)
            default: try reader.skip(size)
            }
        }
        return nil
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
