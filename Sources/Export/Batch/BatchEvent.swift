public import LiveActivity

/// What happens in a batch. Items are told by their number, in the order in which they were added.
#if hasAttribute(nonexhaustive)
    @nonexhaustive
#endif
public enum BatchEvent: Sendable {
    case added(Int, BatchItem)
    case began(Int)
    case progress(Int, ExportProgress)
    /// It is held, by itself or with the whole batch, or goes on.
    case held(Int, Bool)
    /// The disk was full; it is begun again when there is room.
    case postponed(Int)
    case ended(Int, BatchOutcome)
    /// At least once a second.
    case status(BatchStatus)
}

/// How a batch stands as a whole.
public struct BatchStatus: Sendable, Hashable {
    /// `waiting` while the disk has no space.
    public var phase: ContentState.Phase
    /// No more is begun.
    package var isStopping: Bool
    /// What a person should do.
    public var message: String?
}
