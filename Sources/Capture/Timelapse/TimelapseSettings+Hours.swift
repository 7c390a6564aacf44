public import Foundation
import MediaTypes

extension TimelapseSettings {
    /// The times of day at which shots are taken.
    #if hasAttribute(nonexhaustive)
        @nonexhaustive
    #endif
    public enum Hours: Sendable, Hashable {
        /// From one time of day to another, by hour and minute, from 0:00 to 24:00, such as `DateComponents(hour: 6, minute: 30)`; over
        /// midnight where the second is the earlier. By the clock of the first one's time zone, else of the machine's.
        case between(DateComponents, DateComponents)
        /// While the sun is up at a place, in degrees, north and east positive: from -90 to 90 and from -180 to 180.
        case daylight(latitude: Double, longitude: Double)
    }
}

extension TimelapseSettings.Hours {
    private static let day = 1440

    /// What minute of the day it is, 1440 for its end; `nil` where it is none.
    private static func minute(_ time: DateComponents) -> Int? {
        let (hour, minute) = (time.hour ?? 0, time.minute ?? 0)
        guard (0...24).contains(hour), (0...59).contains(minute), hour * 60 + minute <= day else { return nil }
        return hour * 60 + minute
    }

    /// Why there are no such times, as a sentence; `nil` if there are.
    package var problem: String? {
        switch self {
        case .between(let begin, let end):
            guard let begin = Self.minute(begin), let end = Self.minute(end) else {
                return "Times of day are from 0:00 to 24:00."
            }
            return begin % Self.day == end % Self.day && begin >= end
                ? "Between a time of day and the same one there is none; leave both out for the whole day." : nil
        case .daylight(let latitude, let longitude):
            return abs(latitude) <= 90 && abs(longitude) <= 180
                ? nil : "There is no such place; a latitude is from -90 to 90 degrees, a longitude from -180 to 180."
        }
    }

    /// - Parameter wall: since 1970.
    func contain(_ wall: MediaTime) -> Bool {
        switch self {
        case .between(let first, let last):
            guard let begin = Self.minute(first).map({ $0 % Self.day }), let end = Self.minute(last) else {
                return false
            }
            let zone = first.timeZone ?? .current
            let local = wall + MediaTime(seconds: Double(zone.secondsFromGMT(for: Date(wall: wall))))
            let day = 86_400 * MediaTime.second
            let rest = MediaTime(
                nanoseconds: ((local.nanoseconds % day.nanoseconds) + day.nanoseconds) % day.nanoseconds)
            let minute = rest.quotient(dividingBy: 60 * .second)
            return begin <= end ? minute >= begin && minute < end : minute >= begin || minute < end
        case .daylight(let latitude, let longitude):
            return Coordinate(latitude: latitude, longitude: longitude).isDay(at: wall)
        }
    }

    /// The first whole minute from a wall time on that they contain, within a year; `nil` if there is none.
    func first(from wall: MediaTime) -> MediaTime? {
        var time = wall
        let limit = wall + 366 * 86_400 * .second
        while !contain(time) {
            time = (time.quotient(dividingBy: 60 * .second) + 1) * (60 * .second)
            if time >= limit { return nil }
        }
        return time
    }
}
