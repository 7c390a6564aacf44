extension SampleEntry {
    /// Tells a rate that the usual field has no room for: it holds 16 bits before the point, and GStreamer's muxers (1.22) write
    /// what is left of 96 kHz when those above are cut off, 30,464.
    ///
    /// QuickTime's version 2 holds any rate (QuickTime File Format, "Sound Sample Description (Version 2)"); in ISO's field stands
    /// 0, and the decoder's configuration tells.
    ///
    /// - Parameter rate: in hertz, as the track's timescale has it.
    mutating func repairRate(_ rate: UInt32) throws(MovieFileError) {
        let audio = try AudioFields(self)
        guard fields.count < 64, Self.isCutOff(audio.sampleRate, of: rate) else { return }
        if let flags = linearFlags, let bytes = audio.bytesPerFrame {
            // Only this format's samples are told in version 2.
            format = "lpcm"
            fields = version2(
                audio, rate: Double(rate), flags: flags, bytesPerPacket: UInt32(clamping: bytes), samplesPerPacket: 1)
            extensions.removeAll { $0.type == "wave" }
        } else if fields.count == 44 {
            let samples = UInt32(bigEndianBytes: fields.dropFirst(28).prefix(4)) ?? 0
            fields = version2(audio, rate: Double(rate), samplesPerPacket: samples)
        } else if fields.count == 28 {
            fields = fields.prefix(24) + [0, 0, 0, 0]
        }
    }

    /// Whether it is PCM in ISO's form, which QuickTime does not know (ISO/IEC 23003-5).
    var isISOLinear: Bool { format == "ipcm" || format == "fpcm" }

    /// Gives PCM in ISO's form QuickTime's, version 2: any depth, whole numbers or floats, in either order of bytes.
    mutating func describeLinear(_ audio: AudioFields) throws(MovieFileError) {
        guard isISOLinear, let bytes = audio.bytesPerFrame else {
            throw .unsupported(reason: "its PCM does not say how many bits its samples have")
        }
        let order: UInt32 = isLittleEndian ? 0 : 0b0010
        fields = version2(
            audio, rate: audio.sampleRate, flags: order | (format == "fpcm" ? 0b1001 : 0b1100),
            bytesPerPacket: UInt32(clamping: bytes), samplesPerPacket: 1)
        format = "lpcm"
        extensions.removeAll { $0.type == "pcmC" }
    }

    /// CoreAudio's flags for how uncompressed samples lie: as floats, big-endian, signed, packed; nil for other audio.
    private var linearFlags: UInt32? {
        switch format {
        case "sowt": 0b1100
        case "twos": 0b1110
        case "in24", "in32": isLittleEndian ? 0b1100 : 0b1110
        case "fl32", "fl64": isLittleEndian ? 0b1001 : 0b1011
        default: nil
        }
    }

    /// Whether a rate is what 16 bits leave of another.
    static func isCutOff(_ told: Double, of rate: UInt32) -> Bool {
        rate > UInt32(UInt16.max) && (told == 0 || told == Double(rate & UInt32(UInt16.max)))
    }

    /// - Parameters:
    ///   - flags: of uncompressed audio, with `bytesPerPacket`.
    func version2(
        _ audio: AudioFields, rate: Double, flags: UInt32 = 0, bytesPerPacket: UInt32 = 0, samplesPerPacket: UInt32
    ) -> ArraySlice<UInt8> {
        var writer = ByteWriter()
        writer.append(contentsOf: fields.prefix(8))
        writer.append(UInt16(2))
        writer.append(UInt16(0))
        writer.append(UInt32(0))
        // Always the same; what counts comes behind.
        writer.append(UInt16(3))
        writer.append(UInt16(16))
        writer.append(Int16(-2))
        writer.append(UInt16(0))
        writer.append(UInt32(65_536))
        writer.append(UInt32(72))
        writer.append(rate.bitPattern)
        writer.append(UInt32(clamping: audio.channels))
        writer.append(UInt32(0x7F00_0000))
        // Of one channel; the usual field is 16 for whatever is wider.
        writer.append(UInt32(clamping: Int(bytesPerPacket) * 8 / max(1, audio.channels)))
        writer.append(flags)
        writer.append(bytesPerPacket)
        writer.append(samplesPerPacket)
        return writer.bytes[...]
    }
}
