import GStreamer
import MediaTypes

/// Goes through a movie's frames to those that are shown at some times, which rise.
struct FrameWalk {
    private let source: MovieSource
    private let track: OpenedTrack
    private let seeks: Bool
    private var current: Sample
    private var next: Sample?
    private var hasEnded = false
    private let progress: (MediaTime) -> Void

    /// Below this, reading what comes before takes no longer than a seek.
    private static let worthSeeking = 5 * MediaTime.second
    /// Files count frames in milliseconds, or in ticks of their own, and people in parts of a second.
    private static let tolerance = MediaTime.millisecond / 2

    /// - Parameter progress: called with the time of the movie up to which it has been read.
    init(_ source: MovieSource, _ track: OpenedTrack, seeks: Bool, progress: @escaping (MediaTime) -> Void) {
        (self.source, self.track, self.seeks, self.progress, current) = (source, track, seeks, progress, track.first)
    }

    /// Of the last frame; `nil` as long as it has not come.
    var end: MediaTime? {
        guard hasEnded, next == nil, let begin = current.movieTime else { return nil }
        return begin + (current.buffer?.duration ?? .second)
    }

    mutating func frame(at time: MediaTime) async throws -> Sample {
        if seeks, time - (current.movieTime ?? .zero) > Self.worthSeeking { try await seek(to: time) }
        while true {
            if next == nil, !hasEnded {
                next = try await source.firstSample(of: track.track)
                hasEnded = next == nil
            }
            guard let following = next, following.movieTime ?? .zero <= time + Self.tolerance else { return current }
            (current, next) = (following, nil)
            following.movieTime.map(progress)
        }
    }

    private mutating func seek(to time: MediaTime) async throws {
        guard await source.seek(to: time, .keyFrameBefore),
            let sample = try await source.firstSample(of: track.track)
        else { throw RetryReason(part: .seeking) }
        (current, next, hasEnded) = (sample, nil, false)
        guard let begun = sample.movieTime, begun <= time + Self.tolerance else { throw RetryReason(part: .seeking) }
    }
}
