import Foundation
import SystemPackage

/// The order in which photos are shown.
package enum PhotoOrder {
    /// By the time at which they were taken where all say it, else by their names, as people order them: "shot 2" before "shot 10".
    /// What was taken in the same moment goes by name. Where all tell their clock's zone, a change of clocks on the way does not matter.
    package static func sorted(_ photos: [PhotoFile]) -> [PhotoFile] {
        let named = photos.map { (photo: $0, name: $0.path.string) }
            .sorted { isBefore($0.name, $1.name) }.map(\.photo)
        let dates = named.compactMap(\.date)
        guard dates.count == named.count else { return named }
        let times = PhotoDate.times(of: dates)
        // Stable, so names decide where times are the same.
        return named.indices.sorted { (times[$0], $0) < (times[$1], $1) }.map { named[$0] }
    }

    /// Whether a name comes before another, numbers in them taken as numbers.
    package static func isBefore(_ name: String, _ other: String) -> Bool {
        let order = name.compare(other, options: [.numeric, .caseInsensitive])
        return order == .orderedSame ? name < other : order == .orderedAscending
    }
}

/// When a photo was taken, by the camera's clock.
package struct PhotoDate: Sendable, Hashable {
    /// As if the clock were at UTC, in milliseconds from 1970 on.
    package let milliseconds: Int64
    /// What the clock was ahead of UTC, in seconds; nil where the photo does not tell, as most cameras' do not.
    package let secondsFromGMT: Int?

    /// - Parameters:
    ///   - text: the EXIF tag `DateTimeOriginal`: "2026:11:21 14:03:22".
    ///   - fraction: the tag `SubSecTimeOriginal`: the digits behind the point.
    ///   - zone: the tag `OffsetTimeOriginal` of EXIF 2.31: "+02:00".
    /// - Returns: nil for what is no date, such as the zeros of a clock that was never set.
    package init?(_ text: String, fraction: String? = nil, zone: String? = nil) {
        let numbers = text.split { ": ".contains($0) }.compactMap { Int64($0) }
        guard numbers.count == 6, (1...9999).contains(numbers[0]), (1...12).contains(numbers[1]),
            (1...31).contains(numbers[2]), (0...24).contains(numbers[3]), (0...59).contains(numbers[4]),
            (0...60).contains(numbers[5])
        else { return nil }
        // Howard Hinnant's days_from_civil: years begin in March.
        let year = numbers[0] - (numbers[1] <= 2 ? 1 : 0)
        let month = (numbers[1] + 9) % 12
        let (era, yearOfEra) = (year / 400, year % 400)
        let dayOfYear = (153 * month + 2) / 5 + numbers[2] - 1
        let days = era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
        let seconds = ((days * 24 + numbers[3]) * 60 + numbers[4]) * 60 + numbers[5]
        let digits = (fraction ?? "").prefix { ("0"..."9").contains($0) }.prefix(3)
        let thousandths = Int64(digits + String(repeating: "0", count: 3 - digits.count)) ?? 0
        milliseconds = seconds * 1000 + thousandths
        secondsFromGMT = zone.flatMap { Self.seconds(of: $0) }
    }

    /// When photos were taken by one clock, in milliseconds from 1970 on: UTC where all tell their zone, else what they showed.
    package static func times(of dates: [PhotoDate]) -> [Int64] {
        let isKnown = dates.allSatisfy { $0.secondsFromGMT != nil }
        return dates.map { $0.milliseconds - (isKnown ? Int64($0.secondsFromGMT ?? 0) * 1000 : 0) }
    }

    /// Of "+02:00"; nil for what is none, as the blanks of a camera that does not know its zone.
    private static func seconds(of zone: String) -> Int? {
        guard let match = zone.wholeMatch(of: #/([+-])(\d\d):(\d\d)\s*/#), let hours = Int(match.2),
            let minutes = Int(match.3), hours < 24, minutes < 60
        else { return nil }
        return (match.1 == "-" ? -1 : 1) * (hours * 60 + minutes) * 60
    }
}
