import CGStreamer
import Synchronization

/// What becomes of the data that a probe looked at.
package enum ProbeAnswer: Sendable {
    /// It goes on.
    case pass
    /// It is thrown away.
    case drop
    /// It goes on, and the probe is not called again.
    case remove
    /// It is a question, and is answered.
    case handled
}

/// A probe in place; it stays until ``remove()`` is called, its closure answers ``ProbeAnswer/remove``, or the pad goes.
package struct PadProbe: Sendable {
    fileprivate let pad: Pad
    fileprivate let identifier: gulong
    fileprivate let presence: Presence

    /// Takes the probe out; a call that runs just now on the streaming thread may still finish. Twice is harmless.
    package func remove() {
        if presence.end() { gst_pad_remove_probe(pad.pointer, identifier) }
    }

    /// Whether the probe is still in place: GStreamer warns about one that is removed twice.
    fileprivate final class Presence: Sendable {
        private let isInPlace = Atomic(true)

        /// True for the first who ends it.
        func end() -> Bool { isInPlace.exchange(false, ordering: .acquiringAndReleasing) }
    }
}

extension Pad {
    /// Calls the closure for each buffer, on the streaming thread. It must be quick, and must not hold the pipeline: the
    /// pad keeps the closure until the probe is removed.
    ///
    /// Buffers that upstream pushes as a list, as payloaders do, are not seen.
    package func addBufferProbe(_ body: @escaping @Sendable (Buffer) -> ProbeAnswer) -> PadProbe {
        addProbe(GST_PAD_PROBE_TYPE_BUFFER) { _, info in
            gst_pad_probe_info_get_buffer(info).map { body(Buffer(retaining: $0)) } ?? .pass
        }
    }

    /// Lets the closure change each buffer before it goes on, on the streaming thread.
    package func addBufferEditor(_ body: @escaping @Sendable (inout Buffer) -> Void) -> PadProbe {
        addBufferEditor { buffer, _ in body(&buffer) }
    }

    /// The same with what the buffer is: the caps that flow now.
    package func addBufferEditor(_ body: @escaping @Sendable (inout Buffer, () -> Caps?) -> Void) -> PadProbe {
        editBuffers { buffer, pad in body(&buffer) { gst_pad_get_current_caps(pad).map { Caps(adopting: $0) } } }
    }

    /// The same with the pad that the buffer passes, which a closure must not hold that the pad holds.
    func editBuffers(
        _ body: @escaping @Sendable (inout Buffer, UnsafeMutablePointer<GstPad>) -> Void
    ) -> PadProbe {
        addProbe(GST_PAD_PROBE_TYPE_BUFFER) { pad, info in
            guard let original = info.pointee.data else { return .pass }
            // The probe owns the buffer while it runs, so a buffer that nobody else holds is changed in place.
            var buffer = Buffer(adopting: original.assumingMemoryBound(to: GstBuffer.self))
            body(&buffer, pad)
            gst_mini_object_ref(&buffer.pointer.pointee.mini_object)
            info.pointee.data = UnsafeMutableRawPointer(buffer.pointer)
            return .pass
        }
    }

    /// Lets the closure say when each buffer is presented, in nanoseconds from the movie's beginning; it throws away those of which
    /// it says nothing. All that stay last as long as stated.
    ///
    /// What passes begins with the movie: behind the pad timestamps are the movie's times. Those of the stream before it may begin anywhere, so
    /// that a new time could have no timestamp in its segment.
    package func retimeBuffers(lasting duration: MediaTime, _ time: @escaping @Sendable (MediaTime?) -> MediaTime?) {
        editSegments { segment in gst_segment_init(&segment, GST_FORMAT_TIME) }
        _ = addProbe(GST_PAD_PROBE_TYPE_BUFFER) { pad, info in
            guard let original = gst_pad_probe_info_get_buffer(info) else { return .pass }
            let buffer = Buffer(retaining: original)
            // The pad keeps the segment as it came: what is edited is what goes on.
            guard let new = time(Self.movieTime(of: buffer, at: pad)) else { return .drop }
            let moved = buffer.retimed(presentationTime: new, duration: duration)
            gst_mini_object_ref(&moved.pointer.pointee.mini_object)
            gst_buffer_unref(original)
            info.pointee.data = UnsafeMutableRawPointer(moved.pointer)
            return .pass
        }
    }

    /// Lets segments that pass begin earlier by what the closure makes of their beginnings, or as early as there are times, and makes
    /// all times in the stream later by as much.
    package func beginSegmentsEarlier(_ lead: @escaping @Sendable (_ start: MediaTime) -> MediaTime) {
        editSegments { segment in
            let lead = GstClockTime(clamping: lead(MediaTime(clamping: segment.start)))
            let earlier = min(lead, segment.start)
            segment.start -= earlier
            segment.position = segment.start
            segment.time += lead - earlier
        }
    }

