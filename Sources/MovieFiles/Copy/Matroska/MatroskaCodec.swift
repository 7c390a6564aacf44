import MediaTypes

/// How a codec is named in Matroska, and what its decoder is told (RFC 9559's companion, "Matroska Codec Specifications").
struct MatroskaCodec: Sendable, Equatable {
    var id: String
    /// `CodecPrivate`.
    var configuration: [UInt8]?
    /// How many bytes at the beginning of each sample are left out.
    var strippedBytes = 0
    /// What the decoder throws away by itself, in nanoseconds.
    var delay: Int64 = 0
    /// What it needs before a place that is sought, in nanoseconds.
    var preroll: UInt64?

    /// WebM's own form, which has room for where a text is shown; ffmpeg 5.1 reads no other.
    static let webVTT = "D_WEBVTT/SUBTITLES"

    /// Of texts in one of movies' forms; nil for any other.
    init?(texts format: FourCC) {
        switch format {
        case "tx3g", "text": self.init(id: "S_TEXT/UTF8")
        case WebVTTSample.format: self.init(id: Self.webVTT)
        default: return nil
        }
    }

    /// How WebM calls its own (WebM Container Guidelines).
    static let webM: Set<String> = Set([CodecIdentifiers.vp8, .vp9, .av1, .opus].map(\.matroskaID))

    /// Of frames; nil for what has no name in Matroska, or whose samples would have to be changed.
    init?(frames entry: SampleEntry) throws(MovieFileError) {
        guard let codec = CodecIdentifiers(sampleEntry: entry.format.description) else {
            self.init(asInAVI: entry)
            return
        }
        let id = codec.matroskaID
        switch codec {
        case .h264:
            guard let box = entry["avcC"], Self.holdsParameterSets(avcC: box) else { return nil }
            self.init(id: id, configuration: Array(box.payload))
        case .hevc:
            guard let box = entry["hvcC"] else { return nil }
            self.init(id: id, configuration: Array(box.payload))
        case .av1:
            // GStreamer's muxers up to 1.22 leave the box empty.
            guard let box = entry["av1C"], box.payload.first == 0x81 else { return nil }
            self.init(id: id, configuration: Array(box.payload))
        case .vp8, .vp9: self.init(id: id)
        // The other entries of Motion JPEG hold fields, or no JPEG files.
        case .mjpeg where entry.format == "jpeg": self.init(id: id)
        case .prores:
            // Without the size and the name that each frame begins with in QuickTime.
            self.init(id: id, configuration: Array(entry.format.description.utf8), strippedBytes: 8)
        case .mpeg4:
            guard let descriptor = try ElementaryStreamDescriptor(entry), descriptor.objectType == 0x20,
                let configuration = descriptor.configuration
            else { return nil }
            self.init(id: id, configuration: Array(configuration))
        case _ where codec.name == "ffv1": self.init(id: id, configuration: entry["glbl"].map { Array($0.payload) })
        // Of these there are other forms, or a pipeline carries them.
        case _ where !id.isEmpty || TrackEntry.muxed.contains(codec.name): return nil
        // Where both call it the same, more readers know AVI's.
        case _ where codec.aviCode == entry.format.description: self.init(asInAVI: entry)
        default: self.init(id: Self.quickTime, configuration: try entry.serialized())
        }
    }

    /// What has no name in Matroska and one in QuickTime: its decoder is told what stands in the movie, size and format too.
    private static let quickTime = "V_QUICKTIME"

    /// What neither has a name for, but AVI, whose codes movies of ffmpeg's take for it; nil where the code is not one of letters.
    private init?(asInAVI entry: SampleEntry) {
        let code = withUnsafeBytes(of: entry.format.rawValue.bigEndian) { Array($0) }
        guard let header = BitmapHeader(entry, code: code) else { return nil }
        self.init(id: BitmapHeader.codecID, configuration: header.bytes)
    }

    /// Whether the stream's own parameter sets are there, and not among the samples only.
    private static func holdsParameterSets(avcC: Box) -> Bool {
        guard let count = avcC.payload.dropFirst(5).first else { return false }
        return count & 0x1F > 0
    }

    init(id: String, configuration: [UInt8]? = nil, strippedBytes: Int = 0) {
        (self.id, self.configuration, self.strippedBytes) = (id, configuration, strippedBytes)
    }
}
