import MediaTypes

/// How audio is coded, as a sample entry and its configuration tell.
struct AudioFormat: Sendable {
    var codec: String
    var channels: Int
    /// In hertz.
    var sampleRate: Int

    /// - Parameter timescale: The track's, which is the rate where a sample entry cannot hold it.
    init(_ entry: SampleEntry, timescale: UInt32) throws(MovieFileError) {
        let fields = try AudioFields(entry)
        channels = fields.channels
        // The field is 16.16 fixed point: a rate from 65536 Hz on does not fit, and writers leave something else there.
        let isPlausible = fields.sampleRate >= 1 && (fields.sampleRate < 65536 || entry.fields.count == 64)
        sampleRate = isPlausible ? Int(fields.sampleRate.rounded()) : Int(timescale)
        codec = Self.codec(entry, fields)
        if codec == "aac", let descriptor = try ElementaryStreamDescriptor(entry) {
            codec = CodecIdentifiers(objectType: descriptor.objectType)?.name ?? codec
        }
        switch codec {
        // Their entries are templates too (3GPP TS 26.244 section 6.5).
        case "amr_nb": (channels, sampleRate) = (1, 8000)
        case "amr_wb": (channels, sampleRate) = (1, 16_000)
        case "aac":
            if let configuration = try AACConfiguration(entry) {
                if configuration.isLossless { codec = "mp4als" }
                channels = configuration.channels ?? channels
                sampleRate = configuration.sampleRate ?? sampleRate
            }
        // ffmpeg writes two channels there, whatever there are.
        case "vorbis":
            if let told = try ElementaryStreamDescriptor(entry)?.configuration.flatMap(Self.vorbis) {
                (channels, sampleRate) = told
            }
        case "opus", "ac3", "eac3", "alac", "flac", "truehd":
            if let told = AudioConfiguration(entry) {
                channels = told.channels
                sampleRate = told.sampleRate ?? sampleRate
            }
        default: break
        }
    }

    /// What the first bytes of the audio say, where the description cannot hold it: in MP4 it claims two channels
    /// whatever there are.
    mutating func correct(by head: ArraySlice<UInt8>) {
        let told: (channels: Int, sampleRate: Int)? =
            switch codec {
            case "mp3": MPEGAudioHeader(head).map { ($0.channels, $0.sampleRate) }
            case "dts": DTSHeader(head).map { ($0.channels, $0.sampleRate) }
            default: nil
            }
        if let told { (channels, sampleRate) = told }
    }

    /// Of Vorbis's first header ("Vorbis I specification", 4.2.2), whatever packs all three.
    private static func vorbis(_ configuration: ArraySlice<UInt8>) -> (channels: Int, sampleRate: Int)? {
        let name = [1] + Array("vorbis".utf8)
        let bytes = Array(configuration.prefix(300))
        guard let place = bytes.indices.first(where: { bytes[$0...].starts(with: name) }), place + 16 <= bytes.count
        else {
            return nil
        }
        // A version of 32 bits stands before both.
        let (channels, rate) = (Int(bytes[place + 11]), bytes[(place + 12)..<(place + 16)])
        let number = rate.reversed().reduce(0) { $0 << 8 | Int($1) }
        return channels > 0 && number > 0 ? (channels, number) : nil
    }

    private static func codec(_ entry: SampleEntry, _ fields: AudioFields) -> String {
        let bits = fields.bitsPerSample
        return switch entry.format {
        case "sowt": bits == 8 ? "pcm_s8" : "pcm_s\(bits)le"
        case "twos": bits == 8 ? "pcm_s8" : "pcm_s\(bits)be"
        case "raw ": "pcm_u8"
        case "in24": entry.isLittleEndian ? "pcm_s24le" : "pcm_s24be"
        case "in32": entry.isLittleEndian ? "pcm_s32le" : "pcm_s32be"
        case "fl32": entry.isLittleEndian ? "pcm_f32le" : "pcm_f32be"
        case "fl64": entry.isLittleEndian ? "pcm_f64le" : "pcm_f64be"
        case "alaw": "pcm_alaw"
        case "ulaw": "pcm_mulaw"
        case "lpcm": linearPCM(entry, bits: bits)
        case "ipcm": "pcm_s\(bits)\(entry.isLittleEndian ? "le" : "be")"
        case "fpcm": "pcm_f\(bits)\(entry.isLittleEndian ? "le" : "be")"
        default: entry.format.codecName
        }
    }

    /// QuickTime's version 2 description, whose flags are CoreAudio's: float, big-endian, signed.
    private static func linearPCM(_ entry: SampleEntry, bits: Int) -> String {
        guard entry.fields.count == 64,
            let flags = UInt32(bigEndianBytes: entry.fields.dropFirst(52).prefix(4)), bits > 0
        else { return "pcm" }
        let kind = flags & 1 != 0 ? "f" : flags & 4 != 0 ? "s" : "u"
        return bits == 8 ? "pcm_\(kind)8" : "pcm_\(kind)\(bits)\(flags & 2 != 0 ? "be" : "le")"
    }
}
