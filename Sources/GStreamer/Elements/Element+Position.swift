import CGStreamer

extension Element {
    /// Goes to a time of the stream, in nanoseconds, and throws away what is on its way. Blocks until all are told.
    ///
    /// - Parameter place: exactly there, so that decoders throw away what comes before; or at the last frame before that can
    ///   be decoded by itself, with all that follows it.
    /// - Returns: false where the stream cannot be sought in.
    package func seek(to time: MediaTime, _ place: SeekPlace = .exact) -> Bool {
        let how =
            switch place {
            case .exact: GST_SEEK_FLAG_ACCURATE.rawValue
            case .keyFrameBefore: GST_SEEK_FLAG_KEY_UNIT.rawValue | GST_SEEK_FLAG_SNAP_BEFORE.rawValue
            }
        let flags = GstSeekFlags(GST_SEEK_FLAG_FLUSH.rawValue | how)
        return gst_element_seek_simple(pointer, GST_FORMAT_TIME, flags, gint64(time.nanoseconds)) != 0
    }
}

/// Where a seek ends.
package enum SeekPlace: Sendable, Hashable { case exact, keyFrameBefore }
