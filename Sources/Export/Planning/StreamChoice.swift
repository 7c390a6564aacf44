import Composition
import Encoding
import GStreamer
import MediaFilters
import MediaTypes
import MovieFiles
import Workarounds

/// Which streams of the input are taken, and which of them are fit for the target as they are.
struct StreamChoice: Sendable {
    let target: ExportTarget
    let orientation: MovieOrientation
    /// Whether an edit list hides frames that others need. They pass no parser, so those are encoded.
    let hidesFrames: Bool
    /// Of an input that does not say when its frames are shown.
    private let frameOrder: FrameOrder?
    /// Whether the input has AAC in the packets of LATM, of which its caps say nothing before a parser has read some.
    private let hasLATM: Bool
    /// Whether its audio is bare MP3, of which its caps may say no layer before the parser has read a frame.
    private let isMP3: Bool
    /// Whether what the input has of video are its cover or its chapters' images.
    private let hasImagesForVideo: Bool
    /// What audio is brought to that changes its rate or its channels on the way; nil: it does not.
    private let steadyAudio: SteadyAudio?
    /// Whether the frames are composed with others', so that they are needed upright as they are.
    var isComposed = false
    /// Whether what is the target's codec already is encoded all the same, as it changes on the way.
    var encodesAll = false
    /// Whether audio is taken at all.
    var takesAudio = true
    /// What the first audio track is decoded to, to be added to others'; `nil`: it is not.
    var mixFormat: MediaReader.MixFormat?
    /// What frames and the first audio track are made to be, to stand behind those of other movies; `nil`: they are not.
    var joined: JoinedFormat?
    /// Whether the audio is only listened to.
    var listens = false
    /// Channels that audio with more is mixed down to.
    var mostChannels: Int?

    init(target: ExportTarget, properties: InputProperties) {
        (self.target, orientation, frameOrder) = (target, properties.orientation, properties.frameOrder)
        hidesFrames = properties.video.map { $0.hidesBeginning || $0.hidesNeededFrames } ?? false
        steadyAudio = properties.bytes.steadyAudio
        hasImagesForVideo = properties.hasCoverForVideo || properties.hasChapterImages
        isMP3 = properties.bytes.audio?.isLayer3 == true
        hasLATM = properties.declared.contains { $0.codec == TransportCodec.latm }
    }

    /// Whether copies are all that is wanted of one kind of stream.
    var copiesAlways: Bool { target.video == .copy || target.audio == nil }

    /// Whether audio is decoded that is none of the target's own kinds.
    var decodesAudio: Bool { target.audio != nil || mixFormat != nil || joined != nil }

    func disposition(_ stream: SourceStream) -> SourceStream.StreamDisposition {
        switch stream.kind {
        case .video:
            // A movie has one frame here; what else there is are covers and other angles.
            guard stream.index == 0, !listens, !hasImagesForVideo, target.takesVideo, target.container.holdsVideo else {
                return .leaveOut
            }
            return !isComposed && (target.video == .copy || isFit(frame: stream.caps)) ? .copy : .decode
        case .audio:
            if target.audio == AudioCodec.none || !takesAudio || !target.tracks.takes(stream) { return .leaveOut }
            if mixFormat != nil { return stream.index == 0 ? .decode : .leaveOut }
            if joined != nil { return stream.index == 0 ? .decode : .leaveOut }
            return target.audio == nil || isFit(audio: stream.caps) ? .copy : .decode
        // They are put into the finished file, and other containers' are not carried.
        case .text: return .leaveOut
        }
    }

