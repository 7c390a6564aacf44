/// Which of several cameras are shown for the moment.
#if hasAttribute(nonexhaustive)
    @nonexhaustive
#endif
public enum ShownCameras: String, Sendable, CaseIterable {
    /// All, as they stood before.
    case all
    /// The main one alone.
    case main
    /// The first inset alone.
    case inset
}
