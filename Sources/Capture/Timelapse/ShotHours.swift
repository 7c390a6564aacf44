package import Foundation
package import MediaTypes

/// The times of day at which a timelapse takes shots.
package enum ShotHours: Sendable, Equatable {
    /// From one minute of the day to another, by the clock of a time zone; over midnight where the second is the earlier.
    case between(begin: Int, end: Int, TimeZone)
    /// While the sun is up at a place.
    case daylight(Place)

    /// - Parameter wall: since 1970.
    package func contain(_ wall: MediaTime) -> Bool {
        switch self {
        case .between(let begin, let end, let zone):
            let local = wall + MediaTime(seconds: Double(zone.secondsFromGMT(for: Date(wall: wall))))
            let day = 86_400 * MediaTime.second
            let rest = MediaTime(
                nanoseconds: ((local.nanoseconds % day.nanoseconds) + day.nanoseconds) % day.nanoseconds)
            let minute = rest.quotient(dividingBy: 60 * .second)
            return begin <= end ? minute >= begin && minute < end : minute >= begin || minute < end
        case .daylight(let place): return place.isDay(at: wall)
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

/// A place on the earth.
package struct Place: Sendable, Equatable {
    /// Degrees, north and east positive.
    package var latitude: Double
    package var longitude: Double

    package init(latitude: Double, longitude: Double) { (self.latitude, self.longitude) = (latitude, longitude) }

    /// Whether the sun's upper edge is above the horizon, by the sunrise equation: good to a minute or two between the polar
    /// circles (Jean Meeus, Astronomical Algorithms, 2nd edition, chapters 15 and 25, in the low-precision form of the Astronomical
    /// Almanac, page C5: the sun's place to 0.01 degrees from 1950 to 2050).
    ///
    /// - Parameter wall: since 1970.
    func isDay(at wall: MediaTime) -> Bool { sunAltitude(at: wall) > -0.833 }

    /// In degrees, of the sun's center, without refraction: at sunrise and sunset -0.833, 34 minutes of arc for refraction and 16 for the
    /// sun's radius.
    func sunAltitude(at wall: MediaTime) -> Double {
        func radians(_ degrees: Double) -> Double { degrees * .pi / 180 }
        // Days since noon of the first of January 2000.
        let days = wall.seconds / 86_400 - 10_957.5
        let anomaly = radians(357.528 + 0.985_600_3 * days)
        let longitude = radians(280.460 + 0.985_647_4 * days + 1.915 * sin(anomaly) + 0.020 * sin(2 * anomaly))
        let obliquity = radians(23.439 - 0.000_000_4 * days)
        let declination = asin(sin(obliquity) * sin(longitude))
        let ascension = atan2(cos(obliquity) * sin(longitude), cos(longitude))
        // Sidereal time in Greenwich, in degrees.
        let sidereal = 280.460_618_37 + 360.985_647_366_29 * days
        let hour = radians(sidereal.truncatingRemainder(dividingBy: 360) + self.longitude) - ascension
        let latitude = radians(self.latitude)
        let altitude = asin(sin(latitude) * sin(declination) + cos(latitude) * cos(declination) * cos(hour))
        return altitude * 180 / .pi
    }
}
