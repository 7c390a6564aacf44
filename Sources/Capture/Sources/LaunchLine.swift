import GStreamer

/// A source that a person wrote as for gst-launch, after `gst:`.
enum LaunchLine {
    /// The text, checked: it can be parsed, and it has an open end.
    static func source(_ line: String, media: String) throws(CaptureError) -> String {
        do {
            _ = try Bin(parsing: line)
        } catch {
            throw CaptureError(
                .badSource, "gst:\(line): \(error.message); write it as for gst-launch-1.0, without a sink at its end",
                underlying: error)
        }
        return line
    }
}
