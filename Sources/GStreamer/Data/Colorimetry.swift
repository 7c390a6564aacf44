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

    /// What the transfer characteristics are called where they are those of HDR; nil for any other.
    package var hdrName: String? { [16: "PQ", 18: "HLG"][transfer] }

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

    /// In the numbers of H.273.
    package init(primaries: Int, transfer: Int, matrix: Int, isFullRange: Bool) {
        (self.primaries, self.transfer, self.matrix) = (primaries, transfer, matrix)
        self.isFullRange = isFullRange
    }

    /// What caps write; nil for no such text.
    package init?(capsText: String) {
        var colour = GstVideoColorimetry()
        guard gst_video_colorimetry_from_string(&colour, capsText) != 0 else { return nil }
        primaries = Int(gst_video_color_primaries_to_iso(colour.primaries))
        transfer = Int(gst_video_transfer_function_to_iso(colour.transfer))
        matrix = Int(gst_video_color_matrix_to_iso(colour.matrix))
        isFullRange = colour.range == GST_VIDEO_COLOR_RANGE_0_255
    }

    /// As caps write it; nil where they have no word for it.
    package var capsText: String? {
        var value = GstVideoColorimetry(
            range: isFullRange ? GST_VIDEO_COLOR_RANGE_0_255 : GST_VIDEO_COLOR_RANGE_16_235,
            matrix: gst_video_color_matrix_from_iso(guint(clamping: matrix)),
            transfer: gst_video_transfer_function_from_iso(guint(clamping: transfer)),
            primaries: gst_video_color_primaries_from_iso(guint(clamping: primaries)))
        return takenString(gst_video_colorimetry_to_string(&value))
    }
}
