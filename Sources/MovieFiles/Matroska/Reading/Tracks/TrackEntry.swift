import MediaTypes

/// A track as a Matroska file describes it (RFC 9559 section 5.1.4.1).
struct TrackEntry: Sendable {
    enum Kind: UInt64, Sendable { case video = 1, audio = 2, subtitle = 17 }

    /// nil for what is none of these: buttons, control, logos.
    var kind: Kind?
    /// By which blocks name it.
    var number: UInt64
    /// By which tags name it.
    var uid: UInt64?
    var codecID: String
    var codecPrivate: ArraySlice<UInt8>
    /// Of each frame, in nanoseconds.
    var defaultDuration: UInt64?
    /// By how much times are late for what a decoder gives before the first real sample, in nanoseconds.
    var codecDelay: UInt64
    var isDefault: Bool
    var isForced: Bool
    var name: String?
    /// nil where it is not known.
    var language: TrackLanguage?
    /// How a Dolby Vision decoder shows the frames, in the box that says so in MP4 (RFC 9559 section 5.1.4.1.17).
    var dolbyVision: Box?
    /// Whether more is said of what lies beside its frames, which nothing here keeps.
    private(set) var hasOtherMappings = false
    /// Elements of `Video` and `Audio`.
    var video: Elements?
    var audio: Elements?
    /// All that is said of it.
    private(set) var everything: Elements

    /// - Throws: `unsupported` where it is damaged.
    init(_ entry: Elements) throws(MovieFileError) {
        guard let number = entry.unsigned(.trackNumber), number > 0, let codecID = entry.text(.codecID) else {
            throw .unsupported(reason: "one of its tracks has no number or no codec")
        }
        self.number = number
        self.codecID = codecID
        everything = entry
        uid = entry.unsigned(.trackUID)
        kind = entry.unsigned(.trackType).flatMap(Kind.init)
        codecPrivate = entry[.codecPrivate] ?? []
        defaultDuration = entry.unsigned(.defaultDuration).flatMap {
            (1...Self.longestDuration).contains($0) ? $0 : nil
        }
        codecDelay = min(entry.unsigned(.codecDelay) ?? 0, Self.maximumDelay)
        isDefault = entry.unsigned(.flagDefault) ?? 1 != 0
        isForced = entry.unsigned(.flagForced) ?? 0 != 0
        name = entry.text(.name).flatMap { $0.isEmpty ? nil : $0 }
        // English is what a file means that says nothing.
        language = TrackLanguage(entry.text(.languageBCP47) ?? entry.text(.language) ?? "eng")
        video = try entry.inside(.video)
        audio = try entry.inside(.audio)
        for mapping in entry.all(.blockAdditionMapping) {
            let mapping = try Elements(mapping)
            // Its type is the box's.
            guard
                let type = mapping.unsigned(.blockAddIDType).flatMap({ UInt32(exactly: $0) }).map(
                    FourCC.init(rawValue:)),
                ["dvcC", "dvvC"].contains(type), let payload = mapping[.blockAddIDExtraData]
            else {
                hasOtherMappings = true
                continue
            }
            dolbyVision = Box(type: type, fileOffset: 0, payload: payload, children: nil)
        }
    }

    /// Whether how opaque its frames are lies beside them.
    var isTransparent: Bool { video?.unsigned(.alphaMode) ?? 0 != 0 }

    /// - Throws: `unsupported` where its frames are not in the file as they are.
    func expectPlainFrames(isForMatroska: Bool) throws(MovieFileError) {
        // Those of subtitles are read as texts, or handed on as they are.
        guard kind != nil, kind != .subtitle else { return }
        // Compressed, cut or encrypted by the container (RFC 9559 section 5.1.4.1.31), or made of other tracks.
        guard everything[.contentEncodings] == nil, everything[.trackOperation] == nil else {
            throw .unsupported(reason: "the frames of track \(number) are not in the file as they are")
        }
        guard everything.float(.trackTimestampScale) ?? 1 == 1 else {
            throw .unsupported(reason: "track \(number) has a clock of its own")
        }
        guard isForMatroska || !isTransparent else {
            throw .unsupported(reason: "the transparency of track \(number) lies beside its frames")
        }
    }

    /// How its frames hold texts; nil where they are none.
    var textForm: SubtitleText.Form? { kind == .subtitle ? SubtitleText.Form(codecID: codecID) : nil }

    var roles: TrackRoles { TrackRoles(everything) }

    /// What GStreamer's muxer (1.22) does not take, or writes without what its decoder needs.
    var isOfMatroskaAlone: Bool {
        kind == .video ? !isKnown && !Self.muxed.contains(codecName) : Self.unmuxedAudio.contains(codecName)
    }

    /// The frames that it writes, beside those of the usual codecs.
    static let muxed: Set = [
        "mpeg1video", "mpeg2video", "mpeg4", "msmpeg4v2", "msmpeg4v3", "h263", "wmv1", "wmv2", "wmv3", "vc1", "theora",
        "vp8", "mjpeg", "huffyuv", "dvvideo", "rawvideo",
    ]
    private static let unmuxedAudio: Set = ["truehd", "mlp", "wavpack", "tta", "cook", "sipr", "atrac1", "qdm2"]

    /// Whether a movie's index can describe it: video and audio of the usual codecs.
    var isKnown: Bool {
        switch kind {
        case .video: hasKnownFrames
        case .audio: (try? packets) != nil
        case .subtitle, nil: true
        }
    }

    /// Whether its frames are compressed or encrypted by the container (RFC 9559 section 5.1.4.1.31).
    var isEncoded: Bool { everything[.contentEncodings] != nil }

    /// An hour: longer than any frame is shown.
    private static let longestDuration: UInt64 = 3_600_000_000_000
    /// Ten seconds: far more than any decoder needs.
    private static let maximumDelay: UInt64 = 10_000_000_000
}

/// What ffprobe calls the codecs of Matroska's tracks, by their `CodecID` (RFC 9559 section 5.1.4.1.19, matroska.org "Codec
/// mappings").
extension TrackEntry {
    var codecName: String {
        if let known = CodecIdentifiers(matroskaID: codecID) { return known.name }
        // AAC's identifiers of old name its profile too.
        if codecID.hasPrefix("A_AAC/") { return "aac" }
        if codecID.hasPrefix("A_DTS/") { return "dts" }
        let bits = audio?.unsigned(.bitDepth) ?? 16
        switch codecID {
        case "A_PCM/INT/LIT": return bits == 8 ? "pcm_u8" : "pcm_s\(bits)le"
        case "A_PCM/INT/BIG": return "pcm_s\(bits)be"
        case "A_PCM/FLOAT/IEEE": return "pcm_f\(bits)le"
        case "V_MS/VFW/FOURCC":
            // A BITMAPINFOHEADER, in which 16 bytes stand before the codec.
            let code = String(decoding: codecPrivate.dropFirst(16).prefix(4), as: UTF8.self)
            return CodecIdentifiers(fourCC: code)?.name ?? code.lowercased()
        case "V_QUICKTIME":
            // A sample entry, with or without its size.
            return UInt32(bigEndianBytes: codecPrivate.dropFirst(4).prefix(4)).map {
                FourCC(rawValue: $0).codecName
            } ?? codecID
        case "A_MS/ACM":
            let format = codecPrivate.prefix(2).reversed().reduce(0) { $0 << 8 | Int($1) }
            return CodecIdentifiers(waveFormat: format)?.name ?? codecID
        default: return codecID
        }
    }
}
