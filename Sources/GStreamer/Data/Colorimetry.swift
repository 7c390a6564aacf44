import CGStreamer

/// What the numbers of a frame mean as colours, in the code points of ITU-T H.273 that files carry.
package struct Colorimetry: Sendable, Hashable {
    /// Colour primaries: 1 is BT.709, 9 is BT.2020, 2 is unspecified.
    package var primaries: Int
    /// Transfer characteristics: 1 is BT.709, 16 is PQ, 18 is HLG, 2 is unspecified.
    package var transfer: Int
    /// Matrix coefficients: 1 is BT.709, 6 is BT.601, 9 is BT.2020, 2 is unspecified.
    package var matrix: Int
    /// Whether the values use the full range and not the studio range.
    package var isFullRange: Bool

    /// What raw video caps say, or what GStreamer takes for granted where they say nothing: BT.601 below 720 lines,
    /// BT.709 up to UHD, BT.2020 above, sRGB for RGB formats.
    ///
    /// - Returns: `nil` if the caps are not fixed raw video.
    package init?(_ caps: Caps) {
        var info = GstVideoInfo()
        guard caps.isFixed, gst_video_info_from_caps(&info, caps.pointer) != 0 else { return nil }
        let colour = info.colorimetry
        primaries = Int(gst_video_color_primaries_to_iso(colour.primaries))
        transfer = Int(gst_video_transfer_function_to_iso(colour.transfer))
        matrix = Int(gst_video_color_matrix_to_iso(colour.matrix))
        isFullRange = colour.range == GST_VIDEO_COLOR_RANGE_0_255
    }
}

extension Caps {
    /// The colorimetry of raw frames with what its text lacks, in GStreamer's notation.
    ///
    /// Decoders write "1:0:0:0" for frames of which they know the range alone. Elements (1.22, `gst_video_info_from_caps`) take
    /// a text without a matrix for none, and the range is lost with it.
    ///
    /// - Parameter isFullRange: whether the values use the full range, where that is known better.
    /// - Returns: `nil` where nothing is to be changed.
    package func completedColorimetry(isFullRange: Bool? = nil) -> String? {
        guard isFixed, let format = first, format.name == "video/x-raw" else { return nil }
        var info = GstVideoInfo()
        let bare = Caps(format.name, format.fields.filter { $0.key != "colorimetry" })
        guard gst_video_info_from_caps(&info, bare.pointer) != 0,
            info.colorimetry.matrix != GST_VIDEO_COLOR_MATRIX_RGB
        else { return nil }
        var colour = info.colorimetry
        var stated = GstVideoColorimetry()
        if let text = format["colorimetry"]?.stringValue, gst_video_colorimetry_from_string(&stated, text) != 0 {
            if stated.matrix != GST_VIDEO_COLOR_MATRIX_UNKNOWN {
                colour = stated
            } else if stated.range != GST_VIDEO_COLOR_RANGE_UNKNOWN {
                colour.range = stated.range
            }
        } else {
            stated = info.colorimetry
        }
        if let isFullRange {
            colour.range = isFullRange ? GST_VIDEO_COLOR_RANGE_0_255 : GST_VIDEO_COLOR_RANGE_16_235
        }
        guard gst_video_colorimetry_is_equal(&colour, &stated) == 0 else { return nil }
        return takenString(gst_video_colorimetry_to_string(&colour))
    }
}
