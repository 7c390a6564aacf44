import CGStreamer

/// What an element told the application.
package struct BusMessage: Sendable {
    /// What it is about.
    package enum Content: Sendable {
        case error(GStreamerError)
        case warning(GStreamerError)
        case info(GStreamerError)
        case endOfStream
        case stateChanged(old: ElementState, new: ElementState)
        /// An element's own message, such as the level meter's, with all its fields.
        case element(Structure)
        case latency
        case clockLost
        /// An element gave up data, or a live source lost some; how much, and the presentation timestamp of what came then, where it says so.
        case qualityOfService(lost: MediaTime?, before: MediaTime?)
        case deviceAdded(Device)
        case deviceRemoved(Device)
        case deviceChanged(Device)
        /// A streaming thread begins or ends; posted by itself.
        case threadEntered, threadLeft
        /// Any other, by its name.
        case other(String)
    }

    /// The name of the object that posted it.
    package var source: String
    /// What it is about.
    package var content: Content

    init(_ message: UnsafeMutablePointer<GstMessage>) {
        source = message.pointee.src.flatMap { takenString(gst_object_get_path_string($0)) } ?? ""
        content = Content(message, source: source)
    }
}

extension BusMessage.Content {
    fileprivate init(_ message: UnsafeMutablePointer<GstMessage>, source: String) {
        switch message.pointee.type {
        case GST_MESSAGE_ERROR: self = .error(Self.report(message, source, gst_message_parse_error))
        case GST_MESSAGE_WARNING: self = .warning(Self.report(message, source, gst_message_parse_warning))
        case GST_MESSAGE_INFO: self = .info(Self.report(message, source, gst_message_parse_info))
        case GST_MESSAGE_EOS: self = .endOfStream
        case GST_MESSAGE_STATE_CHANGED:
            var (old, new) = (GST_STATE_NULL, GST_STATE_NULL)
            gst_message_parse_state_changed(message, &old, &new, nil)
            self = .stateChanged(old: ElementState(old) ?? .null, new: ElementState(new) ?? .null)
        case GST_MESSAGE_ELEMENT:
            self = .element(gst_message_get_structure(message).map { Structure(copying: $0) } ?? Structure(name: ""))
        case GST_MESSAGE_LATENCY: self = .latency
        case GST_MESSAGE_CLOCK_LOST: self = .clockLost
        case GST_MESSAGE_QOS:
            var (time, duration) = (GstClockTime.max, GstClockTime.max)
            gst_message_parse_qos(message, nil, nil, nil, &time, &duration)
            self = .qualityOfService(lost: MediaTime(clockTime: duration), before: MediaTime(clockTime: time))
        case GST_MESSAGE_STREAM_STATUS:
            var type = GST_STREAM_STATUS_TYPE_CREATE
            gst_message_parse_stream_status(message, &type, nil)
            switch type {
            case GST_STREAM_STATUS_TYPE_ENTER: self = .threadEntered
            case GST_STREAM_STATUS_TYPE_LEAVE: self = .threadLeft
            default: self = .other("stream-status")
            }
        case GST_MESSAGE_DEVICE_ADDED: self = Self.device(message, gst_message_parse_device_added) { .deviceAdded($0) }
        case GST_MESSAGE_DEVICE_REMOVED:
            self = Self.device(message, gst_message_parse_device_removed) { .deviceRemoved($0) }
        case GST_MESSAGE_DEVICE_CHANGED:
            self = Self.device(message, { gst_message_parse_device_changed($0, $1, nil) }) { .deviceChanged($0) }
        default: self = .other(copiedString(rushes_message_name(message)) ?? "unknown")
        }
    }

    private typealias ReportParser = (
        UnsafeMutablePointer<GstMessage>?, UnsafeMutablePointer<UnsafeMutablePointer<GError>?>?,
        UnsafeMutablePointer<UnsafeMutablePointer<gchar>?>?
    ) -> Void

    private static func report(
        _ message: UnsafeMutablePointer<GstMessage>, _ source: String, _ parse: ReportParser
    ) -> GStreamerError {
        var failure: UnsafeMutablePointer<GError>?
        var debug: UnsafeMutablePointer<gchar>?
        parse(message, &failure, &debug)
        return GStreamerError(adopting: failure, element: source, debug: takenString(debug) ?? "")
    }

    private static func device(
        _ message: UnsafeMutablePointer<GstMessage>,
        _ parse: (UnsafeMutablePointer<GstMessage>?, UnsafeMutablePointer<UnsafeMutablePointer<GstDevice>?>?) -> Void,
        _ make: (Device) -> Self
    ) -> Self {
        var device: UnsafeMutablePointer<GstDevice>?
        parse(message, &device)
        return device.map { make(Device(adopting: $0)) } ?? .other("device")
    }
}
