import CGStreamer

extension Element {
    /// How long the stream is, in nanoseconds; `nil` where nobody knows.
    public var streamDuration: Nanoseconds? {
        var duration: gint64 = -1
        guard gst_element_query_duration(pointer, GST_FORMAT_TIME, &duration) != 0, duration >= 0 else { return nil }
        return Nanoseconds(duration)
    }

    /// Goes to a time of the stream, in nanoseconds, and throws away what is on its way. Blocks until all are told.
    ///
    /// - Returns: false where the stream cannot be sought in.
    public func seek(to time: Nanoseconds) -> Bool {
        let flags = GstSeekFlags(GST_SEEK_FLAG_FLUSH.rawValue | GST_SEEK_FLAG_ACCURATE.rawValue)
        return gst_element_seek_simple(pointer, GST_FORMAT_TIME, flags, gint64(time)) != 0
    }
}
