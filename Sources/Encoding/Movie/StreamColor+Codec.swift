package import GStreamer
package import MovieFiles
package import Workarounds

extension StreamColor {
    /// - Returns: `nil` for a codec whose encoders write the colors themselves, or where the colors are not known.
    package init?(_ codec: VideoCodec?, _ color: GStreamer.Colorimetry?) {
        guard let color else { return nil }
        switch codec {
        case .prores: self.init(.proRes, ColorInformation(color))
        case .av1: self.init(.av1, ColorInformation(color))
        default: return nil
        }
    }

    /// For colors that the encoder does not know.
    ///
    /// - Returns: `nil` for a codec that has no word for colors.
    package init?(_ codec: VideoCodec?, rewriting color: ColorInformation) {
        switch codec {
        case .prores: self.init(.proRes, color)
        case .av1: self.init(.av1, color)
        case .vp9: self.init(.vp9, color)
        case .h264: self.init(.avc, color)
        case .hevc: self.init(.hevc, color)
        default: return nil
        }
    }
}

extension ColorInformation {
    /// The same as GStreamer has it of frames.
    package init(_ colorimetry: GStreamer.Colorimetry) {
        self.init(
            primaries: UInt16(clamping: colorimetry.primaries), transfer: UInt16(clamping: colorimetry.transfer),
            matrix: UInt16(clamping: colorimetry.matrix), isFullRange: colorimetry.isFullRange)
    }
}
