import GStreamer

/// The beginning and the end of a take on the session's running time, common to all its tracks.
///
/// With a camera the take begins at its first picture after the request; without one at the request itself. Every time in
/// the movie is a running time minus the beginning.
struct TakeClock: Sendable, Equatable {
    /// When recording was asked for.
    let requested: Nanoseconds
    /// Running time of the movie's time zero, once it is known.
    private(set) var start: Nanoseconds?
    /// Running time at which every track ends, once a stop was asked for.
    private(set) var end: Nanoseconds?

    /// - Parameter startsWithPicture: whether the first picture decides the beginning.
    init(requested: Nanoseconds, startsWithPicture: Bool) {
        self.requested = requested
        start = startsWithPicture ? nil : requested
    }

    mutating func start(atPicture time: Nanoseconds) {
        if start == nil { start = time }
    }

    /// Ends the take at a running time; the earliest end that was asked for holds.
    mutating func end(at time: Nanoseconds) { end = min(end ?? time, time) }
}
