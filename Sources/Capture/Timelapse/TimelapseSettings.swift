public import Encoding
package import Errors
package import Foundation
public import MediaTypes

/// What a timelapse from a camera is to be, for a ``TimelapseRecording``.
public struct TimelapseSettings: Sendable {
    /// Who sees to a camera's exposure, where it has V4L2 controls for it; other cameras see to it themselves.
    #if hasAttribute(nonexhaustive)
        @nonexhaustive
    #endif
    public enum Exposure: Sendable, Hashable {
        /// The camera.
        case automatic
        /// It stays as it is at the first shot, as do gain and white balance.
        case locked
        /// It follows the light from the first shot on, by at most 1/6 stop a shot: the exposure time, and where that is at its end
        /// the gain. White balance stays.
        case ramped
    }

    package var interval: MediaTime
    package var rate: Fraction
    package var duration: MediaTime?
    /// How many shots the movie has at most, those of before included.
    package var maximumShots: Int?
    /// When shots are taken; `nil`: always.
    package var hours: Hours?
    /// How bright a frame has to be to be kept, from 0 for black to 100 for white; `nil`: dark ones are kept.
    package var minimumLuma: Double?
    package var isDaily: Bool
    /// Whether the camera is closed between shots that are far apart.
    package var standsBy: Bool
    package var exposure: Exposure
    package var resumes: Bool
    /// It ends before less than so many bytes are free on its disk.
    package var minimumFreeSpace: Int64 = 50_000_000
    package var movie: MovieSettings
    /// What is drawn into each shot, see ``StampPainter``; `nil`: nothing.
    package var stamp: String?
    /// Where one column of each shot goes, a PNG; of a movie a day one each, dated as that is. `nil`: nowhere.
    package var keogram: MovieDestination?
    /// Where the brightest pixels of all dark shots go, likewise.
    package var trails: MovieDestination?

    /// - Parameters:
    ///   - interval: from one shot to the next: at least a millisecond, and no less than from one of the camera's frames to the next.
    ///   - duration: how long shots are taken from the first on, that of earlier runs where one is resumed; above zero; `nil`: until ``TimelapseRecording/stop()``.
    ///   - hours: the times of day at which shots are taken; `nil`: always.
    ///   - minimumLuma: how bright a frame has to be to be kept, by the mean of its luma, from 0 for black to 100 for white; `nil`: dark
    ///     ones are kept.
    ///   - rate: frames a second of the movie, above 0.
    ///   - exposure: who sees to the camera's exposure.
    ///   - standsBy: whether the camera is closed between shots that are farther apart than it takes to open it and to settle.
    ///   - isDaily: whether each day, by the machine's time zone, has a movie of its own: "day-2026-11-23.mov".
    ///   - resumes: whether a .mov or .mp4 of that name is continued where there is one, after a stop or a kill; the grid of its shots
    ///     stays.
    ///   - movie: how frames are encoded and what the movie tells of itself.
    public init(
        every interval: MediaTime, duration: MediaTime? = nil, hours: Hours? = nil, minimumLuma: Double? = nil,
        rate: Fraction = Fraction(30), exposure: Exposure = .automatic, standsBy: Bool = false, isDaily: Bool = false,
        resumes: Bool = false, movie: MovieSettings = MovieSettings()
    ) {
        (self.interval, self.duration, self.hours, self.minimumLuma) = (interval, duration, hours, minimumLuma)
        (self.rate, self.exposure, self.standsBy) = (rate, exposure, standsBy)
        (self.isDaily, self.resumes, self.movie) = (isDaily, resumes, movie)
    }

    /// - Throws: ``RushesError`` for a value outside of its range.
    package func check() throws(RushesError) {
        let problem: String? =
            if interval < .millisecond {
                "Shots are at least a millisecond apart."
            } else if let duration, duration <= .zero {
                "The duration is zero; no shot would be taken."
            } else if rate.doubleValue <= 0 {
                "A movie has more than 0 frames a second."
            } else if let minimumLuma, !(0...100).contains(minimumLuma) {
                "The least luma is a number from 0 for black to 100 for white."
            } else if movie.orientation != .upright, stamp != nil || keogram != nil || trails != nil {
                "What is drawn into the frames, and the images of all of them, would lie as the camera does; leave its rotation out, or them."
            } else if movie.videoCodec == .prores, movie.profile == .fourFourFourFour,
                stamp != nil || keogram != nil || trails != nil
            {
                "Nothing is drawn into frames of ProRes 4444, and no images are made of them; choose another \(Term.profile)."
            } else if resumes, keogram != nil || trails != nil {
                "An image of all frames would have those of this run alone; leave it out, and make it of the movie."
            } else { hours?.problem }
        if let problem { throw RushesError(.invalidSettings, problem) }
    }

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
    /// Shots that the movie had before this run.
    package var before = 0
    /// When the next shot is due; `nil` in a pause and at the end.
    package var next: Date?
    /// How long the movie is.
    package var duration = MediaTime.zero
    package var bytes: Int64 = 0
    package var isPaused = false
    /// Why no frame comes, in a few words; `nil` while the camera runs.
    package var cameraLoss: String?

    package init() {}

    /// Counts shots as missed that were taken and are not in the file, as where its disk is full.
    mutating func lose(_ count: Int) {
        guard count > 0 else { return }
        (shots, missed) = (shots - count, missed + count)
    }
}
