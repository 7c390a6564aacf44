/// What kind of long work an activity is.
#if hasAttribute(nonexhaustive)
    @nonexhaustive
#endif
public enum ActivityKind: String, Sendable, Codable, CaseIterable {
    case recording, timelapse, transcode, compose, batch
}