    /// Whether the frames are what the target would be, and nothing is to be done to them.
    private func isFit(frame caps: Caps) -> Bool {
        let settings = target.settings
        guard !settings.reencodes, !encodesAll, !hidesFrames, VideoCodec(caps: caps) == target.video,
            !settings.takesParts,
            settings.size == nil, settings.scale == nil,
            settings.rate == nil, settings.speed == nil, settings.crop == nil, settings.targetSize == nil,
            settings.targetQuality == nil,
            settings.rateControl == .standard, settings.encoderSpeed == nil, settings.deinterlacing != .always,
            target.lookupTable == nil, settings.burntSubtitles == nil, target.filters.video == nil,
            frameOrder?.mayDiffer(caps) != true
        else { return false }
        if settings.rotation == .apply || !target.container.isMovieFile, orientation != .upright { return false }
        let format = caps.first
        // H.264's parser (1.22) tells that frames may have fields, and not whether they do; whoever decodes them finds out.
        let mayBeInterlaced =
            format?["interlace-mode"]?.stringValue ?? "progressive" != "progressive"
            || format?["coded-picture-structure"]?.stringValue == "field"
        if mayBeInterlaced, deinterlaces { return false }
        if let wanted = target.bitDepth, let depth = format?["bit-depth-luma"]?.intValue, depth != wanted {
            return false
        }
        if case .exactly(let wanted) = target.chroma, let own = format?["chroma-format"]?.stringValue,
            own != wanted.rawValue
        {
            return false
        }
        if let profile = target.profile {
            guard format?["variant"]?.stringValue == profile.variant else { return false }
        }
        return true
    }

    private func isFit(audio caps: Caps) -> Bool {
        let settings = target.settings
        guard !settings.reencodes, !encodesAll, !settings.takesParts, settings.loudness == nil,
            settings.audioBitrate == nil, target.filters.audio == nil, let codec = self.codec(of: caps),
            codec == target.audio || target.keptAudio.map({ ContainerRules.allows(codec, in: $0) }) == true,
            settings.audioBitDepth == nil,
            settings.sampleRate == nil || settings.sampleRate == caps.first?["rate"]?.intValue,
            codec != .pcm, !LATMFrames.isLATM(caps), codec != .aac || !hasLATM, !MisreadStreams.contain(caps)
        else { return false }
        return settings.channels == nil || settings.channels == caps.first?["channels"]?.intValue
    }

    private func codec(of caps: Caps) -> AudioCodec? {
        AudioCodec(caps: caps) ?? (isMP3 && caps.first?.name == "audio/mpeg" ? .mp3 : nil)
    }

    /// ProRes is for editing, where fields are kept; all else is for screens.
    var deinterlaces: Bool {
        switch target.settings.deinterlacing {
        case .always: true
        case .never: false
        case .automatic: target.video != .prores
        }
    }

    /// What becomes of the frames, in bits; nil: their own depth.
    private var depth: Int? {
        switch target.video {
        case .prores: 10
        case .h264: target.bitDepth ?? 8
        default: target.bitDepth
        }
    }

    /// What frames are converted to, for those who work on them; nil where nobody does.
    private var formats: [String]? {
        let keepsAlpha = target.video == .prores && target.profile == .fourFourFourFour
        let graded = target.lookupTable.map { _ in
            FrameGrader.formats.filter { keepsAlpha || !VideoFrameLayout.hasAlpha($0) }
        }
        let filtered = target.filters.video.map { _ in
            FrameFormat.planar.filter { keepsAlpha || !VideoFrameLayout.hasAlpha($0) }
        }
        let wanted = isComposed ? ComposedFormat.names : filtered
        return wanted?.filter { graded?.contains($0) ?? true } ?? graded
    }

    var filters: MediaReader.Filters {
        let mode: Deinterlacer.Mode? =
            switch target.settings.deinterlacing {
            case .always: .interlaced
            case .never: nil
            case .automatic: deinterlaces ? .auto : nil
            }
        return MediaReader.Filters(
            deinterlacing: mode, channels: target.settings.channels ?? steadyAudio?.channels,
            mostChannels: mostChannels,
            audioDelay: target.settings.audioDelay, mixFormat: mixFormat, steadyRate: steadyAudio?.rate,
            measuresAudio: target.settings.loudness != nil || target.filters.audio != nil,
            joined: joined, uprights: isComposed || target.filters.video != nil ? orientation : nil,
            format: formats.map { Caps("video/x-raw", ["format": .list($0.map { .string($0) })]) },
            lookupTable: target.lookupTable, depth: depth)
    }
}

extension ProResProfile {
    /// GStreamer's name for it in caps.
    var variant: String {
        switch self {
        case .proxy: "proxy"
        case .lt: "lt"
        case .standard: "standard"
        case .hq: "hq"
        case .fourFourFourFour: "4444"
        }
    }
}
