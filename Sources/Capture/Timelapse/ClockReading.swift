import Foundation
import GStreamer
import MediaTypes

/// One moment by both of the machine's clocks.
struct ClockReading: Sendable, Equatable {
    /// Of the wall clock, since 1970 (UTC). It may be set, forth and back.
    var wall: MediaTime
    /// Of the clock that frames are stamped with, which only goes on; it stands while the machine is suspended.
    var running: MediaTime

    init(wall: MediaTime, running: MediaTime) { (self.wall, self.running) = (wall, running) }

    /// Now. Both clocks are read at once, as far as that goes: who is held up between them reads them again, or it would look as if
    /// somebody had set the wall clock.
    static var now: ClockReading {
        var reading: ClockReading
        var tries = 0
        repeat {
            let before = Pipeline.systemTime
            let wall = MediaTime(Date())
            let after = Pipeline.systemTime
            reading = ClockReading(wall: wall, running: before + (after - before) / 2)
            if after - before < together { break }
            tries += 1
        } while tries < maximumTries
        return reading
    }

    /// Two readings that are no farther apart are one moment.
    private static let together = 20 * MediaTime.millisecond
    private static let maximumTries = 10

    /// The same clocks a little before or after, when nobody set any in between.
    func moved(to running: MediaTime) -> ClockReading {
        ClockReading(wall: wall + running - self.running, running: running)
    }
}

extension MediaTime {
    /// Since 1970.
    init(_ date: Date) { self.init(seconds: date.timeIntervalSince1970) }
}

extension Date {
    /// - Parameter wall: since 1970.
    init(wall: MediaTime) { self.init(timeIntervalSince1970: wall.seconds) }
}
