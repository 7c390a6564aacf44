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
