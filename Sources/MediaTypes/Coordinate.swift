/// A place on the earth.
package struct Coordinate: Sendable, Equatable {
    /// Degrees, north and east positive.
    package var latitude: Double
    package var longitude: Double

    package init(latitude: Double, longitude: Double) { (self.latitude, self.longitude) = (latitude, longitude) }
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
