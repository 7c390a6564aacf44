import Foundation

/// When a frame was taken, by the clock at that place.
package struct StampMoment: Sendable, Hashable {
    /// What the clock showed, in seconds from 1970 on.
    package var local: Double
    /// What it was ahead of UTC, in seconds; nil where nobody tells.
    package var secondsFromGMT: Int?

    /// - Parameters:
    ///   - local: what the clock showed, in seconds from 1970 on.
    ///   - secondsFromGMT: what it was ahead of UTC; nil where nobody tells.
    package init(local: Double, secondsFromGMT: Int?) { (self.local, self.secondsFromGMT) = (local, secondsFromGMT) }

    /// In words, as `strftime` has them, in the zone in which the time was told; that of `%Z` has no name, but its distance from UTC.
    package func text(_ format: String) -> String {
        var shown = time_t(local.rounded(.down))
        var parts = tm()
        gmtime_r(&shown, &parts)
        // The C library knows no other zone than this machine's, which `%s` asks for in spite of all.
        let format = Conversion.replacing(format) { self.text($0) }
        // More than one line of a frame has.
        var bytes = [CChar](repeating: 0, count: 4096)
        let count = strftime(&bytes, bytes.count, format, &parts)
        return String(decoding: bytes.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    private func text(_ conversion: Conversion) -> String {
        // Whoever does not know the zone has refused it.
        let offset = secondsFromGMT ?? 0
        let minutes = abs(offset) / 60
        let (sign, hours) = (offset < 0 ? "-" : "+", String(format: "%02d", minutes / 60))
        let rest = String(format: "%02d", minutes % 60)
        return switch conversion {
        case .seconds: "\(Int(local.rounded(.down)) - offset)"
        case .offset: "\(sign)\(hours)\(rest)"
        case .zone: offset == 0 ? "UTC" : "UTC\(sign)\(hours):\(rest)"
        }
    }
}

extension StampMoment {
    /// Whether it can be drawn only where the zone is known.
    package static func needsZone(_ format: String) -> Bool {
        var isFound = false
        _ = Conversion.replacing(format) { _ in
            isFound = true
            return ""
        }
        return isFound
    }

    /// What of `strftime` depends on the zone.
    fileprivate enum Conversion: Character {
        case seconds = "s"
        case offset = "z"
        case zone = "Z"

        /// A format with these in words. Flags, a width and a modifier may stand before the letter, as the C library of GNU has it.
        static func replacing(_ format: String, _ words: (Conversion) -> String) -> String {
            format.replacing(#/%([_\-0^#+]*[0-9]*[EO]?)(.)/#.dotMatchesNewlines()) { match in
                // Those that stay are handed on, "%%" with both signs.
                match.2.first.flatMap(Conversion.init).map(words) ?? String(match.0)
            }
        }
    }
}
