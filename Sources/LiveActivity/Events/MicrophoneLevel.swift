/// How loud one of several microphones is.
package struct MicrophoneLevel: Sendable, Codable, Hashable {
    /// What people call it.
    package var name: String
    /// Of its loudest channel, in decibels relative to full scale; `nil` as long as nothing came.
    package var level: Double?
    /// Whether silence is recorded of it.
    package var muted: Bool

    package init(name: String, level: Double?, muted: Bool) {
        (self.name, self.level, self.muted) = (name, level, muted)
    }

    /// One in each event of a take: their names take no more room than that.
    private static let (longestName, most) = (24, 8)

    /// As many and as long as always fit an event, with no number that JSON lacks.
    static func fitted(_ microphones: [MicrophoneLevel]) -> [MicrophoneLevel] {
        microphones.prefix(most).map { microphone in
            var fitted = microphone
            if microphone.name.count > longestName { fitted.name = microphone.name.prefix(longestName - 1) + "…" }
            fitted.level = microphone.level.map(ContentState.finite(level:))
            return fitted
        }
    }
}
