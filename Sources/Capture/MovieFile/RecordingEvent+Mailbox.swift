import LiveActivity

extension Mailbox where Element == RecordingEvent {
    /// For a listener that may be slow or absent: progress that was not read is replaced by the next, nothing else is ever lost.
    convenience init() {
        self.init(capacity: 1) { new, waiting in
            if case .progress = new, case .progress = waiting { true } else { false }
        }
    }
}
