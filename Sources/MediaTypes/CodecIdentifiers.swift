/// What a codec is called: by people, in files, and by GStreamer. One table, which all that reads or writes a codec asks.
package struct CodecIdentifiers: Sendable {
    /// As ffprobe names it.
    package let name: String
    /// For people; ffprobe's name where nothing here writes it.
    package let displayName: String
    /// The types of its sample entries in QuickTime and MP4; the first is the one that is written.
    package let sampleEntries: [String]
    /// Its `CodecID`s in Matroska (matroska.org, "Codec mappings"); the first is the one that is written.
    package let matroskaIDs: [String]
    /// The names of its caps; none where several codecs share one and a field tells them apart. Those of images are their MIME types.
    package let mediaTypes: [String]
    /// Of AVI, and of Matroska's tracks that say what AVI would; in capitals.
    let fourCCs: [String]
    /// Of WAVE and AVI (RFC 2361), likewise.
    let waveFormats: [Int]
    /// Of `esds` (ISO/IEC 14496-1 table 5, and what mp4ra.org has registered).
    let objectTypes: [UInt8]

    init(
        _ name: String, _ displayName: String? = nil, entries: [String] = [], matroska: [String] = [],
        caps: [String] = [], fourCCs: [String] = [], waveFormats: [Int] = [], objectTypes: [UInt8] = []
    ) {
        self.name = name
        self.displayName = displayName ?? name
        sampleEntries = entries
        matroskaIDs = matroska
        mediaTypes = caps
        self.fourCCs = fourCCs
        self.waveFormats = waveFormats
        self.objectTypes = objectTypes
    }

    /// What AVI has for it; nil where the table knows none.
    package var aviCode: String? { fourCCs.first }
    /// The `CodecID` that is written; empty where Matroska has none.
    package var matroskaID: String { matroskaIDs.first ?? "" }
    /// The name of the caps that encoders give; `nil` where several codecs share one.
    package var mediaType: String? { mediaTypes.first }
}

extension CodecIdentifiers: Hashable {
    package static func == (left: Self, right: Self) -> Bool { left.name == right.name }
    package func hash(into hasher: inout Hasher) { hasher.combine(name) }
}

extension CodecIdentifiers {
    package static let hevc = Self(
        "hevc", "HEVC", entries: ["hvc1", "hev1", "dvh1", "dvhe"], matroska: ["V_MPEGH/ISO/HEVC"],
        caps: ["video/x-h265"], fourCCs: ["HEVC"], objectTypes: [0x23])
    package static let h264 = Self(
        "h264", "H.264", entries: ["avc1", "avc3"], matroska: ["V_MPEG4/ISO/AVC"], caps: ["video/x-h264"],
        fourCCs: ["H264", "AVC1", "X264"], objectTypes: [0x21])
    package static let av1 = Self("av1", "AV1", entries: ["av01"], matroska: ["V_AV1"], caps: ["video/x-av1"])
    package static let vp9 = Self("vp9", "VP9", entries: ["vp09"], matroska: ["V_VP9"], caps: ["video/x-vp9"])
    package static let vp8 = Self("vp8", "VP8", entries: ["vp08"], matroska: ["V_VP8"], caps: ["video/x-vp8"])
    /// One sample entry for each profile, from the smallest to the largest.
    package static let prores = Self(
        "prores", "ProRes", entries: ["apco", "apcs", "apcn", "apch", "ap4h", "ap4x"], matroska: ["V_PRORES"],
        caps: ["video/x-prores"])
    package static let gif = Self(
        "gif", "GIF", entries: ["gif "], caps: ["image/gif", "image/gst-libav-gif"])
    package static let mjpeg = Self(
        "mjpeg", "Motion JPEG", entries: ["jpeg", "mjpa", "mjpb", "mjpg", "MJPG"], matroska: ["V_MJPEG"],
        caps: ["image/jpeg"], fourCCs: ["MJPG"], objectTypes: [0x6C])
    /// Other versions of MPEG share its caps, but for what files call Xvid.
    package static let mpeg4 = Self(
        "mpeg4", "MPEG-4 Visual", entries: ["mp4v", "XVID"],
        matroska: ["V_MPEG4/ISO/ASP", "V_MPEG4/ISO/SP", "V_MPEG4/ISO/AP"], caps: ["video/x-xvid"],
        fourCCs: ["XVID", "DIVX", "DX50", "FMP4", "MP4V"], objectTypes: [0x20])

