/// What a codec is called: by people, in files, and by GStreamer. One table, which all that reads or writes a codec asks.
package struct CodecIdentifiers: Sendable, Hashable {
    /// As ffprobe names it.
    package let name: String
    /// For people.
    package let displayName: String
    /// The types of its sample entries in QuickTime and MP4; the first is the one that is written.
    package let sampleEntries: [String]
    /// Its `CodecID` in Matroska.
    package let matroskaID: String
    /// The name of its caps; `nil` where several codecs share one and a field tells them apart.
    package let mediaType: String?

    private init(
        _ name: String, _ displayName: String, _ sampleEntries: [String], _ matroskaID: String, _ type: String?
    ) {
        self.name = name
        self.displayName = displayName
        self.sampleEntries = sampleEntries
        self.matroskaID = matroskaID
        mediaType = type
    }
}

extension CodecIdentifiers {
    package static let hevc = Self(
        "hevc", "HEVC", ["hvc1", "hev1", "dvh1", "dvhe"], "V_MPEGH/ISO/HEVC", "video/x-h265")
    package static let h264 = Self("h264", "H.264", ["avc1", "avc3"], "V_MPEG4/ISO/AVC", "video/x-h264")
    package static let av1 = Self("av1", "AV1", ["av01"], "V_AV1", "video/x-av1")
    package static let vp9 = Self("vp9", "VP9", ["vp09"], "V_VP9", "video/x-vp9")
    package static let vp8 = Self("vp8", "VP8", ["vp08"], "V_VP8", "video/x-vp8")
    /// One sample entry for each profile, from the smallest to the largest.
    package static let prores = Self(
        "prores", "ProRes", ["apco", "apcs", "apcn", "apch", "ap4h", "ap4x"], "V_PRORES", "video/x-prores")
    package static let mjpeg = Self(
        "mjpeg", "Motion JPEG", ["jpeg", "mjpa", "mjpb", "mjpg", "MJPG"], "V_MJPEG", "image/jpeg")
    package static let mpeg4 = Self("mpeg4", "MPEG-4 Visual", ["mp4v"], "V_MPEG4/ISO/ASP", nil)

    package static let aac = Self("aac", "AAC", ["mp4a"], "A_AAC", nil)
    package static let mp3 = Self("mp3", "MP3", [".mp3"], "A_MPEG/L3", nil)
    package static let opus = Self("opus", "Opus", ["Opus"], "A_OPUS", "audio/x-opus")
    package static let flac = Self("flac", "FLAC", ["fLaC"], "A_FLAC", "audio/x-flac")
    package static let alac = Self("alac", "ALAC", ["alac"], "A_ALAC", "audio/x-alac")
    package static let ac3 = Self("ac3", "AC-3", ["ac-3"], "A_AC3", "audio/x-ac3")
    package static let eac3 = Self("eac3", "E-AC-3", ["ec-3"], "A_EAC3", "audio/x-eac3")
    package static let vorbis = Self("vorbis", "Vorbis", [], "A_VORBIS", "audio/x-vorbis")

    package static let all = [
        hevc, h264, av1, vp9, vp8, prores, mjpeg, mpeg4, aac, mp3, opus, flac, alac, ac3, eac3, vorbis,
    ]

    /// - Returns: `nil` for a type that is no codec's here.
    package init?(sampleEntry type: String) {
        guard let codec = Self.bySampleEntry[type] else { return nil }
        self = codec
    }

    /// - Returns: `nil` for caps that are no codec's here, or several codecs'.
    package init?(mediaType: String) {
        guard let codec = Self.all.first(where: { $0.mediaType == mediaType }) else { return nil }
        self = codec
    }

    private static let bySampleEntry = Dictionary(
        uniqueKeysWithValues: all.flatMap { codec in codec.sampleEntries.map { ($0, codec) } })
}
