import Encoding
import GStreamer
import MediaTypes
import MovieFiles

/// What becomes of an image for each eye in one frame.
extension ExportPlanner {
    /// What a muxer is told of copied frames, where it says how both images lie in them; a note says where it does not.
    ///
    /// Matroska's (1.22) says it by caps and takes their shape for that of one eye's image, but has another number than the standard for
    /// a right eye that comes first side by side. QuickTime's and MP4's does not, so `MovieFileWriter` does.
    func stereoCaps(_ caps: Caps, _ notes: inout [String]) -> Caps {
        guard let stereo = properties.stereo else {
            if let layout = caps.first?.stereoLayout, target.container.isMovieFile {
                notes.append("The frames have an image for each eye (\(layout)), which the movie does not say.")
            }
            return caps
        }
        var caps = caps.withoutStereo
        let shape = stereo.pixelAspect ?? caps.first?["pixel-aspect-ratio"]?.fractionValue ?? Fraction(1)
        caps = caps.setting("pixel-aspect-ratio", to: .fraction(shape))
        if target.container.isMovieFile, stereo.layout.hasBox { return caps }
        let (mode, eye): (String, Fraction) =
            switch stereo.layout {
            case .sideBySide: ("side-by-side", Fraction(shape.numerator, shape.denominator * 2))
            case .topBottom, .bottomTop: ("top-bottom", Fraction(shape.numerator * 2, shape.denominator))
            default: ("", shape)
            }
        guard !target.container.isMovieFile, !mode.isEmpty else {
            notes.append(stereo.layout.omission(in: target.container.displayName))
            return caps
        }
        caps = caps.setting("multiview-mode", to: .string(mode)).setting("pixel-aspect-ratio", to: .fraction(eye))
        // The flags that are set, and which of them are told at all.
        let flags = FieldValue.other(type: "GstVideoMultiviewFlagsSet", text: "1:ffffffff")
        return stereo.layout == .bottomTop ? caps.setting("multiview-flags", to: flags) : caps
    }
}

extension Caps {
    /// The same without what they say of an image for each eye.
    var withoutStereo: Caps { setting("multiview-mode", to: nil).setting("multiview-flags", to: nil) }
}

extension Structure {
    /// How caps of GStreamer name where the images of both eyes lie; nil where there is one.
    var stereoLayout: String? {
        self["multiview-mode"]?.stringValue.flatMap { $0 == "mono" ? nil : $0 }
    }
}
