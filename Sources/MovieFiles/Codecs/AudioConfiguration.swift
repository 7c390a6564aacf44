/// What the configuration of an audio decoder says, where a sample entry may hold nothing but a template: in MP4 most entries
/// claim two channels.
struct AudioConfiguration: Sendable, Equatable {
    var channels: Int
    /// In hertz, as decoded; nil where that is not told.
    var sampleRate: Int?

    /// nil where there is no configuration, or one that makes no sense.
    init?(_ entry: SampleEntry) {
        let told: AudioConfiguration? =
            switch entry.format {
            case "Opus": Self.opus(entry["dOps"])
            case "ac-3": Self.ac3(entry.inWave("dac3"), skipping: 0)
            case "ec-3": Self.ac3(entry.inWave("dec3"), skipping: 16)
            case "alac": Self.alac(entry.inWave("alac"))
            case "fLaC": Self.flac(entry["dfLa"])
            case "mlpa": Self.trueHD(entry.inWave("dmlp"))
            default: nil
            }
        guard let told, told.channels > 0 else { return nil }
        self = told
    }

    private init(channels: Int, sampleRate: Int?) {
        self.channels = channels
        self.sampleRate = sampleRate.flatMap { $0 > 0 ? $0 : nil }
    }

    /// Whatever went into the encoder, a decoder gives 48 kHz (RFC 7845 section 4).
    private static func opus(_ box: Box?) -> Self? {
        box?.payload.dropFirst(1).first.map { .init(channels: Int($0), sampleRate: 48_000) }
    }

    /// `dac3`, and `dec3` behind its rate and number of streams, of which the first counts (ETSI TS 102 366 annex F).
    private static func ac3(_ box: Box?, skipping header: Int) -> Self? {
        guard let box else { return nil }
        var bits = BitReader(box.payload)
        guard bits.read(header) != nil, let rate = bits.read(2), let version = bits.read(5),
            // E-AC-3 has a reserved bit, and one for an associated service, before the kind of service.
            bits.read(header > 0 ? 5 : 3) != nil, let mode = bits.read(3), let hasLowFrequencies = bits.read(1)
        else { return nil }
        let rates = [48_000, 44_100, 32_000]
        // AC-3 of versions 9 and 10 has half and a quarter of them.
        let halvings = header == 0 ? max(0, min(version, 10) - 8) : 0
        return .init(
            channels: [2, 1, 2, 3, 3, 4, 4, 5][mode] + hasLowFrequencies,
            sampleRate: rates.indices.contains(rate) ? rates[rate] >> halvings : nil)
    }

    /// The "magic cookie" in its full box (Apple Lossless Format, "ALACSpecificConfig").
    private static func alac(_ box: Box?) -> Self? {
        guard let bytes = box?.payload.dropFirst(4), bytes.count >= 24 else { return nil }
        let rate = UInt32(bigEndianBytes: bytes.dropFirst(20).prefix(4))
        return .init(channels: Int(bytes[bytes.startIndex + 9]), sampleRate: rate.map { Int($0) })
    }

    /// The stream's description, the first of FLAC's metadata blocks (Encapsulation of FLAC in ISO BMFF section 3.3.2).
    private static func flac(_ box: Box?) -> Self? {
        guard let bytes = box?.payload.dropFirst(4 + 4 + 10) else { return nil }
        var bits = BitReader(bytes)
        guard let rate = bits.read(20), let channels = bits.read(3) else { return nil }
        return .init(channels: channels + 1, sampleRate: rate)
    }

    /// `dmlp`: the rate, and which speakers the presentation of eight channels has, or else that of six (Dolby, "MLP (Dolby TrueHD) streams
    /// within the ISO Base Media File Format", 2.1).
    private static func trueHD(_ box: Box?) -> Self? {
        guard let box else { return nil }
        var bits = BitReader(box.payload)
        guard let rate = bits.read(4), bits.skip(8), let six = bits.read(5), bits.skip(2), let eight = bits.read(13)
        else { return nil }
        let speakers = eight > 0 ? eight : six
        let channels = trueHDChannels.enumerated().reduce(0) { $0 + (speakers >> $1.offset & 1) * $1.element }
        return .init(
            channels: channels, sampleRate: rate & 7 > 2 ? nil : (rate & 8 == 0 ? 48_000 : 44_100) << (rate & 7))
    }

    /// Of each bit, from the lowest.
    private static let trueHDChannels = [2, 1, 1, 2, 2, 2, 2, 1, 1, 2, 2, 1, 1]
}
