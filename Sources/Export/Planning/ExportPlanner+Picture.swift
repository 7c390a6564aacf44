import Encoding
import GStreamer
import MovieFiles

struct PlannedPicture {
    var track: MoviePlan.Track
    var codec: VideoCodec?
    var streamColour: StreamColour?
    var isHardware = false
    var reason: String
}

extension ExportPlanner {
    func planPicture(_ opened: OpenedTrack, software: Bool, _ notes: inout [String]) async throws -> PlannedPicture {
        if opened.track.isCopied { return try copyPicture(opened) }
        guard let format = opened.caps.first, let width = format["width"]?.intValue,
            let height = format["height"]?.intValue
        else { throw ExportError(.badInput, "The decoder does not say how large the pictures are.") }
        let chain = try PictureFilters(target, facts, stored: VideoSize(width, height), format)
        let depth = bitDepth(of: format, &notes)
        let rate = target.settings.rate ?? format["framerate"]?.fractionValue.flatMap { $0.numerator > 0 ? $0 : nil }
        var refusals: [String] = []
        for encoder in try encoders(chain.size, rate ?? Fraction(30), depth, &notes)
        where !(software && encoder.isHardware) {
            let nodes = chain.nodes + (try encoder.nodes(colorimetry: format["colorimetry"]?.stringValue))
            if encoder.isHardware, let failure = await EncoderProbe.failure(of: nodes, caps: opened.caps) {
                notes.append("\(encoder.element) does not open (\(failure)); the next encoder was taken.")
                refusals.append(failure)
                continue
            }
            if Self.hasFullChroma(format["format"]?.stringValue), !encoder.formats.contains(where: Self.hasFullChroma) {
                notes.append("The colours are finer than the 4:2:0 that \(target.video.displayName) keeps here.")
            }
            let rated = opened.caps.setting("framerate", to: .fraction(rate ?? opened.usualRate))
            return PlannedPicture(
                track: MoviePlan.Track(caps: rated, nodes: nodes), codec: encoder.codec,
                streamColour: StreamColour(encoder.codec, Colorimetry(opened.caps)), isHardware: encoder.isHardware,
                reason: "\(encoder.reason)\(chain.words)")
        }
        throw EncodingError(
            .encoderMissing, "No encoder for this picture opens: \(refusals.joined(separator: "; "))")
    }

    private func encoders(
        _ size: VideoSize, _ rate: Fraction, _ depth: Int, _ notes: inout [String]
    ) throws -> [VideoEncoder] {
        var request = VideoRequest(
            codec: target.video, profile: target.profile, container: target.container, size: size, rate: rate,
            bitDepth: depth, purpose: .export, control: target.control, speed: target.speed)
        let asked = Result { try tables.videoEncoders(for: request) }
        guard case .failure = asked, depth > 8, target.bitDepth == nil else { return try asked.get() }
        request.bitDepth = 8
        let encoders = try tables.videoEncoders(for: request)
        notes.append("The pictures have more than 8 bit, which \(target.video.displayName) does not keep here.")
        return encoders
    }

    /// What is asked for; else the input's, but for H.264, of which most players read 8 bit only.
    private func bitDepth(of format: Structure, _ notes: inout [String]) -> Int {
        if let depth = target.bitDepth { return depth }
        if target.video == .prores { return 10 }
        let name = format["format"]?.stringValue ?? ""
        let isDeep = ["10", "12", "14", "16"].contains { name.contains("_\($0)") } || name.hasPrefix("P01")
        guard isDeep, target.video == .h264 else { return isDeep ? 10 : 8 }
        notes.append(
            "The pictures have more than 8 bit, which few players read in H.264: 8 are kept; --bit-depth 10 keeps more."
        )
        return 8
    }

    /// Whether a raw format has more colour samples than 4:2:0.
    private static func hasFullChroma(_ format: String?) -> Bool {
        guard let format else { return false }
        return ["I422", "Y42B", "Y444", "YUY2", "UYVY", "v210", "GBR", "RGB", "BGR", "ARGB", "AYUV"].contains {
            format.hasPrefix($0)
        }
    }

    /// The stream as it is, in the form that the container wants.
    private func copyPicture(_ opened: OpenedTrack) throws -> PlannedPicture {
        let caps = opened.caps
        let codec = VideoCodec(caps: caps)
        if let codec, !ContainerRules.allows(codec, in: target.container) {
            try ContainerRules.check(video: codec, audio: .none, in: target.container)
        }
        let nodes: [PipelineDescription.Node] =
            switch codec {
            // The muxers need decoding times, which not all containers tell.
            case .h264:
                [
                    .make("h264parse"), .make("h264timestamper"),
                    .caps(try Caps("video/x-h264,stream-format=avc,alignment=au")),
                ]
            case .hevc:
                [
                    .make("h265parse"), .make("h265timestamper"),
                    .caps(try Caps("video/x-h265,stream-format=hvc1,alignment=au")),
                ]
            case .av1: [.make("av1parse")]
            case .vp9: [.make("vp9parse")]
            default: []
            }
        let muxer = ElementFactory(target.container.muxer)
        if codec == nil, muxer?.templateCaps(source: false).contains(where: { $0.canIntersect(caps) }) != true {
            throw ExportError(
                .unsuitable,
                "\(target.container.displayName) cannot hold the picture as it is (\(caps.first?.name ?? "unknown")); "
                    + "choose another --preset or ending.")
        }
        return PlannedPicture(
            track: MoviePlan.Track(caps: caps, nodes: nodes), codec: codec,
            reason: "\(codec?.displayName ?? caps.first?.name ?? "the picture") is copied as it is")
    }
}

extension OpenedTrack {
    /// What pictures a second the first picture's duration stands for, where the file does not tell: x265enc (1.22) does not
    /// open without a rate, and without one the parsers behind encoders let a movie of one picture last no time at all.
    fileprivate var usualRate: Fraction {
        guard let duration = first.buffer?.duration, duration > 0 else { return Fraction(30) }
        // In milliseconds, for numbers that all elements take.
        return Fraction(1000, Int(min(max(duration / .millisecond, 1), 1_000_000)))
    }
}
