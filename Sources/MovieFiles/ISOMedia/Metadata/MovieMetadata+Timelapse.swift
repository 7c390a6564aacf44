package import MediaTypes

extension MovieMetadata {
    /// What the comment of a movie says whose frames were taken at other times than they are shown.
    package static let timelapseComment = "A timelapse: its frames were taken at other times than they are shown."

    /// Whether the movie's times do not tell when its frames were taken.
    package var isTimelapse: Bool { comment == Self.timelapseComment }

    /// How far apart its frames were taken; nil where it does not say.
    package var shotInterval: MediaTime? {
        get {
            let text = others.first { $0.name == Self.intervalName }?.text
            return text.flatMap { $0.hasSuffix(" s") ? Double($0.dropLast(2)) : nil }.map { MediaTime(seconds: $0) }
        }
        set {
            others.removeAll { $0.name == Self.intervalName }
            if let newValue { others.append(Other(name: Self.intervalName, text: "\(newValue.seconds) s")) }
        }
    }
    private static let intervalName = "SHOT_INTERVAL"

    /// Says so, where no other comment is kept.
    package mutating func markTimelapse() { comment = comment ?? Self.timelapseComment }
}
