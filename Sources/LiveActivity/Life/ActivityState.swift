/// Where an activity stands in its life, as ActivityKit names it. What its work does is in ``ContentState/Phase``.
#if hasAttribute(nonexhaustive)
    @nonexhaustive
#endif
public enum ActivityState: String, Sendable, Codable, CaseIterable {
    /// Asked for, with a start that lies ahead; nobody has heard of it.
    case pending
    case active
    /// Its content is out of date: nothing followed before the content's stale date.
    case stale
    /// Nothing follows; the final content is still shown.
    case ended
    /// Taken away from where it was shown.
    case dismissed
}
