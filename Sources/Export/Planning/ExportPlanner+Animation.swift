import Composition
import Encoding
import Errors
import GStreamer
import MediaTypes

/// How frames become those of an animated image.
extension ExportPlanner {
    /// Frames with square pixels, upright.
    func planAnimation(_ opened: OpenedTrack) throws -> Noted<PlannedVideo> {
        guard let format = opened.caps.first, let width = format["width"]?.intValue,
            let height = format["height"]?.intValue
        else { throw RushesError(.badInput, "The decoder does not say how large the frames are.") }
        let shape = opened.pixelShape
        let chain = try VideoFilters(
            target, properties, stored: VideoSize(width, height), shape: shape, squares: true)
        var notes = PlanNotes()
        let own = target.rate(of: opened.ownRate) ?? opened.ownRate?.multiplied(by: target.tempo)
        let slower = target.settings.rate == nil ? own.flatMap(AnimationTiming.reduced) : nil
        if let own, let slower {
            notes.add(
                "Players show a GIF of more than 50 frames a second at 10, so it has \(slower.rateText) of the \(own.rateText) a second; "
                    + "choose others with \(Term.frameRate).")
        }
        let isDrawnInto = target.burntSubtitles != nil
        if hasAlpha(format), properties.gif == nil {
            notes.add(
                isDrawnInto
                    ? "What is transparent is opaque in the GIF, as subtitles are drawn into its frames."
                    : "Pixels of a GIF are opaque or transparent: what is less than half opaque is transparent.")
        }
        let request = VideoRequest(
            codec: target.video, container: target.container, size: chain.size, rate: slower ?? own ?? Fraction(30),
            purpose: .export)
        let toneMapper = toneMapper(for: opened, bitDepth: request.bitDepth)
        notes.add(toneNotes(opened, request, toneMapper))
        let caps = (toneMapper == nil ? opened.caps : opened.caps.toneMapped).withoutStereo
        let isTransparent = hasAlpha(format) && !isDrawnInto
        // Colors of frames that are made smaller are as fine as these are.
        let name = Self.animationFormat(
            of: format["format"]?.stringValue ?? "", isTransparent: isTransparent, isScaled: chain.isScaled,
            isDrawnInto: isDrawnInto)
        var fields: [String: FieldValue] = [
            "format": .string(name), "width": .int(Int64(chain.size.width)),
            "height": .int(Int64(chain.size.height)), "pixel-aspect-ratio": .fraction(Fraction(1)),
        ]
        if let color = Colorimetry(caps), color.matrix != 0 {
            fields["colorimetry"] = color.capsText.map { .string($0) }
        }
        let frames = Caps("video/x-raw", fields)
        guard let layout = AnimationLayout(frames) else {
            throw RushesError(.badInput, "The frames cannot become those of a GIF: \(frames).")
        }
        let nodes =
            chain.nodes + [.make("videoconvert", ["dither": "none"]), .caps(frames)]
            + [.make("identity", name: "video-encoder")]
        return Noted(
            PlannedVideo(
                track: MoviePlan.Track(caps: caps, nodes: nodes), codec: target.video, toneMapper: toneMapper,
                rate: slower ?? target.rate(of: opened.ownRate), animation: layout,
                reason: "GIF with libavfilter and libavcodec\(chain.summary)"), notes)
    }
}

extension ExportPlanner {
    /// Which of those that are taken keeps most of a raw format, by GStreamer's names.
    private static func animationFormat(
        of name: String, isTransparent: Bool, isScaled: Bool, isDrawnInto: Bool
    ) -> String {
        if ["RGB", "BGR", "GBR"].contains(where: name.contains) { return isDrawnInto ? "Y444" : "BGRA" }
        let chroma = ChromaSubsampling(rawFormat: name)
        let isDeep = VideoFrameLayout.bitDepth(name) > 8
        guard !isTransparent else { return isDeep || isScaled || chroma != .yuv420 ? "A444_10LE" : "A420" }
        return switch isScaled ? .yuv444 : chroma {
        case .yuv420: isDeep ? "I420_10LE" : "I420"
        case .yuv422: isDeep ? "I422_10LE" : "Y42B"
        case .yuv444: isDeep ? "Y444_10LE" : "Y444"
        }
    }
}
