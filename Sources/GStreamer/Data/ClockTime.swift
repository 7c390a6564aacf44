import CGStreamer
// GStreamer's times, sizes and rates are these, so that who imports it has them too.
@_exported public import MediaTypes

extension Nanoseconds {
    /// At most ``longest``; `nil` for GST_CLOCK_TIME_NONE, all bits set, whose macro does not import.
    init?(clockTime: GstClockTime) {
        guard clockTime != .max else { return nil }
        self = Swift.min(Self(clamping: clockTime), Self.longest)
    }
}

extension Optional where Wrapped == Nanoseconds {
    var clockTime: GstClockTime { map { GstClockTime(clamping: $0) } ?? .max }
}

extension GstClockTime {
    /// How long a call may wait; never negative, never "for ever".
    init(waiting seconds: Double) { self.init(clamping: Nanoseconds(seconds: seconds)) }
}
