import CGStreamer

/// What the numbers of a picture mean as colours, in the code points of ITU-T H.273 that files carry.
public struct Colorimetry: Sendable, Hashable {
    /// Colour primaries: 1 is BT.709, 9 is BT.2020, 2 is unspecified.
    public var primaries: Int
    /// Transfer characteristics: 1 is BT.709, 16 is PQ, 18 is HLG, 2 is unspecified.
    public var transfer: Int
    /// Matrix coefficients: 1 is BT.709, 6 is BT.601, 9 is BT.2020, 2 is unspecified.
    public var matrix: Int
    /// Whether the values use the full range and not the studio range.
    public var isFullRange: Bool

    /// Reads the "colorimetry" field of raw video caps, such as "bt709" or "2:3:5:1".
    ///
    /// - Returns: `nil` if the text is not colorimetry.
    public init?(_ text: String) {
        GStreamerLibrary.start()
        var parsed = GstVideoColorimetry()
        guard gst_video_colorimetry_from_string(&parsed, text) != 0 else { return nil }
        primaries = Int(gst_video_color_primaries_to_iso(parsed.primaries))
        transfer = Int(gst_video_transfer_function_to_iso(parsed.transfer))
        matrix = Int(gst_video_color_matrix_to_iso(parsed.matrix))
        isFullRange = parsed.range == GST_VIDEO_COLOR_RANGE_0_255
    }
}
