import Composition
import Foundation
import MediaTypes
import MovieFiles

/// Draws when each frame was taken into its lower left corner.
struct StampFilter: Sendable {
    private var painter: StampPainter
    /// By the time in the movie; nil where nobody knows.
    private let clock: @Sendable (MediaTime) -> StampMoment?

    /// Whether a text was wider than its frame, or than can be drawn.
    var isCut: Bool { painter.isCut }

    /// - Parameter format: as `date` and `strftime` have it: `%F %R`.
    init(_ format: String, _ renderer: TextRenderer, clock: @escaping @Sendable (MediaTime) -> StampMoment?) {
        (painter, self.clock) = (StampPainter(format, renderer), clock)
    }

    /// - Throws: ``GStreamerError`` without memory.
    mutating func apply(to frame: TimelapseFrame) throws -> TimelapseFrame {
        guard let time = frame.time, let moment = clock(time) else { return frame }
        var buffer = frame.buffer
        try painter.draw(moment, into: &buffer, frame.format)
        return frame.with(buffer)
    }
}

extension StampMoment {
    /// - Parameter seconds: after the date.
    init(_ date: MovieDate, after seconds: Double = 0) {
        self.init(
            local: date.date.timeIntervalSince1970 + Double(date.secondsFromGMT) + seconds,
            secondsFromGMT: date.secondsFromGMT)
    }
}
