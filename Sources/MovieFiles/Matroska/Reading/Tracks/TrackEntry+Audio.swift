import MediaTypes

/// How the audio of a track is described in MP4.
extension TrackEntry {
    /// How much audio each packet holds; nil for what is no audio.
    ///
    /// - Throws: `unsupported` for audio that MP4 does not hold like this.
    var packets: AudioPackets? {
        get throws(MovieFileError) {
            guard kind == .audio else { return nil }
            switch codecID {
            case CodecIdentifiers.aac.matroskaID:
                guard let aac = try AACConfiguration(aacDescriptor), let length = aac.samplesPerPacket else {
                    throw .unsupported(reason: "its AAC, track \(number), has no valid description")
                }
                return .constant(UInt32(length))
            case CodecIdentifiers.opus.matroskaID: return .opus
            case CodecIdentifiers.flac.matroskaID: return .flac
            case CodecIdentifiers.mp3.matroskaID: return .mp3
            case CodecIdentifiers.ac3.matroskaID: return .ac3
            case CodecIdentifiers.eac3.matroskaID: return .eac3
            case CodecIdentifiers.alac.matroskaID: return .alac(try alacDescription().samplesPerPacket)
            default: throw .unsupported(reason: "its audio, \(codecID), cannot be copied as it is")
            }
        }
    }

    /// What tells an audio track apart from others.
    struct Audio {
        var entry: SampleEntry
        /// In hertz, of what packets count.
        var sampleRate: UInt32
        /// What a decoder gives before the first real sample, where the codec's own description says so.
        var priming: UInt64 = 0
        /// How many packets a decoder needs before its audio is right.
        var rollDistance: Int16 = 0
    }

    /// - Parameter head: Of the first packet, all of it where it is small.
    func audio(_ head: ArraySlice<UInt8>, size: Int) throws(MovieFileError) -> Audio {
        let channels = Int(clamping: audio?.unsigned(.channels) ?? 1)
        switch codecID {
        case CodecIdentifiers.aac.matroskaID:
            guard let aac = try AACConfiguration(aacDescriptor), let rate = aac.codedRate else { throw broken }
            return Audio(
                entry: try entry(
                    "mp4a", channels: aac.channels ?? channels, rate: aac.sampleRate ?? rate,
                    try aacDescriptor.box()),
                sampleRate: try known(rate), rollDistance: -1)
        case CodecIdentifiers.opus.matroskaID:
            let (box, channels, preSkip) = try opusDescription()
            let length = AudioPackets.opus.sampleCount(head) ?? 960
            // As much as 80 ms (RFC 7845 section 4.6).
            return Audio(
                entry: try entry("Opus", channels: channels, rate: 48_000, box), sampleRate: 48_000,
                priming: UInt64(preSkip), rollDistance: -Int16(clamping: (3840 + length - 1) / length))
        case CodecIdentifiers.flac.matroskaID:
            let (box, format) = try flacDescription()
            return Audio(
                entry: try entry(
                    "fLaC", channels: format.channels, rate: format.rate, bits: format.bits, box),
                sampleRate: try known(format.rate))
        case CodecIdentifiers.mp3.matroskaID:
            guard let header = MPEGAudioHeader(head) else { throw broken }
            let descriptor = ElementaryStreamDescriptor(objectType: header.samplesPerFrame == 1152 ? 0x6B : 0x69)
            return Audio(
                entry: try entry(
                    "mp4a", channels: header.channels, rate: header.sampleRate, try descriptor.box()),
                sampleRate: try known(header.sampleRate))
        case CodecIdentifiers.ac3.matroskaID, CodecIdentifiers.eac3.matroskaID:
            let isEnhanced = codecID == CodecIdentifiers.eac3.matroskaID
            let stream = EnhancedAC3Header(head)
            // More frames in a packet are of further streams, which the box would have to describe.
            guard
                let bytes = isEnhanced
                    ? stream.flatMap({ $0.frameSize == size ? $0.configuration : nil })
                    : AC3Header(head)?.configuration
            else { throw .unsupported(reason: "its audio, \(codecID), is made of several streams") }
            let box = try Box(isEnhanced ? "dec3" : "dac3") { (writer: inout ByteWriter) in
                writer.append(contentsOf: bytes)
            }
            var entry = try entry(isEnhanced ? "ec-3" : "ac-3", channels: channels, rate: 0, box)
            guard let told = AudioConfiguration(entry), let rate = told.sampleRate else { throw broken }
            entry = try self.entry(entry.format, channels: told.channels, rate: rate, box)
            return Audio(entry: entry, sampleRate: try known(rate))
        case CodecIdentifiers.alac.matroskaID:
            let alac = try alacDescription()
            return Audio(
                entry: try entry("alac", channels: alac.channels, rate: alac.rate, bits: alac.bits, alac.box),
                sampleRate: try known(alac.rate))
        default: throw broken
        }
    }

