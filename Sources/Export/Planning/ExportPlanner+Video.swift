import Composition
import Encoding
import Errors
import GStreamer
import MovieFiles
import Workarounds

struct PlannedVideo {
    var track: MoviePlan.Track
    var codec: VideoCodec?
    var streamColor: StreamColor?
    /// What the container says of colors, where its muxer cannot know it.
    var color: ColorInformation?
    /// How it is told that the frames are looked at.
    var view = ImmersiveView()
    var isHardware = false
    /// See ``VideoEncoder/copiesFrames``.
    var isLent = false
    /// See ``VideoEncoder/pass``.
    var pass: EncodingPass?
    var firstPassShare = 0.5
    /// What makes SDR of the frames before they are handed in; nil: they stay as they are.
    var toneMapper: FrameGrader?
    /// The constant rate that they get, where the input's is too high.
    var rate: Fraction?
    /// What they are behind ``track``, where they become an animated image.
    var animation: AnimationLayout?
    var reason: String
}

/// Who is to encode the frames of an export, and what is done to them before.
struct EncoderSelection: Sendable {
    var filters: VideoFilters
    var encoder: VideoEncoder
    var request: VideoRequest
    /// The frames as the decoder gives them, or as ``toneMapper`` makes them, with the rate that the encoder is told.
    var caps: Caps
    /// What makes SDR of the frames before they are handed in; nil: they stay as they are.
    var toneMapper: FrameGrader?
}

extension ExportPlanner {
    func planVideo(_ opened: OpenedTrack, software: Bool) async throws -> Noted<PlannedVideo> {
        var notes = PlanNotes([properties.assumedRate(opened.track.stream.caps)].compactMap(\.self))
        if target.container == .gif {
            let planned = notes.take(try planAnimation(opened))
            return Noted(planned, notes)
        }
        if opened.track.isCopied {
            notes.add(Self.turned(properties.orientation, in: target.container))
            return Noted(notes.take(try copyVideo(opened)), notes)
        }
        let choice = notes.take(try await chooseVideo(opened, software: software))
        let encoder = choice.encoderOfPlanes
        notes.add(toneNotes(opened, choice.request, choice.toneMapper))
        let caps = choice.encodedCaps
        let raw = caps.first
        var nodes = try encoder.nodes(
            format: raw?["format"]?.stringValue, colorimetry: raw?["colorimetry"]?.stringValue)
        let color = notes.take(colors(of: opened, choice))
        let stamp = color.flatMap { StreamColor(encoder.codec, rewriting: $0) }
        if stamp != nil { nodes = try StreamColor.stampable(nodes) }
        let video = PlannedVideo(
            track: MoviePlan.Track(
                caps: caps, nodes: choice.filters.nodes + nodes),
            codec: encoder.codec, streamColor: stamp ?? StreamColor(encoder.codec, Colorimetry(caps)),
            color: color, view: notes.take(view(choice.filters, opened)),
            isHardware: encoder.isHardware, isLent: encoder.copiesFrames, pass: encoder.pass,
            firstPassShare: encoder.firstPassShare, toneMapper: choice.toneMapper,
            rate: target.rate(of: opened.ownRate),
            reason: "\(encoder.reason)\(choice.filters.summary)")
        return Noted(video, notes)
    }

    /// The first encoder that fits and opens.
    func chooseVideo(_ opened: OpenedTrack, software: Bool) async throws -> Noted<EncoderSelection> {
        guard let format = opened.caps.first, let width = format["width"]?.intValue,
            let height = format["height"]?.intValue
        else { throw RushesError(.badInput, "The decoder does not say how large the frames are.") }
        let shape = opened.pixelShape
        let chain = try VideoFilters(target, properties, stored: VideoSize(width, height), shape: shape)
        let rate = target.rate(of: opened.ownRate) ?? opened.ownRate?.multiplied(by: target.tempo)
        var notes = PlanNotes(chain.notes)
        var wanted = VideoRequest(
            codec: target.video, profile: target.profile, container: target.container, size: chain.size,
            rate: rate ?? Fraction(30), bitDepth: notes.take(bitDepth(of: format)),
            // Live, none reorders frames.
            purpose: target.edge == nil ? .export : .live, control: target.control, speed: target.speed)
        (wanted.pass, wanted.requiredSpeed) = (
            target.round?.pass, target.edge == nil ? target.settings.encoderSpeed : nil
        )
        let isTransparent = hasAlpha(format)
        wanted.hasAlpha = isTransparent && target.burntSubtitles == nil
        if isTransparent, !wanted.hasAlpha {
            notes.add("What is transparent is opaque in the movie, as subtitles are drawn into its frames.")
        }
        if properties.hasAlphaLayer { notes.add(InputProperties.lostAlphaLayer) }
        var refusals: [String] = []
        var isTold = false
        let (request, encoders) = notes.take(try encoders(for: wanted, format["format"]?.stringValue ?? ""))
        let toneMapper = toneMapper(for: opened, bitDepth: request.bitDepth)
        // Matroska's muxer (1.22) would say that of frames with an image for each eye, and not that what it says of their shape is of one
        // eye's.
        let caps = (toneMapper == nil ? opened.caps.telling(light(of: opened)) : opened.caps.toneMapped).withoutStereo
        for encoder in encoders where !(software && encoder.isHardware) {
            if request.hasAlpha, !encoder.keepsAlpha, !isTold {
                isTold = true
                notes.add(properties.lostAlpha(in: target.container))
            }
            if encoder.isHardware {
                let nodes =
                    chain.nodes
                    + (try encoder.nodes(
                        format: format["format"]?.stringValue, colorimetry: caps.first?["colorimetry"]?.stringValue))
                if let failure = await EncoderProbe.failure(of: nodes, caps: caps) {
                    notes.add("\(encoder.element) cannot be opened (\(failure)); the next encoder was used.")
                    refusals.append(failure)
                    continue
                }
            }
            let rated = caps.setting("framerate", to: .fraction(rate ?? opened.usualRate.multiplied(by: target.tempo)))
            let selection = EncoderSelection(
                filters: chain, encoder: encoder, request: request, caps: rated, toneMapper: toneMapper)
            return Noted(selection, notes)
        }
        throw RushesError(
            .encoderMissing, "No encoder for this video opens: \(refusals.joined(separator: "; "))")
    }

