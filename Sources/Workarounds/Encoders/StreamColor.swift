package import GStreamer
package import MovieFiles

/// GStreamer 1.22, av1enc: goes with the version that writes what the colors mean; `WorkaroundTests` “av1enc, what the colours mean”.
///
/// Puts the colors' meaning into the encoded frames themselves, for the encoders of GStreamer 1.22 that leave it out, and for colors that
/// its caps have no word for: players look there first, and believe it more than the `colr` box beside it.
package struct StreamColor: Sendable, Equatable {
    /// How the frames are coded.
    package enum Stream: Sendable { case proRes, av1, vp9, avc, hevc }

    /// How the frames are coded.
    package var stream: Stream
    /// What is put into them.
    package var color: ColorInformation

    package init(_ stream: Stream, _ color: ColorInformation) { (self.stream, self.color) = (stream, color) }

    /// An encoder's nodes such that parameter sets stand among its frames: x264enc puts them into caps otherwise.
    ///
    /// - Throws: ``GStreamerError`` if these caps are none.
    package static func stampable(
        _ nodes: [PipelineDescription.Node]
    ) throws(GStreamerError) -> [PipelineDescription.Node] {
        guard
            let place = nodes.firstIndex(where: { node in
                if case .element("x264enc", name: _, properties: _) = node { true } else { false }
            })
        else { return nodes }
        var nodes = nodes
        nodes.insert(.caps(try Caps("video/x-h264,stream-format=(string)byte-stream")), at: place + 1)
        return nodes
    }

    /// A frame that cannot be read or changed goes on as it is: unspecified colors are no reason to lose it.
    package func stamp(_ frame: inout Buffer) {
        switch stream {
        // ``ProResEncoder`` does not know the colors and leaves them at "unspecified".
        case .proRes: try? frame.withMutableBytes { ProResColors.describe($0, color) }
        case .av1: stampAV1(&frame)
        case .vp9:
            guard frame.isKeyFrame else { return }
            try? frame.withMutableBytes { VP9Color.describe($0, matrix: color.matrix) }
        case .avc, .hevc:
            guard frame.isKeyFrame, let bytes = try? frame.withBytes({ Array($0) }),
                let described = ParameterSetColors.describing(bytes, isHEVC: stream == .hevc, color)
            else { return }
            frame = frame.replacingBytes(with: described)
        }
    }

    /// av1enc leaves the colors out of the sequence header, which is in each key frame's temporal unit.
    private func stampAV1(_ unit: inout Buffer) {
        guard unit.isKeyFrame, let bytes = try? unit.withBytes({ Array($0) }),
            let described = AV1Colour.describing(
                bytes, primaries: UInt8(clamping: color.primaries), transfer: UInt8(clamping: color.transfer),
                matrix: UInt8(clamping: color.matrix), isFullRange: color.isFullRange == true,
                chromaLocation: color.chromaLocation)
        else { return }
        unit = unit.replacingBytes(with: described)
    }
}
