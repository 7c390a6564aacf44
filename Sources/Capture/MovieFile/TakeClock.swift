import GStreamer

/// The beginning and the end of a take on the session's running time, common to all its tracks.
///
/// With a camera the take begins at its first picture after the request; without one at the request itself. Every time in
/// the movie is a running time minus the beginning.
struct TakeClock: Sendable, Equatable {
    /// When recording was asked for.
    let requested: Nanoseconds
    /// How long the take may be; its end is known as soon as its beginning is.
    let maximumDuration: Nanoseconds?
    /// Running time of the movie's time zero, once it is known.
    private(set) var start: Nanoseconds?
    /// Running time at which every track ends, once that is known.
    private(set) var end: Nanoseconds?

    /// - Parameter startsWithPicture: whether the first picture decides the beginning.
    init(requested: Nanoseconds, startsWithPicture: Bool, maximumDuration: Nanoseconds? = nil) {
        self.requested = requested
        self.maximumDuration = maximumDuration
        if !startsWithPicture { start(at: requested) }
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
