import Encoding
import Errors
import GStreamer
import MediaTypes
import MovieFiles
import Workarounds

/// Video that stays as it is.
extension ExportPlanner {
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
    func copyVideo(_ opened: OpenedTrack) throws -> Noted<PlannedVideo> {
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
        guard properties.frameOrder?.mayDiffer(opened.given) != true else {
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
        // Matroska can hold nearly all, but not what its muxer does not know.
        let notHere =
            "The video (\(caps.codecName)) cannot be copied into \(target.container.displayName) here; choose another \(Term.preset)."
        // matroskamux (1.22) writes no description of RealVideo, without which nothing decodes it.
        guard caps.first?.name != "video/x-pn-realvideo" || target.container.isMovieFile else {
            throw RushesError(.invalidSettings, notHere)
        }
        let isTaken =
            codec != nil
            || muxer?.templateCaps(source: false).contains { $0.canIntersect(caps) } == true
                // matroskamux (1.22) takes FFV1 by a field that nothing writes.
                && caps.first?.name != "video/x-ffv"
        let header = isTaken || target.container != .mkv ? nil : properties.header(of: caps)
        guard isTaken || header != nil else {
            throw RushesError(
                .invalidSettings,
                target.container == .mkv
                    ? notHere
                    : "\(target.container.displayName) cannot hold the video as it is (\(caps.codecName)); "
                        + "choose another \(Term.preset) or ending.")
        }
        // A stamper (1.22) takes each field for a frame, and has fields that are shown before others wait for those.
        let isFields = caps.first?["coded-picture-structure"]?.stringValue == "field"
        let isStamped = opened.first.decodeTime != nil && target.settings.range == nil
        // It counts them by the rate, too.
        let stampsDecoding =
            !(isFields || hasClockRate)
            || (target.container.isMovieFile && (!isStamped || hasClockRate && opened.first.decodeTime == nil))
        var track = MoviePlan.Track(caps: caps, nodes: codec?.storedForm(stampsDecoding: stampsDecoding) ?? [])
        if let header { (track.caps, track.bitmapHeader) = (MatroskaBitmapHeader.caps(caps, header), header) }
        let video = PlannedVideo(
            track: track, codec: codec, view: notes.take(view(nil, opened)),
            reason: "\(codec?.displayName ?? caps.codecName) is copied as it is")
        return Noted(video, notes)
    }
}

extension InputProperties {
    /// How Matroska describes frames of a codec that its muxer does not know: as AVI has it.
    ///
    /// - Returns: nil where nothing says what they are.
    fileprivate func header(of caps: Caps) -> BitmapHeader? {
        if let bitmapHeader { return bitmapHeader }
        guard let format = caps.first, let code = CodecIdentifiers(mediaType: format.name)?.aviCode,
            let width = format["width"]?.intValue, let height = format["height"]?.intValue
        else { return nil }
        return BitmapHeader(VideoSize(width, height), code: Array(code.utf8))
    }
}

extension OpenedTrack {
    /// How wide a pixel of DV is for its height whose container does not say, as AVI need not.
    fileprivate var shapeOfDV: Fraction? {
        guard let format = caps.first, format.name == "video/x-dv", format["pixel-aspect-ratio"] == nil,
            format["width"]?.intValue == 720
        else { return nil }
        return (try? first.buffer?.withBytes { DVFrame.pixelAspect(Array($0.prefix(480))) }) ?? nil
    }
}