    /// `alac` of the decoder's configuration, whose numbers are big-endian (Apple, "ALAC Magic Cookie Description").
    private func alacDescription() throws(MovieFileError) -> (
        box: Box, samplesPerPacket: UInt32, bits: Int, channels: Int, rate: Int
    ) {
        let cookie = Array(codecPrivate.prefix(256))
        guard cookie.count >= 24, let length = UInt32(bigEndianBytes: cookie.prefix(4)), (1...65_535).contains(length),
            let rate = UInt32(bigEndianBytes: cookie[20..<24])
        else { throw broken }
        let box = try Box(full: "alac") { (writer: inout ByteWriter) in writer.append(contentsOf: cookie) }
        return (box, length, Int(cookie[5]), Int(cookie[9]), Int(rate))
    }

    private var broken: MovieFileError {
        .unsupported(reason: "the description of its audio, track \(number), is invalid")
    }

    private func known(_ rate: Int) throws(MovieFileError) -> UInt32 {
        guard let rate = UInt32(exactly: rate), (1...1_000_000).contains(rate) else { throw broken }
        return rate
    }

    private var aacDescriptor: ElementaryStreamDescriptor {
        get throws(MovieFileError) {
            guard (2...256).contains(codecPrivate.count) else { throw broken }
            return ElementaryStreamDescriptor(objectType: 0x40, configuration: codecPrivate)
        }
    }

    /// The fields that every description of audio begins with (ISO/IEC 14496-12 section 12.2.3).
    private func entry(
        _ format: FourCC, channels: Int, rate: Int, bits: Int = 16, _ box: Box
    ) throws(MovieFileError) -> SampleEntry {
        var writer = ByteWriter()
        writer.append(UInt32(0))
        writer.append(UInt16(0))
        writer.append(UInt16(1))
        writer.append(UInt64(0))
        writer.append(UInt16(clamping: channels))
        writer.append(UInt16(clamping: bits))
        writer.append(UInt32(0))
        // 16.16 fixed point; what does not fit is told by the decoder's configuration.
        writer.append(UInt32(rate <= Int(UInt16.max) ? rate << 16 : 0))
        return SampleEntry(format: format, fileOffset: 0, fields: writer.bytes[...], extensions: [box], trailer: [])
    }

    /// `dOps` of Ogg's header, whose numbers are little-endian (RFC 7845 section 5.1; "Encapsulation of Opus in ISO Base
    /// Media File Format", section 4.3.2).
    private func opusDescription() throws(MovieFileError) -> (box: Box, channels: Int, preSkip: UInt16) {
        let head = Array(codecPrivate)
        guard head.count >= 19, head.starts(with: "OpusHead".utf8), head[9] > 0,
            head[18] == 0 || head.count >= 21 + Int(head[9])
        else { throw broken }
        let preSkip = UInt16(head[11]) << 8 | UInt16(head[10])
        let box = try Box("dOps") { (writer: inout ByteWriter) in
            writer.append(UInt8(0))
            writer.append(head[9])
            writer.append(preSkip)
            writer.append(contentsOf: head[12..<16].reversed())
            writer.append(contentsOf: head[16..<18].reversed())
            writer.append(head[18])
            if head[18] != 0 { writer.append(contentsOf: head[19..<21 + Int(head[9])]) }
        }
        return (box, Int(head[9]), preSkip)
    }

    /// `dfLa`: FLAC's metadata blocks, of which the first describes the stream (RFC 9639 section 8.2).
    private func flacDescription() throws(MovieFileError) -> (box: Box, format: (channels: Int, rate: Int, bits: Int)) {
        let head = Array(codecPrivate)
        guard head.count >= 4 + 4 + 34, head.starts(with: "fLaC".utf8), head[4] & 0x7F == 0,
            head[5..<8].elementsEqual([0, 0, 34])
        else { throw broken }
        var bits = BitReader(head[18..<26])
        guard let rate = bits.read(20), let channels = bits.read(3), let depth = bits.read(5) else { throw broken }
        let box = try Box(full: "dfLa") { (writer: inout ByteWriter) in
            // The first block alone, as the last one.
            writer.append(UInt8(0x80))
            writer.append(contentsOf: head[5..<42])
        }
        return (box, (channels + 1, rate, depth + 1))
    }
}
