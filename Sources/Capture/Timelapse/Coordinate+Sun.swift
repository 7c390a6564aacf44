import Foundation
import MediaTypes

extension Coordinate {
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
