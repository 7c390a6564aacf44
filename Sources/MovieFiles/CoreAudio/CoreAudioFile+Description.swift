/// How the audio of a Core Audio file is described in a movie.
extension CoreAudioFile {
    /// - Throws: `unsupported` for audio that a movie does not hold like this.
    var entry: SampleEntry {
        get throws(MovieFileError) {
            switch format.codec {
            case "lpcm": return try linear
            case "ulaw", "alaw": return fields(format.codec, bits: 16)
            case "ima4":
                var entry = fields(format.codec, bits: 16)
                // Version 1, of a compression (-2) whose samples are packets, and not what they are decoded to; there two bytes are a sample's.
                entry.fields[9] = 1
                (entry.fields[20], entry.fields[21]) = (0xFF, 0xFE)
                entry.fields.append(contentsOf: [UInt8](repeating: 0, count: 15) + [2])
                return entry
            case "alac":
                let cookie = alacCookie
                guard cookie.count >= 24 else { throw Self.unknown(format.codec) }
                var entry = fields(format.codec, bits: Int(cookie[5]))
                entry.extensions = [
                    try Box(full: "alac") { (writer: inout ByteWriter) in writer.append(contentsOf: cookie) }
                ]
                return entry
            case "opus" where format.channels <= 2:
                var entry = fields("Opus", bits: 16)
                entry.extensions = [
                    try Box("dOps") { (writer: inout ByteWriter) in
                        writer.append(UInt8(0))
                        writer.append(UInt8(format.channels))
                        writer.append(UInt16(clamping: packets.priming))
                        writer.append(format.rate)
                        // As loud as it is, and no map of its channels.
                        writer.append(UInt16(0))
                        writer.append(UInt8(0))
                    }
                ]
                return entry
            case "aac " where cookie.first == 3:
                var entry = fields("mp4a", bits: 16)
                entry.extensions = [
                    try Box(full: "esds") { (writer: inout ByteWriter) in writer.append(contentsOf: cookie) }
                ]
                return entry
            default: throw Self.unknown(format.codec)
            }
        }
    }

    private static func unknown(_ codec: FourCC) -> MovieFileError {
        .unsupported(reason: "audio of the kind '\(codec)' in a Core Audio file is not read here; convert it to WAV")
    }

    /// QuickTime's version 2, which tells any rate, depth and order of bytes.
    private var linear: SampleEntry {
        get throws(MovieFileError) {
            var entry = fields("lpcm", bits: Int(format.bits))
            let (isFloat, isLittleEndian) = (format.flags & 1 != 0, format.flags & 2 != 0)
            // QuickTime's flags: floats, big-endian, signed, packed.
            let flags: UInt32 = (isFloat ? 0b1001 : 0b1100) | (isLittleEndian ? 0 : 0b0010)
            entry.fields = entry.version2(
                try AudioFields(entry), rate: Double(format.rate), flags: flags, bytesPerPacket: format.bytesPerPacket,
                samplesPerPacket: 1)
            if layout.count >= 12 {
                entry.extensions = [
                    try Box(full: "chan") { (writer: inout ByteWriter) in writer.append(contentsOf: layout) }
                ]
            }
            return entry
        }
    }

    /// The decoder's configuration, which older files have in boxes of QuickTime's, as `frma` and `alac`.
    private var alacCookie: ArraySlice<UInt8> {
        guard cookie.dropFirst(4).prefix(4).elementsEqual("frma".utf8),
            let boxes = try? Box.boxes(in: cookie[...], at: 0).boxes,
            let box = boxes.first(where: { $0.type == "alac" })
        else { return cookie[...] }
        return ArraySlice(Array(box.payload.dropFirst(4)))
    }

    /// The fields that every description of audio begins with.
    private func fields(_ codec: FourCC, bits: Int) -> SampleEntry {
        var writer = ByteWriter()
        writer.append(UInt32(0))
        writer.append(UInt16(0))
        writer.append(UInt16(1))
        writer.append(UInt64(0))
        writer.append(UInt16(clamping: format.channels))
        writer.append(UInt16(clamping: bits))
        writer.append(UInt32(0))
        writer.append(format.rate <= UInt32(UInt16.max) ? format.rate << 16 : 0)
        return SampleEntry(format: codec, fileOffset: 0, fields: writer.bytes[...], extensions: [], trailer: [])
    }
}