    /// Whether the frames say how opaque they are, as far as anything of them is not.
    func hasAlpha(_ format: Structure) -> Bool {
        VideoFrameLayout.hasAlpha(format["format"]?.stringValue ?? "") && properties.mayBeTransparent
    }

    /// What is told where copied frames lose how they are turned.
    static func turned(_ orientation: MovieOrientation, in container: Container) -> [String] {
        guard orientation != .upright, !container.isMovieFile else { return [] }
        return [
            "Rushes does not write into \(container.displayName) how players turn or mirror the video, so it is shown as it is stored; "
                + "keep it upright with .mov or .mp4, or by encoding it with \(Term.rotation) apply."
        ]
    }

    /// How frames that an edit list hides are kept, in words.
    private var copyWithEdits: String {
        target.container.isMovieFile
            ? "it is kept only where all audio is copied too" : "\(target.container.displayName) has no edit lists"
    }

    /// The stream as it is, in the form that the container wants.
    private func copyVideo(_ opened: OpenedTrack) throws -> Noted<PlannedVideo> {
        // The typefinder (1.22) knows what it is, and no parser gives it times.
        guard
            properties.container != .other || opened.caps.first?["sof-marker"] == nil
                || opened.caps.first?["framerate"] != nil
        else {
            throw RushesError(
                .invalidSettings,
                "The video (Motion JPEG) cannot be copied: JPEGs without a container do not say when they are shown; \(Term.reencoding)."
            )
        }
        guard properties.frameOrder?.mayDiffer(opened.track.stream.caps) != true else {
            throw RushesError(
                .invalidSettings,
                "The video (\(opened.track.stream.caps.codecName)) cannot be copied: frames of its kind may be shown in another order than "
                    + "they are coded in, and this file does not say when they are shown; \(Term.reencoding).")
        }
        guard opened.first.movieTime != nil || opened.first.decodeTime != nil || !properties.container.isTransport
        else {
            guard target.video == .copy else { throw RetryReason(part: .copying) }
            throw RushesError(
                .invalidSettings,
                "The video (\(opened.track.stream.caps.codecName)) cannot be copied: this file does not say when its frames are shown; "
                    + "\(Term.reencoding).")
        }
        guard properties.video?.hidesNeededFrames != true else {
            throw RushesError(
                .invalidSettings,
                "The video (\(opened.track.stream.caps.codecName)) cannot be copied in this way: an edit list hides frames that others need, "
                    + "and \(copyWithEdits); choose a \(Term.videoCodec) that encodes the video again.")
        }
        // GStreamer's demuxer (1.22) hangs what is transparent on the frames, and no muxer takes it from there.
        var notes = PlanNotes()
        if opened.caps.first?["codec-alpha"]?.boolValue == true {
            notes.add(properties.lostAlpha(in: target.container, isCopied: true))
        }
        // Nor do they take the description of a layer.
        if properties.hasAlphaLayer { notes.add(InputProperties.lostAlphaLayer) }
        // What a muxer writes of light it knows by caps alone.
        var caps = shapeOfAll(opened.caps.telling(light(of: opened)).namingProResVariant)
        if let size = opened.untoldSize {
            caps = caps.setting("width", to: .int(Int64(size.width))).setting("height", to: .int(Int64(size.height)))
        }
        if let shape = opened.shapeOfDV { caps = caps.setting("pixel-aspect-ratio", to: .fraction(shape)) }
        // Without a rate a movie of one frame would last for no time.
        let assumed = properties.container.assumedFrameLength(opened.track.stream.caps)
        if let assumed {
            caps = caps.setting("framerate", to: .fraction(Fraction(Int(MediaTime.second / assumed))))
        }
        // mp4mux (1.22) counts with a hundred times the rate, in 32 bits.
        let hasClockRate = assumed == nil && opened.ownRate == nil && opened.toldRate != nil
        if hasClockRate {
            caps = caps.setting("framerate", to: .fraction(OpenedTrack.fastest))
        }
        let codec = VideoCodec(caps: caps)
        if let codec, !ContainerRules.allows(codec, in: target.container) {
            try ContainerRules.check(video: codec, audio: .none, in: target.container)
        }
        let muxer = ElementFactory(target.container.muxer)
        // matroskamux (1.22) writes no description of RealVideo, without which nothing decodes it.
        guard caps.first?.name != "video/x-pn-realvideo" || target.container.isMovieFile else {
            throw RushesError(
                .invalidSettings,
                "The video (\(caps.codecName)) cannot be copied into \(target.container.displayName) here; "
                    + "choose another \(Term.preset).")
        }
        if codec == nil, muxer?.templateCaps(source: false).contains(where: { $0.canIntersect(caps) }) != true {
            throw RushesError(
                .invalidSettings,
                "\(target.container.displayName) cannot hold the video as it is (\(caps.codecName)); "
                    + "choose another \(Term.preset) or ending.")
        }
        // A stamper (1.22) takes each field for a frame, and has fields that are shown before others wait for those.
        let isFields = caps.first?["coded-picture-structure"]?.stringValue == "field"
        let isStamped = opened.first.decodeTime != nil && target.settings.range == nil
        // It counts them by the rate, too.
        let stampsDecoding =
            !(isFields || hasClockRate)
            || (target.container.isMovieFile && (!isStamped || hasClockRate && opened.first.decodeTime == nil))
        let video = PlannedVideo(
            track: MoviePlan.Track(caps: caps, nodes: codec?.storedForm(stampsDecoding: stampsDecoding) ?? []),
            codec: codec, view: notes.take(view(nil, opened)),
            reason: "\(codec?.displayName ?? caps.codecName) is copied as it is")
        return Noted(video, notes)
    }
}

