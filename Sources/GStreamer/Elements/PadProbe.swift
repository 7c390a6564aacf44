import CGStreamer

/// What becomes of the data that a probe looked at.
public enum ProbeAnswer: Sendable {
    /// It goes on.
    case pass
    /// It is thrown away.
    case drop
    /// It goes on, and the probe is not called again.
    case remove
}

/// A probe in place; it stays until ``remove()`` is called or the pad goes.
public struct PadProbe: Sendable {
    let pad: Pad
    let identifier: gulong

    public func remove() { gst_pad_remove_probe(pad.pointer, identifier) }
}

extension Pad {
    /// Calls the closure for each buffer, on the streaming thread. It must be quick.
    public func addBufferProbe(_ body: @escaping @Sendable (Buffer) -> ProbeAnswer) -> PadProbe {
        let box = ClosureBox(body)
        let identifier = gst_pad_add_probe(
            pointer, GST_PAD_PROBE_TYPE_BUFFER,
            { _, info, data in
                guard let body = ClosureBox<@Sendable (Buffer) -> ProbeAnswer>.body(data), let info,
                    let buffer = gst_pad_probe_info_get_buffer(info)
                else { return GST_PAD_PROBE_OK }
                return body(Buffer(retaining: buffer)).cValue
            }, box.retained(), releaseClosureBox)
        return PadProbe(pad: self, identifier: identifier)
    }

    /// Calls the closure when an end of stream passes.
    public func addEndOfStreamProbe(_ body: @escaping @Sendable () -> ProbeAnswer) -> PadProbe {
        let box = ClosureBox(body)
        let identifier = gst_pad_add_probe(
            pointer, GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM,
            { _, info, data in
                guard let body = ClosureBox<@Sendable () -> ProbeAnswer>.body(data), let info,
                    let event = gst_pad_probe_info_get_event(info), rushes_event_type(event) == GST_EVENT_EOS
                else { return GST_PAD_PROBE_OK }
                return body().cValue
            }, box.retained(), releaseClosureBox)
        return PadProbe(pad: self, identifier: identifier)
    }
}

extension ProbeAnswer {
    fileprivate var cValue: GstPadProbeReturn {
        switch self {
        case .pass: GST_PAD_PROBE_OK
        case .drop: GST_PAD_PROBE_DROP
        case .remove: GST_PAD_PROBE_REMOVE
        }
    }
}
