package import GStreamer
package import Imaging

extension ToneMapping {
    /// `nil` for frames that are not HDR, and for raw formats whose colors are not changed here.
    ///
    /// - Parameters:
    ///   - caps: what the frames are.
    ///   - peak: of PQ, in candela a square metre, where it is known.
    package init?(_ caps: Caps, peak: Double?) {
        guard let colorimetry = Colorimetry(caps), let format = VideoFrameLayout(caps)?.format,
            GradedLayout(format) != nil
        else { return nil }
        let primaries: ColorPrimaries =
            switch colorimetry.primaries {
            case 1: .bt709
            case 11, 12: .displayP3
            default: .bt2020
            }
        switch colorimetry.transfer {
        case 16: self.init(.pq, primaries, peak: peak)
        case 18: self.init(.hlg, primaries)
        default: return nil
        }
    }
}

extension Caps {
    /// What frames are behind a ``ToneMapping``: BT.709 in the range that they have, with nothing said of their light.
    package var toneMapped: Caps {
        guard let first, let colorimetry = Colorimetry(self) else { return self }
        var fields = first.fields
        fields["colorimetry"] = .string(colorimetry.isFullRange ? "1:3:5:1" : "bt709")
        fields["mastering-display-info"] = nil
        fields["content-light-level"] = nil
        return Caps(first.name, fields)
    }
}
