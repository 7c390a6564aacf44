import MediaTypes

extension MatroskaCodec {
    /// Of audio; nil for what has no name in Matroska, or whose samples would have to be changed.
    ///
    /// - Parameter codec: As ffprobe names it.
    init?(audio entry: SampleEntry, codec: String) throws(MovieFileError) {
        let id = CodecIdentifiers.all.first { $0.name == codec }?.matroskaID ?? ""
        switch codec {
        case "aac":
            guard let configuration = try ElementaryStreamDescriptor(entry)?.configuration else { return nil }
            self.init(id: id, configuration: Array(configuration))
        case "vorbis":
            // Its three headers, laced, as ffmpeg writes them there and Matroska has them ("Codec mappings", A_VORBIS).
            guard let headers = try ElementaryStreamDescriptor(entry)?.configuration, headers.first == 2 else {
                return nil
            }
            self.init(id: id, configuration: Array(headers))
        case "mp3", "ac3", "eac3": self.init(id: id)
        case "flac":
            // The format's own mark, then its metadata blocks as they are in the box.
            guard let box = entry["dfLa"], box.payload.count > 4 + 4 + 34 - 1 else { return nil }
            self.init(id: id, configuration: Array("fLaC".utf8) + box.payload.dropFirst(4))
        case "alac":
            guard let box = entry.inWave("alac"), box.payload.count >= 4 + 24 else { return nil }
            self.init(id: id, configuration: Array(box.payload.dropFirst(4)))
        case "opus":
            guard let head = try Self.opusHead(entry), let preSkip = entry.opusPreSkip else { return nil }
            self.init(id: id, configuration: head)
            delay = (Int64(preSkip) * MatroskaTime.second + 24_000) / 48_000
            preroll = 80_000_000
        default:
            guard let id = try Self.pcm(entry, codec) else { return nil }
            self.init(id: id)
        }
    }

    /// `dOps` in the form of an Ogg header (RFC 7845 section 5.1): little-endian, and behind a mark.
    private static func opusHead(_ entry: SampleEntry) throws(MovieFileError) -> [UInt8]? {
        guard let dOps = entry["dOps"] else { return nil }
        var reader = ByteReader(dOps)
        guard try reader.read(UInt8.self) == 0 else { return nil }
        var head = Array("OpusHead".utf8) + [1]
        head.append(try reader.read(UInt8.self))
        head += Self.littleEndian(try reader.read(UInt16.self))
        head += Self.littleEndian(try reader.read(UInt32.self))
        head += Self.littleEndian(try reader.read(UInt16.self))
        return head + reader.remaining
    }

    /// The header with another number of samples at 48 kHz that the decoder throws away.
    mutating func setOpusPreSkip(_ samples: UInt16) {
        configuration?.replaceSubrange(10..<12, with: Self.littleEndian(samples))
    }

    private static func littleEndian(_ value: some FixedWidthInteger) -> [UInt8] {
        withUnsafeBytes(of: value.littleEndian) { Array($0) }
    }

    /// Frames without a hole in them, of whole numbers in either order of bytes, or of little-endian floats. Bytes by
    /// themselves are unsigned in Matroska.
    private static func pcm(_ entry: SampleEntry, _ codec: String) throws(MovieFileError) -> String? {
        let fields = try AudioFields(entry)
        let id: (name: String, bytes: Int)? =
            switch codec {
            case "pcm_u8": ("A_PCM/INT/LIT", 1)
            case "pcm_s16le": ("A_PCM/INT/LIT", 2)
            case "pcm_s24le": ("A_PCM/INT/LIT", 3)
            case "pcm_s32le": ("A_PCM/INT/LIT", 4)
            case "pcm_s16be": ("A_PCM/INT/BIG", 2)
            case "pcm_s24be": ("A_PCM/INT/BIG", 3)
            case "pcm_s32be": ("A_PCM/INT/BIG", 4)
            case "pcm_f32le": ("A_PCM/FLOAT/IEEE", 4)
            case "pcm_f64le": ("A_PCM/FLOAT/IEEE", 8)
            default: nil
            }
        guard let id, let bytesPerFrame = fields.bytesPerFrame, fields.channels > 0,
            bytesPerFrame == fields.channels * id.bytes
        else { return nil }
        return id.name
    }
}
