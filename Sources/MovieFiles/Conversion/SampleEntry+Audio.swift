extension SampleEntry {
    /// Boxes that configure a decoder, which QuickTime keeps inside of `wave` and ISO files in the entry itself.
    private static let configurations: Set<FourCC> = ["esds", "alac", "dac3", "dec3", "damr", "ddts"]

    /// Gives a QuickTime sound description (QuickTime File Format, "Sound Sample Descriptions") ISO's form (ISO/IEC
    /// 14496-12 section 12.2.3).
    mutating func convertAudioToISO() throws(MovieFileError) {
        let audio = try AudioFields(self)
        var isMP3 = false
        if format == ".mp3" { (format, isMP3) = ("mp4a", true) }
        let isDepthKept = ["alac", "fLaC", "ipcm", "fpcm"].contains(format)
        var writer = ByteWriter()
        writer.append(contentsOf: fields.prefix(8))
        writer.append(UInt64(0))
        writer.append(UInt16(clamping: audio.channels))
        writer.append(isDepthKept ? UInt16(clamping: audio.bitsPerSample) : 16)
        writer.append(UInt32(0))
        // 16.16 fixed point; a rate that does not fit is told by the decoder's configuration.
        let rate = UInt32(clamping: Int64(audio.sampleRate.rounded()))
        writer.append(rate <= UInt32(UInt16.max) ? rate << 16 : 0)
        fields = writer.bytes[...]
        if let index = extensions.firstIndex(where: { $0.type == "wave" }) {
            let inside = try Box.boxes(in: extensions[index].payload, at: extensions[index].payloadOffset).boxes
            // What only QuickTime needs: the format once more, an empty `mp4a`, the byte order, the end of the list.
            let wrapping: Set<FourCC> = ["frma", "mp4a", "enda", FourCC(rawValue: 0)]
            extensions.replaceSubrange(index...index, with: inside.filter { !wrapping.contains($0.type) })
        }
        if isMP3, self["esds"] == nil { extensions.insert(try ElementaryStreamDescriptor.mp3.box(), at: 0) }
        if trailer.allSatisfy({ $0 == 0 }) { trailer = [] }
    }

    /// Gives ISO's description of compressed audio QuickTime's form, version 1, or 2 for rates that it cannot hold.
    ///
    /// - Parameter samplesPerPacket: In each packet that the decoder gets.
    mutating func convertAudioToQuickTime(samplesPerPacket: UInt32) throws(MovieFileError) {
        let audio = try AudioFields(self)
        if isISOLinear { return try describeLinear(audio) }
        if format == "mp4a", let descriptor = try ElementaryStreamDescriptor(self), descriptor.isMP3 {
            format = ".mp3"
            extensions.removeAll { $0.type == "esds" }
        }
        let rate = UInt32(clamping: Int64(audio.sampleRate.rounded()))
        let configured = try AACConfiguration(self)?.sampleRate.map(Double.init)
        fields =
            rate <= UInt32(UInt16.max) && rate > 0
            ? version1(audio, rate: rate, samplesPerPacket)
            : version2(audio, rate: configured ?? audio.sampleRate, samplesPerPacket: samplesPerPacket)
        let inside = extensions.filter { Self.configurations.contains($0.type) }
        guard !inside.isEmpty else { return }
        extensions.removeAll { Self.configurations.contains($0.type) }
        extensions.insert(try wave(inside), at: 0)
    }

    private func version1(
        _ audio: AudioFields, rate: UInt32, _ samplesPerPacket: UInt32
    ) -> ArraySlice<UInt8> {
        var writer = ByteWriter()
        writer.append(contentsOf: fields.prefix(8))
        writer.append(UInt16(1))
        writer.append(UInt16(0))
        writer.append(UInt32(0))
        writer.append(UInt16(clamping: audio.channels))
        writer.append(format == "alac" ? UInt16(clamping: audio.bitsPerSample) : 16)
        // Packets of differing sizes, which the sample table tells.
        writer.append(Int16(-2))
        writer.append(UInt16(0))
        writer.append(rate << 16)
        writer.append(samplesPerPacket)
        writer.append(UInt32(0))
        writer.append(UInt32(0))
        writer.append(UInt32(2))
        return writer.bytes[...]
    }

    /// QuickTime's `siDecompressionParam` atom.
    private func wave(_ inside: [Box]) throws(MovieFileError) -> Box {
        try Box("wave") { (writer: inout ByteWriter) throws(MovieFileError) in
            try writer.box("frma") { (writer: inout ByteWriter) in writer.append(format) }
            if format == "mp4a" { try writer.box("mp4a") { (writer: inout ByteWriter) in writer.append(UInt32(0)) } }
            for box in inside { try box.write(to: &writer) }
            try writer.box(FourCC(rawValue: 0)) { _ in }
        }
    }
}