extension InputProperties {
    /// Whether frames that say how opaque they are may be anything but opaque.
    var mayBeTransparent: Bool { gif?.hasTransparency ?? true }

    /// A sentence for an output of HEVC whose frames have a layer that says how opaque they are.
    static var lostAlphaLayer: String {
        "What is transparent is opaque in the movie: nothing here decodes the transparency of HEVC; \(Term.preset) copy into .mov or "
            + ".mp4 keeps it where all of the movie is copied."
    }

    /// A sentence for an output that does not keep how opaque the frames are.
    ///
    /// - Parameter isCopied: whether the frames stay as they are, without what lies beside them.
    func lostAlpha(in output: Container, isCopied: Bool = false) -> String {
        let what =
            gif == nil
            ? "What is transparent is opaque in the movie" : "What is transparent in the GIF is white in the movie"
        if isCopied, container == .matroska, output == .mkv || output == .webm {
            return "\(what); \(Term.preset) copy keeps it where all of the movie is copied."
        }
        let home = ContainerRules.allows(.prores, in: output) ? "ProRes" : "ProRes in .mov or .mkv"
        return "\(what); \(home) keeps it, with \(Term.profile) 4444."
    }
}

extension OpenedTrack {
    /// How wide a pixel is for its height.
    var pixelShape: Fraction {
        caps.first?["pixel-aspect-ratio"]?.fractionValue.flatMap { $0.doubleValue > 0 ? $0 : nil } ?? Fraction(1)
    }

    /// The same of DV whose container does not say, as AVI need not.
    fileprivate var shapeOfDV: Fraction? {
        guard let format = caps.first, format.name == "video/x-dv", format["pixel-aspect-ratio"] == nil,
            format["width"]?.intValue == 720
        else { return nil }
        return (try? first.buffer?.withBytes { DVFrame.pixelAspect(Array($0.prefix(480))) }) ?? nil
    }

    /// What more frames a second than these are called is a clock's rate: some streams tell that of the clock that their times are counted by.
    fileprivate static let fastest = Fraction(1000)

    /// What the stream calls that.
    fileprivate var toldRate: Fraction? {
        caps.first?["framerate"]?.fractionValue.flatMap { $0.numerator > 0 ? $0 : nil }
    }

    /// Frames a second, where the decoder tells.
    var ownRate: Fraction? { toldRate.flatMap { $0.doubleValue <= Self.fastest.doubleValue ? $0 : nil } }

    /// What frames a second the first frame's duration stands for, where the file does not tell: x265enc (1.22) does not
    /// open without a rate, and without one the parsers behind encoders let a movie of one frame last no time at all.
    fileprivate var usualRate: Fraction {
        guard let duration = first.buffer?.duration, duration > .zero else { return Fraction(30) }
        // In milliseconds, for numbers that all elements take.
        return Fraction(1000, Int(min(max(duration / .millisecond, 1), 1_000_000)))
    }
}
