import Encoding
import Foundation
import MediaTypes
import SystemPackage
import TestSupport
import Testing

@testable import Capture

/// Which file shots go into, and what is known of those before.
@Suite struct TimelapseFilesTests {
    @Test func `shots that may not be in the file are kept, and a few before them`() {
        var recent = RecentShots<Int>()
        for number in 0..<20 { recent.add(number, number: number, bytes: 1000, inFile: number, limit: 100) }
        #expect(recent.from(0) == Array(12..<20))
        #expect(recent.from(18) == [18, 19] && recent.from(20).isEmpty)
        // The file has got none of these.
        for number in 20..<40 { recent.add(number, number: number, bytes: 1000, inFile: 20, limit: 100) }
        #expect(recent.from(0) == Array(20..<40))
        for number in 40..<60 { recent.add(number, number: number, bytes: 1000, inFile: 20, limit: 10) }
        #expect(recent.from(0) == Array(50..<60))
    }

    @Test func `of large frames fewer are kept, and at least one`() {
        for (bytes, count) in [(4 << 20, 8), (12 << 20, 2), (200 << 20, 1)] {
            var recent = RecentShots<Int>()
            for number in 0..<20 { recent.add(number, number: number, bytes: bytes, inFile: nil, limit: 100) }
            #expect(recent.from(0).count == count, "\(bytes)")
        }
    }

    @Test func `a file is given up while its index still has room`() {
        let room = FileSpace(limit: 1_000_000)
        #expect(!room.isFull(bytes: 999_999, frames: 0, waiting: 0, largest: 0))
        #expect(!room.isFull(bytes: 900_000, frames: 100, waiting: 0, largest: 20_000))
        // A frame that is on its way, or many, or large ones.
        #expect(room.isFull(bytes: 900_000, frames: 100, waiting: 1, largest: 20_000))
        #expect(room.isFull(bytes: 900_000, frames: 1500, waiting: 0, largest: 100))
        #expect(room.isFull(bytes: 900_000, frames: 100, waiting: 0, largest: 60_000))
    }

    @Test func `a day has its name and its end by its time zone, also when the clock changes`() throws {
        let zone = try #require(TimeZone(identifier: "Europe/Berlin"))
        // 2026-10-24 22:30 UTC is half past midnight of the day that has 25 hours.
        let day = ShootingDay(of: MediaTime(try Date("2026-10-24T22:30:00Z", strategy: .iso8601)), in: zone)
        #expect(day.name == "2026-10-25")
        #expect(day.end == MediaTime(try Date("2026-10-25T23:00:00Z", strategy: .iso8601)))
        #expect(ShootingDay(of: day.end, in: zone).name == "2026-10-26")
    }

    @Test func `the files of the last day before are found among others`() {
        let names = [
            "site-2026-11-20.mov", "site-2026-11-22.mov", "site-2026-11-22-002.mov", "site-2026-11-23.mov",
            "site-2026-11-22.mp4", "site-2026-11-22.part.mov", "site-2026-11-22-notes.mov", "other-2026-11-22.mov",
            "site.mov", "site-2026-11-24.mov",
        ]
        #expect(
            ShootingDay.files(names, of: "site.mov", before: "2026-11-23")
                == ["site-2026-11-22-002.mov", "site-2026-11-22.mov"])
        #expect(ShootingDay.files(names, of: "site.mov", before: "2026-11-21") == ["site-2026-11-20.mov"])
        #expect(ShootingDay.files(names, of: "site.mov", before: "2026-11-20").isEmpty)
    }

    @Test func `the movies of a run are its parts, and those of the days before without a gap`() throws {
        let folder = try TemporaryFolder()
        for day in ["2026-02-26", "2026-02-28", "2026-02-28-002", "2026-03-01", "2026-03-02"] {
            try Data().write(to: URL(filePath: folder.file("site-\(day).mov")))
        }
        let whole = MovieDestination(FilePath(folder.file("site.mov")))
        func names(_ number: Int, _ day: String?) -> Set<String> {
            let movies = EarlierShots.movies(
                before: number, of: day.map { whole.dated($0) } ?? whole, day: day, whole)
            return Set(movies.compactMap { $0.stem })
        }
        #expect(names(1, "2026-03-02") == ["site-2026-03-01", "site-2026-02-28", "site-2026-02-28-002"])
        #expect(names(2, "2026-03-02") == names(1, "2026-03-02").union(["site-2026-03-02"]))
        #expect(names(1, "2026-02-26").isEmpty && names(1, "2026-02-28").isEmpty)
        #expect(names(3, nil) == ["site", "site-002"])
    }
}
