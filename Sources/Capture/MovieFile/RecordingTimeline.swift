import GStreamer

/// The beginning and the end of a take on the session's running time, common to all its tracks.
///
/// With a camera the take begins at its first frame after the request; without one at the request itself. Every time in
/// the movie is a running time minus the beginning.
struct RecordingTimeline: Sendable, Equatable {
    /// When recording was asked for; nothing before it is part of the take.
    private(set) var requested: Nanoseconds = .max
    private let startsWithVideo: Bool
    /// How long the take may be; its end is known as soon as its beginning is.
    let maximumDuration: Nanoseconds?
    /// Running time of the movie's time zero, once it is known.
    private(set) var start: Nanoseconds?
    /// Running time at which every track ends, once that is known.
    private(set) var end: Nanoseconds?

    /// A take that has not been asked for yet.
    ///
    /// - Parameter startsWithVideo: whether the first frame decides the beginning.
    init(startsWithVideo: Bool, maximumDuration: Nanoseconds? = nil) {
        self.startsWithVideo = startsWithVideo
        self.maximumDuration = maximumDuration
    }

    /// The same, asked for at a running time.
    init(requested: Nanoseconds, startsWithVideo: Bool, maximumDuration: Nanoseconds? = nil) {
        self.init(startsWithVideo: startsWithVideo, maximumDuration: maximumDuration)
        request(at: requested)
    }

    /// Asks for the take, which begins now or with the first frame from now on.
    mutating func request(at time: Nanoseconds) {
        requested = time
        if !startsWithVideo { start(at: time) }
    }

    /// Begins the take, if it has not begun.
    mutating func start(at time: Nanoseconds) {
        guard start == nil else { return }
        start = time
        if let maximumDuration { end(at: time + maximumDuration) }
    }

    /// Ends the take at a running time; the earliest end that was asked for holds.
    mutating func end(at time: Nanoseconds) { end = min(end ?? time, time) }
}
