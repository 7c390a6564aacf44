extension FragmentedMovie {
    /// Sets right the sample entries of all audio tracks.
    mutating func repairAudio() throws(MovieFileError) {
        for track in tracks where track.handler == "soun" {
            try editSampleEntries(ofTrack: track.trackID) { (entry: inout SampleEntry) throws(MovieFileError) in
                try entry.repairAudio(timescale: track.timescale)
            }
        }
    }
}

extension SampleEntry {
    /// Sets right what GStreamer's muxers up to 1.22 write wrong into the entries of audio tracks.
    ///
    /// - Parameter timescale: The track's, which those muxers make the audio's rate.
    mutating func repairAudio(timescale: UInt32) throws(MovieFileError) {
        try repairDepth()
        try repairRate(timescale)
        if format == "Opus" { try repairOpusHeader() }
        if let bytesPerFrame = try AudioFields(self).bytesPerFrame, bytesPerFrame > 0 { try addChannelLayout() }
    }

    /// Gives PCM of 24 and 32 bits the format that QuickTime has for it: `sowt` and `twos`, which GStreamer's muxers (1.22) write
    /// for any depth, are defined for 16 bits at most (QuickTime File Format, "Sound Sample Descriptions").
    private mutating func repairDepth() throws(MovieFileError) {
        let audio = try AudioFields(self)
        guard format == "sowt" || format == "twos", fields.count == 44,
            let (wide, bytes): (FourCC, UInt32) = [24: ("in24", 3), 32: ("in32", 4)][audio.bitsPerSample]
        else { return }
        let isLittleEndian = format == "sowt"
        format = wide
        var writer = ByteWriter()
        writer.append(contentsOf: fields.prefix(18))
        // The field that says 16 for whatever is wider; the bytes of a packet and a frame behind it tell the rest.
        writer.append(UInt16(16))
        writer.append(contentsOf: fields.dropFirst(20).prefix(8))
        writer.append(UInt32(1))
        writer.append(bytes)
        writer.append(bytes * UInt32(clamping: audio.channels))
        writer.append(UInt32(2))
        fields = writer.bytes[...]
        extensions.removeAll { $0.type == "wave" }
        extensions.append(
            try Box("wave") { (writer: inout ByteWriter) throws(MovieFileError) in
                try writer.box("frma") { (writer: inout ByteWriter) in writer.append(wide) }
                try writer.box("enda") { (writer: inout ByteWriter) in writer.append(UInt16(isLittleEndian ? 1 : 0)) }
                // A box without a type ends the list.
                writer.append(UInt32(8))
                writer.append(UInt32(0))
            })
    }

    /// Turns the byte order of `dOps` where it is little-endian, as in the Ogg header that it stems from.
    ///
    /// Read as it is, the delay of 312 samples becomes 14337, and players drop 0.3 s of audio. The rate tells the
    /// order: Opus decodes at 48 kHz whatever this field says, and a plausible one reads as nonsense the other way.
    private mutating func repairOpusHeader() throws(MovieFileError) {
        guard let index = extensions.firstIndex(where: { $0.type == "dOps" }) else { return }
        var reader = ByteReader(extensions[index])
        try reader.skip(2)
        let preSkip: UInt16 = try reader.read()
        let inputRate: UInt32 = try reader.read()
        let gain: UInt16 = try reader.read()
        let isPlausible = inputRate == 0 || (8000...384_000).contains(inputRate)
        guard !isPlausible || (inputRate == 0 && preSkip.byteSwapped < preSkip) else { return }
        var writer = ByteWriter()
        writer.append(preSkip.byteSwapped)
        writer.append(inputRate.byteSwapped)
        writer.append(gain.byteSwapped)
        try extensions[index].overwritePayload(at: 2, with: writer.bytes)
    }

    /// Says which channel is which in PCM audio: without it players guess, and ffmpeg warns that it does.
    private mutating func addChannelLayout() throws(MovieFileError) {
        guard self["chan"] == nil, self["chnl"] == nil, format != "ipcm", format != "fpcm" else { return }
        let channels = UInt32(clamping: try AudioFields(self).channels)
        // The tags of CoreAudio's AudioChannelLayout: mono, stereo, then the usual order of so many: L R C, L R Ls Rs,
        // L R C Ls Rs, L R C LFE Ls Rs, and for eight a bit for each (L R C LFE, rear, side). Else in no certain order.
        let (tag, bitmap): (UInt32, UInt32) =
            switch channels {
            case 1: (100 << 16 | 1, 0)
            case 2: (101 << 16 | 2, 0)
            case 3: (113 << 16 | 3, 0)
            case 4: (108 << 16 | 4, 0)
            case 5: (117 << 16 | 5, 0)
            case 6: (121 << 16 | 6, 0)
            case 8: (1 << 16, 0x63f)
            default: (147 << 16 | channels, 0)
            }
        extensions.append(
            try Box(full: "chan") { (writer: inout ByteWriter) in
                writer.append(tag)
                writer.append(bitmap)
                writer.append(UInt32(0))
            })
    }

    /// The samples that a decoder produces before the first real one, from `dOps`; nil for other formats.
    var opusPreSkip: UInt16? {
        guard format == "Opus", let box = self["dOps"] else { return nil }
        return UInt16(bigEndianBytes: box.payload.dropFirst(2).prefix(2))
    }
}
