import Foundation
import SystemPackage

/// The order in which photos are shown.
package enum PhotoOrder {
    /// By the time at which they were taken where all say it, else by their names, as people order them: "shot 2" before "shot 10".
    /// What was taken in the same moment goes by name.
    package static func sorted(_ photos: [PhotoFile]) -> [PhotoFile] {
        let named = photos.map { (photo: $0, name: $0.path.string) }
            .sorted { isBefore($0.name, $1.name) }.map(\.photo)
        guard photos.allSatisfy({ $0.date != nil }) else { return named }
        // Stable, so names decide where times are the same.
        return named.enumerated().sorted { one, other in
            guard let date = one.element.date, let otherDate = other.element.date, date != otherDate else {
                return one.offset < other.offset
            }
            return date < otherDate
        }.map(\.element)
    }

    /// Whether a name comes before another, numbers in them taken as numbers.
    package static func isBefore(_ name: String, _ other: String) -> Bool {
        let order = name.compare(other, options: [.numeric, .caseInsensitive])
        return order == .orderedSame ? name < other : order == .orderedAscending
    }
}

/// When a photo was taken, by the camera's clock, which tells no zone as a rule.
package struct PhotoDate: Sendable, Hashable, Comparable {
    /// As if the clock were at UTC, in milliseconds from 1970 on.
    package let milliseconds: Int64

    /// - Parameters:
    ///   - text: the EXIF tag `DateTimeOriginal`: "2026:11:21 14:03:22".
    ///   - fraction: the tag `SubSecTimeOriginal`: the digits behind the point.
    /// - Returns: nil for what is no date, such as the zeros of a clock that was never set.
    package init?(_ text: String, fraction: String? = nil) {
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
    }

    package static func < (left: Self, right: Self) -> Bool { left.milliseconds < right.milliseconds }
}
