import Foundation
import MediaTypes

/// A place on the earth.
package struct Coordinate: Sendable, Equatable {
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

extension Coordinate {
    /// A place by ISO 6709: "+48.8577+002.295/" in degrees, or with minutes and seconds, "+4851.5+00217.7/" and "+485127+0021742/".
    ///
    /// - Returns: `nil` where the text is none, or lies outside of the earth.
    package init?(iso6709 text: String) {
        guard let match = text.prefixMatch(of: #/([+-])(\d+)(\.\d+)?([+-])(\d+)(\.\d+)?/#) else { return nil }
        let (_, north, latitude, latitudeRest, east, longitude, longitudeRest) = match.output
        guard
            let first = Self.degrees(String(latitude), String(latitudeRest ?? ""), digits: 2),
            let second = Self.degrees(String(longitude), String(longitudeRest ?? ""), digits: 3),
            first <= 90, second <= 180
        else { return nil }
        self.init(latitude: north == "-" ? -first : first, longitude: east == "-" ? -second : second)
    }

    /// - Parameter digits: of the whole degrees.
    private static func degrees(_ whole: String, _ rest: String, digits: Int) -> Double? {
        let minutes = whole.dropFirst(digits)
        guard whole.count >= digits, let degrees = Double(whole.prefix(digits)) else { return nil }
        switch minutes.count {
        case 0: return Double("\(whole)\(rest)")
        case 2: return Double("\(minutes)\(rest)").map { degrees + $0 / 60 }
        case 4:
            guard let whole = Double(minutes.prefix(2)), let seconds = Double("\(minutes.suffix(2))\(rest)") else {
                return nil
            }
            return degrees + whole / 60 + seconds / 3600
        default: return nil
        }
    }
}
