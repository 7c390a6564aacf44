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

    /// Now.
    static var now: ClockReading { ClockReading(wall: MediaTime(Date()), running: Pipeline.systemTime) }

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
