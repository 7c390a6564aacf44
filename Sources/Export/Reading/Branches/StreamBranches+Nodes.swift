import Encoding
import GStreamer
import MovieFiles
import Threads
import Workarounds

/// What stands behind decoders for the sake of the frames and the audio that they give.
extension StreamBranches {
    /// What has to become of what a decoder gives before the filters take it.
    func preparation(_ stream: SourceStream, _ decoded: Caps?) -> [PipelineDescription.Node] {
        switch stream.kind {
        case .video:
            // What an index says is of the first stream.
            let told = stream.index == 0 && stream.caps.first?.name == "video/x-raw" ? decoding.fieldOrder : nil
            // Whose palette's colors are all opaque.
            let isOpaque =
                stream.caps.first?.name == "video/x-rle" && stream.caps.first?["layout"]?.stringValue == "microsoft"
            if let decoded, !isOpaque, filters.losesAlpha(of: decoded) { state.withLock { $0.losesAlpha = true } }
            // Which others (1.22) than those that convert do not take.
            let hasPalette = decoded?.first?["format"]?.stringValue == "RGB8P"
            let crop = hasPalette ? Self.withoutPalette(isOpaque: isOpaque) : stream.index == 0 ? cropNodes : []
            guard let prepared = filters.deinterlacer?.preparation(decoded, told) else { return crop }
            state.withLock { ($0.fieldNodes, $0.losesDepth) = (prepared.nodes, prepared.losesDepth) }
            return crop + prepared.nodes
        case .audio:
            guard let channels = decoded?.first?["channels"]?.intValue, let count = filters.mixed(channels) else {
                return []
            }
            let mixable = SpeakerLayout.mixable(decoded, to: count)
            if !mixable.isEmpty { state.withLock { $0.unnamedMix = .init(channels: channels, count: count) } }
            return mixable
        case .text: return []
        }
    }

    private static func withoutPalette(isOpaque: Bool) -> [PipelineDescription.Node] {
        let format = Caps("video/x-raw", ["format": .string(isOpaque ? "BGRx" : "BGRA")])
        return [.make("videoconvert", ["dither": "none"]), .caps(format)]
    }

    /// flvdemux (1.22) does not tell decoders how much of the frames of VP6 is shown.
    private var cropNodes: [PipelineDescription.Node] {
        guard let size = decoding.vp6, size.hiddenColumns + size.hiddenRows > 0 else { return [] }
        return [.make("videocrop", ["right": .int(size.hiddenColumns), "bottom": .int(size.hiddenRows)])]
    }

    /// Frames that do not say what their colors are: decoders take those that are usual for their size.
    private static let colorless: Set = ["image/x-jpc", "image/x-j2c", "image/jp2", "video/x-raw"]

    /// What sets right what a decoder says of its frames, and what stands behind everything else.
    typealias ColorNodes = (first: [PipelineDescription.Node], last: [PipelineDescription.Node])

    func colorNodes(
        _ stream: SourceStream, _ output: Pad
    ) throws(GStreamerError) -> ColorNodes {
        guard stream.kind == .video, let caps = output.currentCaps else { return ([], []) }
        // What an index says is of the first stream.
        let isFirst = stream.index == 0
        var fields = DecodedFrames.corrections(
            caps, isFullRange: isFirst ? decoding.isFullRange : nil,
            pixelAspect: isFirst ? decoding.pixelAspect ?? DecodedFrames.shapeOfMPEG1(stream.caps) : nil)
        if isFirst, Self.colorless.contains(stream.caps.first?.name ?? ""), var color = decoding.describedColor {
            let format = caps.first?["format"]?.stringValue ?? ""
            if ["RGB", "BGR", "GBR"].contains(where: format.contains) { (color.matrix, color.isFullRange) = (0, true) }
            fields["colorimetry"] = color.capsText.map { .string($0) } ?? fields["colorimetry"]
        }
        if isFirst, filters.deinterlacing == nil, let order = decoding.fieldOrder {
            fields.merge(order.corrections(caps, isRaw: stream.caps.first?.name == "video/x-raw")) { $1 }
        }
        var first: [PipelineDescription.Node] = []
        if !fields.isEmpty { first.append(.make("capssetter", ["caps": .caps(Caps("video/x-raw", fields))])) }
        if let opaque = DecodedFrames.withoutUnusedByte(caps) { first += [.make("videoconvert"), .caps(opaque)] }
        let toMap = DecodedFrames.planes(ofRGB: caps, colorimetry: fields["colorimetry"]?.stringValue, filters.depth)
        let last: [PipelineDescription.Node] = toMap.map { [.make("videoconvert"), .caps($0)] } ?? []
        state.withLock { $0.colorNodes = (first, last) }
        return (first, last)
    }
}

extension FieldOrder {
    /// What the index says of frames that stay two fields each, where their decoder does not tell which is first, or they have none.
    fileprivate func corrections(_ decoded: Caps, isRaw: Bool) -> [String: FieldValue] {
        let mode = decoded.first?["interlace-mode"]?.stringValue ?? "progressive"
        guard mode == "interleaved" || isRaw && mode == "progressive", decoded.first?["field-order"] == nil else {
            return [:]
        }
        let order = self == .topFirst ? "top-field-first" : "bottom-field-first"
        return ["interlace-mode": .string("interleaved"), "field-order": .string(order)]
    }
}