    /// MP3 shares its caps.
    package static let aac = Self(
        "aac", "AAC", entries: ["mp4a"], matroska: ["A_AAC"], waveFormats: [0x00FF],
        objectTypes: [0x40, 0x66, 0x67, 0x68])
    package static let mp3 = Self(
        "mp3", "MP3", entries: [".mp3", "ms\\x0U"], matroska: ["A_MPEG/L3"], waveFormats: [0x0055],
        objectTypes: [0x69, 0x6B])
    package static let opus = Self(
        "opus", "Opus", entries: ["Opus"], matroska: ["A_OPUS"], caps: ["audio/x-opus"], objectTypes: [0xAD])
    package static let flac = Self("flac", "FLAC", entries: ["fLaC"], matroska: ["A_FLAC"], caps: ["audio/x-flac"])
    package static let alac = Self("alac", "ALAC", entries: ["alac"], matroska: ["A_ALAC"], caps: ["audio/x-alac"])
    package static let ac3 = Self(
        "ac3", "AC-3", entries: ["ac-3"], matroska: ["A_AC3", "A_AC3/BSID9", "A_AC3/BSID10"],
        caps: ["audio/x-ac3", "audio/x-private1-ac3", "audio/ac3"], waveFormats: [0x2000], objectTypes: [0xA5])
    package static let eac3 = Self(
        "eac3", "E-AC-3", entries: ["ec-3"], matroska: ["A_EAC3"], caps: ["audio/x-eac3"], objectTypes: [0xA6])
    package static let vorbis = Self(
        "vorbis", "Vorbis", matroska: ["A_VORBIS"], caps: ["audio/x-vorbis"], objectTypes: [0xDD])

    package static let all =
        [hevc, h264, av1, vp9, vp8, prores, mjpeg, mpeg4, aac, mp3, opus, flac, alac, ac3, eac3, vorbis] + read
}

extension CodecIdentifiers {
    /// - Parameter type: of QuickTime or MP4.
    /// - Returns: `nil` for a type that is no codec's here, as for all below.
    package init?(sampleEntry type: String) { self.init(Self.bySampleEntry[type]) }
    package init?(matroskaID id: String) { self.init(Self.byMatroskaID[id]) }
    /// - Returns: `nil` for caps of several codecs too.
    package init?(mediaType: String) { self.init(Self.byMediaType[mediaType]) }
    /// - Parameter code: in capitals or not.
    package init?(fourCC code: String) { self.init(Self.byFourCC[code.uppercased()]) }
    package init?(waveFormat: Int) { self.init(Self.byWaveFormat[waveFormat]) }
    package init?(objectType: UInt8) { self.init(Self.byObjectType[objectType]) }

    private init?(_ found: Self?) {
        guard let found else { return nil }
        self = found
    }

    private static let bySampleEntry = table(\.sampleEntries)
    private static let byMatroskaID = table(\.matroskaIDs)
    private static let byMediaType = table(\.mediaTypes)
    private static let byFourCC = table(\.fourCCs)
    private static let byWaveFormat = table(\.waveFormats)
    private static let byObjectType = table(\.objectTypes)

    private static func table<Key: Hashable>(_ keys: (Self) -> [Key]) -> [Key: Self] {
        Dictionary(all.flatMap { codec in keys(codec).map { ($0, codec) } }) { first, _ in first }
    }
}
