/// What tells whether samples of several movies can be in one track.
extension SampleEntry {
    /// All that a decoder goes by. What encoders write as it came out, and how QuickTime and MP4 say the same, differs from file to
    /// file.
    func joinKey(handler: FourCC, timescale: UInt32) throws(MovieFileError) -> [UInt8] {
        let entry = ofAnyLength
        var writer = ByteWriter()
        writer.append(format)
        if handler == "soun" {
            let audio = try AudioFormat(self, timescale: timescale)
            writer.append(contentsOf: Array("\(audio.codec) \(audio.channels) \(audio.sampleRate)".utf8))
        } else {
            writer.append(contentsOf: fields.dropFirst(24).prefix(4))
            // Behind the colours' kind, which QuickTime and MP4 name differently.
            writer.append(contentsOf: self["colr"]?.payload.dropFirst(4).prefix(6) ?? [])
        }
        if let stream = try? ElementaryStreamDescriptor(self) {
            writer.append(stream.objectType)
            writer.append(contentsOf: stream.configuration ?? [])
        }
        let configurations: [FourCC] = ["avcC", "hvcC", "av1C", "vpcC", "dOps", "dfLa", "alac", "dac3", "dec3"]
        for type in configurations { try entry.inWave(type)?.write(to: &writer) }
        return writer.bytes
    }

    /// The same without what FLAC's description (STREAMINFO, RFC 9639 section 8.2) tells of one file alone: how large its frames are, how many
    /// samples it has, and their checksum. 0 says that nobody knows. Seek tables and texts behind it go too.
    var ofAnyLength: SampleEntry {
        var entry = self
        guard let index = extensions.firstIndex(where: { $0.type == "dfLa" }) else { return self }
        let payload = Array(extensions[index].payload)
        // Behind version and flags, and the head of the first block.
        guard payload.count >= 8 + 34, payload[4] & 0x7F == 0 else { return self }
        var info = Array(payload[8..<8 + 34])
        for place in Array(4..<10) + Array(14..<34) { info[place] = 0 }
        info[13] &= 0xF0
        entry.extensions[index].payload = (payload[..<4] + [0x80, 0, 0, 34] + info)[...]
        return entry
    }

    /// Width and height of a pixel of video in the smallest numbers; square where that is not told.
    var pixelAspect: [UInt32] {
        let fields = self["pasp"]?.payload ?? []
        guard let width = UInt32(bigEndianBytes: fields.prefix(4)), width > 0,
            let height = UInt32(bigEndianBytes: fields.dropFirst(4).prefix(4)), height > 0
        else { return [1, 1] }
        var (divisor, rest) = (width, height)
        while rest != 0 { (divisor, rest) = (rest, divisor % rest) }
        return [width / divisor, height / divisor]
    }
}
