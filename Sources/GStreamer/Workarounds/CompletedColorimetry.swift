import CGStreamer

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
