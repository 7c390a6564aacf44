import MediaTypes
import MovieFiles

/// The time codes of a stream's key frames, as far as they do not simply count on from the one before: after a pause they do not. Pure.
struct StreamTimeCodes: Sendable {
    private var jumps: [(time: MediaTime, code: TimeCode)] = []

    /// Jumps that are remembered. A camera whose times scatter has one now and then; files begin minutes in the past at most.
    private static let limit = 4096

    /// - Parameter time: when the frame is presented in the movie, which rises.
    mutating func note(_ code: TimeCode, at time: MediaTime) {
        if let last = jumps.last {
            guard time > last.time, last.code.advanced(by: time - last.time) != code else { return }
        }
        if jumps.count == Self.limit { jumps.removeFirst(Self.limit / 4) }
        jumps.append((time, code))
    }

    /// The code of a frame that is presented at a time; `nil` before the first one that is known.
    func code(at time: MediaTime) -> TimeCode? {
        // Times are rounded on their way through muxers and segments.
        guard let jump = jumps.last(where: { $0.time <= time + .millisecond }) else { return nil }
        return jump.code.advanced(by: time - jump.time)
    }
}
