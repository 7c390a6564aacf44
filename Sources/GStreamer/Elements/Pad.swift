import CGStreamer

/// An element's input or output.
package struct Pad: Sendable {
    let reference: ObjectReference

    init(adopting pad: UnsafeMutablePointer<GstPad>) { reference = ObjectReference(adopting: pad) }

    var pointer: UnsafeMutablePointer<GstPad> { reference.cast() }

    /// Unique in its element.
    package var name: String { takenString(gst_object_get_name(reference.cast())) ?? "" }
    /// Whether data leaves the element here.
    package var isSource: Bool { gst_pad_get_direction(pointer) == GST_PAD_SRC }
    /// Whether it is linked to another.
    package var isLinked: Bool { gst_pad_is_linked(pointer) != 0 }
    /// The caps that flow now, or `nil` before the first.
    package var currentCaps: Caps? { gst_pad_get_current_caps(pointer).map { Caps(adopting: $0) } }
    /// All caps that the pad could carry as linked now.
    package var possibleCaps: Caps? { gst_pad_query_caps(pointer, nil).map { Caps(adopting: $0) } }

    /// What the stream is called that flows here, one name through all elements that only parse it; `nil` before it begins.
    package var streamIdentifier: String? { takenString(gst_pad_get_stream_id(pointer)) }

    /// Whether the container asks for this stream to be played where nobody chooses another; Matroska's demuxer tells.
    package var isSelected: Bool {
        guard let event = gst_pad_get_sticky_event(pointer, GST_EVENT_STREAM_START, 0) else { return false }
        defer { gst_event_unref(event) }
        var flags = GstStreamFlags(0)
        gst_event_parse_stream_flags(event, &flags)
        return flags.rawValue & GST_STREAM_FLAG_SELECT.rawValue != 0
    }

    /// When a buffer that passes here is presented, from the movie's beginning: as ``Sample/movieTime``.
    package func movieTime(of buffer: Buffer) -> MediaTime? { Self.movieTime(of: buffer, at: pointer) }

    static func movieTime(of buffer: Buffer, at pad: UnsafeMutablePointer<GstPad>) -> MediaTime? {
        guard let time = buffer.presentationTime, let event = gst_pad_get_sticky_event(pad, GST_EVENT_SEGMENT, 0)
        else { return nil }
        defer { gst_event_unref(event) }
        var segment: UnsafePointer<GstSegment>?
        gst_event_parse_segment(event, &segment)
        return segment.flatMap { Sample.movieTime(of: time, in: $0) }
    }

    /// What the stream's tags say under this name; `nil` before they have passed.
    ///
    /// - Parameter ofStreamAlone: whether those of the whole file do not count.
    package func tag(_ name: String, ofStreamAlone: Bool = false) -> String? {
        // One event for the stream, one for the whole file.
        for index in 0..<guint(4) {
            guard let event = gst_pad_get_sticky_event(pointer, GST_EVENT_TAG, index) else { return nil }
            defer { gst_event_unref(event) }
            var tags: UnsafeMutablePointer<GstTagList>?
            gst_event_parse_tag(event, &tags)
            var text: UnsafeMutablePointer<gchar>?
            guard let tags, !ofStreamAlone || gst_tag_list_get_scope(tags) == GST_TAG_SCOPE_STREAM else { continue }
            if gst_tag_list_get_string(tags, name, &text) != 0 { return takenString(text) }
        }
        return nil
    }

    /// Moves the running time of all that passes here from now on.
    package func setOffset(_ offset: MediaTime) { gst_pad_set_offset(pointer, gint64(offset.nanoseconds)) }

    /// Asks the encoder before this sink pad for a key frame with the first frame from a running time on.
    package func requestKeyFrame(at time: MediaTime) {
        guard let event = gst_video_event_new_upstream_force_key_unit(GstClockTime(clamping: time), 1, 0) else {
            return
        }
        _ = gst_pad_push_event(pointer, event)
    }

    /// Links this source pad to a sink pad.
    ///
    /// - Throws: ``GStreamerError`` with the reason, such as formats that do not fit.
    package func link(to sink: Pad) throws(GStreamerError) {
        guard isSource, !sink.isSource else {
            throw GStreamerError(element: name, message: "only an output can be linked to an input")
        }
        let result = gst_pad_link(pointer, sink.pointer)
        guard result == GST_PAD_LINK_OK else {
            let reason = copiedString(gst_pad_link_get_name(result)) ?? "refused"
            throw GStreamerError(element: name, message: "cannot be linked to \(sink.name): \(reason)")
        }
    }
}
