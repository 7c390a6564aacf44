/// What tells whether samples of several movies can be in one track.
extension SampleEntry {
    /// All that a decoder goes by. What encoders write as it came out, and how QuickTime and MP4 say the same, differs from file to
    /// file.
    func joinKey(handler: FourCC, timescale: UInt32) throws(MovieFileError) -> [UInt8] {
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
        for type in configurations { try inWave(type)?.write(to: &writer) }
        return writer.bytes
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
