import Encoding
import Foundation
import MediaTypes
import SystemPackage

/// A day by a time zone, as a movie a day is called.
struct ShootingDay: Sendable, Equatable {
    /// "2026-11-23".
    let name: String
    /// Wall time at which it ends.
    let end: MediaTime

    /// The day of a wall time.
    init(of wall: MediaTime, in zone: TimeZone = .current) {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = zone
        let date = Date(wall: wall)
        let parts = calendar.dateComponents([.year, .month, .day], from: date)
        func two(_ value: Int?) -> String { (value ?? 0) < 10 ? "0\(value ?? 0)" : "\(value ?? 0)" }
        name = "\(parts.year ?? 0)-\(two(parts.month))-\(two(parts.day))"
        end = MediaTime(calendar.dateInterval(of: .day, for: date)?.end ?? date.addingTimeInterval(86_400))
    }

    /// What the day before one is called.
    static func name(before name: String) -> String? {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        let parts = name.split(separator: "-").compactMap { Int($0) }
        guard parts.count == 3,
            let date = calendar.date(from: DateComponents(year: parts[0], month: parts[1], day: parts[2], hour: 12))
        else { return nil }
        return ShootingDay(of: MediaTime(date.addingTimeInterval(-86_400)), in: .gmt).name
    }

    /// The files in the folder of a movie. Blocks.
    ///
    /// - Parameter movie: as the movies are called without their day.
    static func names(beside movie: MovieDestination) -> [String] {
        (try? FileManager.default.contentsOfDirectory(atPath: movie.folder.string)) ?? []
    }

    /// Of the files in a folder those of the last day before one, in order: its movie, and the parts that have followed it.
    ///
    /// - Parameters:
    ///   - names: of the files.
    ///   - movie: as the movies are called without their day, "site.mov".
    static func files(_ names: [String], of movie: FilePath, before day: String) -> [FilePath] {
        guard let stem = movie.stem else { return [] }
        let dated = names.compactMap { name -> (day: String, name: String)? in
            let file = FilePath(name)
            guard name.hasPrefix("\(stem)-"), file.extension == movie.extension,
                let rest = file.stem?.dropFirst(stem.count + 1).wholeMatch(of: #/(\d{4}-\d\d-\d\d)(-\d{3,})?/#),
                rest.1 < day
            else { return nil }
            return (String(rest.1), name)
        }
        let last = dated.map(\.day).max()
        return dated.filter { $0.day == last }.map(\.name).sorted().map { movie.removingLastComponent().appending($0) }
    }
}
