extension MovieMetadata {
    /// What the comment of a movie says whose frames were taken at other times than they are shown.
    package static let timelapseComment = "A timelapse: its frames were taken at other times than they are shown."

    /// Whether the movie's times do not tell when its frames were taken.
    package var isTimelapse: Bool { comment == Self.timelapseComment }

    /// Says so, where no other comment is kept.
    package mutating func markTimelapse() { comment = comment ?? Self.timelapseComment }
}
