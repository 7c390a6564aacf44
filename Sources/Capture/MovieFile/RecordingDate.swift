import Foundation
import MediaTypes
import MovieFiles

/// When what a recording holds was taken, by the wall clock: one answer for all its files. Pure.
///
/// The clock is read once, so that files agree to the frame whatever is done to it meanwhile.
struct RecordingDate: Sendable {
    /// Of the session's time zero, as the system's clock tells it.
    private let zero: Date
    private let secondsFromGMT: Int
    /// Of the recording's first frame, where somebody has said so.
    private let given: MovieDate?
    /// The running time stands still meanwhile, the time of day does not.
    let suspensions: Suspensions

    /// - Parameters:
    ///   - given: when the first frame was taken, for who knows better than the clock.
    ///   - now: the session's running time.
    init(
        _ given: MovieDate?, timeZone: TimeZone = .current, suspensions: Suspensions = Suspensions(),
        clock: () -> Date = { Date() }, now: () -> MediaTime
    ) {
        self.suspensions = suspensions
        // On a busy machine time may pass between the two: the closest of a few readings counts.
        let readings = (0..<5).map { _ in
            let (before, date, after) = (now(), clock(), now())
            return (passed: after - before, zero: date.addingTimeInterval(-before.seconds))
        }
        let zero = readings.min { $0.passed < $1.passed }?.zero ?? Date()
        (self.given, self.zero) = (given, zero)
        secondsFromGMT = MovieDate(zero, in: timeZone).secondsFromGMT
    }

    /// Of a place in the movie; `nil` before the first frame.
    ///
    /// - Parameter begin: where the movie begins on the timeline, for one that waited for its start.
    func date(at movieTime: MediaTime, _ timeline: RecordingTimeline, begin: MediaTime = .zero) -> MovieDate? {
        guard let start = timeline.runningTime(at: begin), let time = timeline.runningTime(at: movieTime) else {
            return nil
        }
        guard let given else {
            return date(ofRunningTime: time)
        }
        return MovieDate(
            given.date.addingTimeInterval(
                (time - start + suspensions.total(before: time) - suspensions.total(before: start)).seconds),
            secondsFromGMT: given.secondsFromGMT)
    }

    /// Of a running time, as the clock tells it.
    func date(ofRunningTime time: MediaTime) -> MovieDate {
        MovieDate(
            zero.addingTimeInterval((time + suspensions.total(before: time)).seconds), secondsFromGMT: secondsFromGMT)
    }
}
