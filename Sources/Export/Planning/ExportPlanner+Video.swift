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
}
