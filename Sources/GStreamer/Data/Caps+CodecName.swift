import CGStreamer

extension Caps {
    /// What people call the codec, such as "MPEG-4 AAC"; its media type where nobody has named it.
    package var codecName: String {
        gst_pb_utils_init()
        let media = first?.name ?? "unknown"
        guard isFixed, let name = takenString(gst_pb_utils_get_codec_description(pointer)) else { return media }
        return name
    }
}
