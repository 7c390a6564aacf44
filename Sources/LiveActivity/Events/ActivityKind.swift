/// What kind of long work an activity is.
public enum ActivityKind: String, Sendable, Codable, CaseIterable {
    case recording, timelapse, transcode, compose, batch
}
