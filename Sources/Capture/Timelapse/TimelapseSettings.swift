package import Encoding
package import Foundation
package import MediaTypes

/// What a timelapse from a camera is to be.
package struct TimelapseSettings: Sendable {
    /// From one shot to the next.
    package var interval: MediaTime
    /// Frames a second of the movie.
    package var rate = Fraction(30)
    /// Of the grid's beginning, how long shots are taken; `nil`: until somebody ends it.
    package var duration: MediaTime?
    /// How many shots the movie has at most, those of before included.
    package var maximumShots: Int?
    /// When shots are taken; `nil`: always.
    package var hours: ShotHours?
    /// How bright a frame has to be to be kept, from 0 for black to 100 for white; `nil`: dark ones are kept.
    package var minimumLuma: Double?
    /// Whether each day, by the machine's time zone, has a movie of its own.
    package var isDaily = false
    /// Whether the camera is closed between shots that are far apart.
    package var standsBy = false
    /// Whether exposure, gain and white balance stay as they are at the first shot, where the camera can be told.
    package var locksExposure = false
    /// Whether the movie of that name goes on, or in its next part.
    package var resumes = false
    /// It ends before less than so many bytes are free on its disk.
    package var minimumFreeSpace: Int64 = 50_000_000
    /// How frames are encoded and what the movie tells of itself.
    package var movie = MovieSettings()

    package init(every interval: MediaTime) { self.interval = interval }

    /// How many slots there are, by ``duration``.
    var slotCount: Int? { duration.map { max(1, Int(($0 / interval - 0.001).rounded(.up))) } }
}

/// How far a timelapse is.
package struct TimelapseProgress: Sendable, Equatable {
    /// Shots in the movie, those of before included.
    package var shots = 0
    /// Of this run: what was due, and what of it got no frame.
    package var due = 0
    package var missed = 0
    /// What was too dark.
    package var dark = 0
    /// All that will be due in this run; `nil` where nobody knows.
    package var total: Int?
    /// When the next shot is due; `nil` in a pause and at the end.
    package var next: Date?
    /// How long the movie is.
    package var duration = MediaTime.zero
    package var bytes: Int64 = 0
    package var isPaused = false
    /// Why no frame comes, in a few words; `nil` while the camera runs.
    package var cameraLoss: String?

    package init() {}
}
