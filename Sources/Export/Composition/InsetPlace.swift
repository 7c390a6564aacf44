import MediaTypes

/// Where an inset's time lies in the main movie's.
struct InsetPlace: Sendable, Hashable {
    /// The main movie's time of the inset's beginning; below zero where it began before.
    var offset = MediaTime.zero
    /// How long a second of the inset is in the main movie: cameras' clocks differ by some millionths.
    var scale = 1.0

    func mainTime(of time: MediaTime) -> MediaTime {
        offset + (scale == 1 ? time : MediaTime(seconds: time.seconds * scale))
    }

    func insetTime(of time: MediaTime) -> MediaTime {
        scale == 1 ? time - offset : MediaTime(seconds: (time - offset).seconds / scale)
    }
}
