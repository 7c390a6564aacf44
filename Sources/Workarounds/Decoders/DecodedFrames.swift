package import GStreamer
package import MediaTypes

/// GStreamer 1.22, gst-libav: goes with the version that believes the index; `WorkaroundTests` “avdec_h264, pixels that only the movie calls square”.
///
/// What decoders, and the demuxers before them, say wrongly of frames (GStreamer and gst-libav 1.22).
package enum DecodedFrames {
    /// The fields of a decoder's caps that are otherwise in truth; empty where all is as it should be.
    ///
    /// - Parameters:
    ///   - isFullRange: as the file's index says. Demuxers of MP4 and Matroska leave that out, and decoders then believe them.
    ///   - pixelAspect: as the index says. Decoders believe the stream where the index says that pixels are square; players believe the index.
    package static func corrections(_ caps: Caps, isFullRange: Bool?, pixelAspect: Fraction?) -> [String: FieldValue] {
        var fields: [String: FieldValue] = [:]
        if let colours = caps.completedColorimetry(isFullRange: isFullRange) {
            fields["colorimetry"] = .string(colours)
        } else if let usual = caps.usualColorimetry {
            fields["colorimetry"] = .string(usual)
        }
        return fields.merging(shape(caps, told: pixelAspect) ?? [:]) { $1 }
    }

    /// The shape of MPEG-1's pixels in frames of television's lines (ISO/IEC 11172-2, 2.4.3.2), as Video CDs have it: mpegvideoparse (1.22) takes
    /// that of MPEG-2, by which 352×240 is 313 wide and not 321. nil of all else.
    package static func shapeOfMPEG1(_ caps: Caps) -> Fraction? {
        guard let format = caps.first, format.name == "video/mpeg", format["mpegversion"]?.intValue == 1,
            let told = format["pixel-aspect-ratio"]?.fractionValue
        else { return nil }
        return switch told {
        case Fraction(8, 9): Fraction(10_000, 10_950)
        case Fraction(16, 15): Fraction(10_000, 9157)
        default: nil
        }
    }

    /// What frames of RGB with an unused byte a pixel are converted to first; nil for any other. videoconvert (1.22) takes that byte, which is
    /// mostly 0, for how opaque the pixel is.
    package static func withoutUnusedByte(_ caps: Caps) -> Caps? {
        guard let format = caps.first?["format"]?.stringValue, ["BGRx", "RGBx", "xRGB", "xBGR"].contains(format) else {
            return nil
        }
        return Caps("video/x-raw", ["format": .string(format.contains("BGR") ? "BGR" : "RGB")])
    }

    /// The shape of the pixels where caps tell another than the index, or do not tell it yet; nil elsewhere.
    package static func shape(_ caps: Caps, told: Fraction?) -> [String: FieldValue]? {
        guard let told else { return nil }
        let own = caps.first?["pixel-aspect-ratio"]?.fractionValue
        if let own, own.numerator * told.denominator == own.denominator * told.numerator { return nil }
        return ["pixel-aspect-ratio": .fraction(told)]
    }

    /// What HDR in RGB is converted to where it is to become SDR, which is made of luma and chroma; nil for any other.
    ///
    /// - Parameters:
    ///   - colorimetry: where the caps do not tell it right.
    ///   - depth: what becomes of the frames, in bits; nil: their own depth.
    package static func planes(ofRGB caps: Caps, colorimetry: String?, _ depth: Int?) -> Caps? {
        guard let format = caps.first?["format"]?.stringValue, ["GBR", "RGB", "BGR"].contains(where: format.contains),
            !format.contains("A"),
            Colorimetry(caps)?.hdrName != nil, depth ?? (format.contains("1") ? 10 : 8) == 8
        else { return nil }
        // Range, matrix, transfer and primaries, by GStreamer's numbers: the matrix is BT.2020's.
        let numbers = (colorimetry ?? caps.first?["colorimetry"]?.stringValue ?? "").split(separator: ":")
        guard numbers.count == 4 else { return nil }
        return Caps(
            "video/x-raw",
            ["format": .string("Y444_10LE"), "colorimetry": .string("2:6:\(numbers[2]):\(numbers[3])")])
    }
}

extension Caps {
    /// The colors that GStreamer takes for granted by the frames' height, where caps say nothing and turned frames would have others; nil elsewhere.
    fileprivate var usualColorimetry: String? {
        guard let first, first["colorimetry"] == nil, let own = Colorimetry(self) else { return nil }
        var fields = first.fields
        (fields["width"], fields["height"]) = (first["height"], first["width"])
        guard let turned = Colorimetry(Caps(first.name, fields)), turned != own else { return nil }
        return own.capsText
    }
}
