/// Whether a photo that is asked for now is of this instant: for a shutter button.
#if hasAttribute(nonexhaustive)
    @nonexhaustive
#endif
public enum PhotoReadiness: Sendable, Equatable {
    /// It is.
    case ready
    /// As many frames wait to be written as may, so many; it is taken as soon as one of them is.
    case busy(waiting: Int)
    /// No camera runs, or none of its frames has come yet.
    case notReady
}
