import CGStreamer
// GStreamer's times, sizes and rates are these, so that who imports it has them too.
@_exported public import MediaTypes

extension MediaTime {
    /// At most ``longest``; `nil` for GST_CLOCK_TIME_NONE, all bits set, whose macro does not import.
    init?(clockTime: GstClockTime) {
        guard clockTime != .max else { return nil }
        self = Swift.min(Self(clamping: clockTime), .longest)
    }

    /// What is later than any time that there is becomes the latest.
    init(clamping clockTime: GstClockTime) { self.init(nanoseconds: Int64(clamping: clockTime)) }
}

extension Optional where Wrapped == MediaTime {
    var clockTime: GstClockTime { map { GstClockTime(clamping: $0) } ?? .max }
}

extension GstClockTime {
    /// What lies before zero becomes zero.
    init(clamping time: MediaTime) { self.init(clamping: time.nanoseconds) }

    /// How long a call may wait; never negative, never "for ever".
    init(waiting limit: Duration) { self.init(clamping: MediaTime(limit)) }
}