    /// Lets the closure change each segment of time that passes forwards.
    private func editSegments(_ edit: @escaping @Sendable (inout GstSegment) -> Void) {
        _ = addProbe(GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM) { _, info in
            guard let event = gst_pad_probe_info_get_event(info), rushes_event_type(event) == GST_EVENT_SEGMENT else {
                return .pass
            }
            var told: UnsafePointer<GstSegment>?
            gst_event_parse_segment(event, &told)
            guard var segment = told?.pointee, segment.format == GST_FORMAT_TIME, segment.rate > 0 else { return .pass }
            edit(&segment)
            guard let new = gst_event_new_segment(&segment) else { return .pass }
            gst_event_set_seqnum(new, gst_event_get_seqnum(event))
            // The probe owns the event that it gets, and gives another.
            gst_event_unref(event)
            info.pointee.data = UnsafeMutableRawPointer(new)
            return .pass
        }
    }

    /// Lets the closure say what the stream is that passes, in the place of what upstream says; nil where that is right.
    package func editCaps(_ edit: @escaping @Sendable (Caps) -> Caps?) {
        _ = addProbe(GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM) { _, info in
            guard let event = gst_pad_probe_info_get_event(info), rushes_event_type(event) == GST_EVENT_CAPS else {
                return .pass
            }
            var told: UnsafeMutablePointer<GstCaps>?
            gst_event_parse_caps(event, &told)
            guard let told, let caps = edit(Caps(retaining: told)), let new = gst_event_new_caps(caps.pointer) else {
                return .pass
            }
            gst_event_set_seqnum(new, gst_event_get_seqnum(event))
            // The probe owns the event that it gets, and gives another.
            gst_event_unref(event)
            info.pointee.data = UnsafeMutableRawPointer(new)
            return .pass
        }
    }

    /// Tells the closure of each segment of time that passes: the timestamp that it begins with, and when that is in the stream.
    package func watchSegments(_ body: @escaping @Sendable (_ start: MediaTime, _ time: MediaTime) -> Void) {
        _ = addProbe(GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM) { _, info in
            guard let event = gst_pad_probe_info_get_event(info), rushes_event_type(event) == GST_EVENT_SEGMENT else {
                return .pass
            }
            var told: UnsafePointer<GstSegment>?
            gst_event_parse_segment(event, &told)
            guard let segment = told?.pointee, segment.format == GST_FORMAT_TIME else { return .pass }
            body(MediaTime(clamping: segment.start), MediaTime(clamping: segment.time))
            return .pass
        }
    }

    /// Calls the closure when an end of stream passes.
    package func addEndOfStreamProbe(_ body: @escaping @Sendable () -> ProbeAnswer) -> PadProbe {
        addProbe(GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM) { _, info in
            guard let event = gst_pad_probe_info_get_event(info), rushes_event_type(event) == GST_EVENT_EOS else {
                return .pass
            }
            return body()
        }
    }

    /// Lets whoever writes bytes here go back to places it left open: each buffer then says by ``Buffer/offset`` where it belongs.
    package func answerSeekable() {
        answer(GST_QUERY_SEEKING) { query in
            var format = GST_FORMAT_UNDEFINED
            gst_query_parse_seeking(query, &format, nil, nil, nil)
            guard format == GST_FORMAT_BYTES else { return .pass }
            gst_query_set_seeking(query, format, 1, 0, -1)
            return .handled
        }
    }

    /// Tells decoders that ask how frames are to lie here that their own way is welcome, padded rows too: who reads them goes by
    /// each frame's own layout. Where nobody says so, they copy each frame into rows without padding.
    package func acceptPaddedRows() {
        answer(GST_QUERY_ALLOCATION) { query in
            gst_query_add_allocation_meta(query, gst_video_meta_api_get_type(), nil)
            return .handled
        }
    }

    /// Lets the closure answer what is asked of one kind from upstream.
    private func answer(
        _ kind: GstQueryType, _ body: @escaping @Sendable (UnsafeMutablePointer<GstQuery>) -> ProbeAnswer
    ) {
        let asked = GST_PAD_PROBE_TYPE_QUERY_DOWNSTREAM.rawValue | GST_PAD_PROBE_TYPE_PUSH.rawValue
        _ = addProbe(GstPadProbeType(asked)) { _, info in
            guard let query = gst_pad_probe_info_get_query(info), rushes_query_type(query) == kind else { return .pass }
            return body(query)
        }
    }

    /// The pad is handed over, as a closure that held it would keep it for ever.
    private typealias Look =
        @Sendable (UnsafeMutablePointer<GstPad>, UnsafeMutablePointer<GstPadProbeInfo>) -> ProbeAnswer

    private func addProbe(_ type: GstPadProbeType, _ look: @escaping Look) -> PadProbe {
        let presence = PadProbe.Presence()
        let box = ClosureBox<Look> { pad, info in
            let answer = look(pad, info)
            if case .remove = answer { _ = presence.end() }
            return answer
        }
        let identifier = gst_pad_add_probe(
            pointer, type,
            { pad, info, data in
                guard let look = ClosureBox<Look>.body(data), let pad, let info else { return GST_PAD_PROBE_OK }
                return look(pad, info).cValue
            }, box.retained(), releaseClosureBox)
        return PadProbe(pad: self, identifier: identifier, presence: presence)
    }
}

extension ProbeAnswer {
    fileprivate var cValue: GstPadProbeReturn {
        switch self {
        case .pass: GST_PAD_PROBE_OK
        case .drop: GST_PAD_PROBE_DROP
        case .remove: GST_PAD_PROBE_REMOVE
        case .handled: GST_PAD_PROBE_HANDLED
        }
    }
}
