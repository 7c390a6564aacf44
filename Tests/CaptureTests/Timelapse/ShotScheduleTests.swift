import Errors
import Foundation
import GStreamer
import MediaTypes
import TestSupport
import Testing

@testable import Capture

@Suite struct ShotScheduleTests {
    private static let second = MediaTime.second
    /// A whole second, as anchors are.
    private static let noon = 1_790_000_000 * MediaTime.second

    private func moment(_ seconds: Double, wall offset: Double = 0) -> ClockReading {
        let time = MediaTime(seconds: seconds)
        return ClockReading(wall: Self.noon + time + MediaTime(seconds: offset), running: time)
    }

    /// Which frames of a camera are taken, that gives 25 a second but none in some spans.
    private func shots(
        _ schedule: inout ShotSchedule, seconds: Range<Double>, silent: [Range<Double>] = []
    ) -> [Double] {
        var taken: [Double] = []
        var time = seconds.lowerBound
        while time < seconds.upperBound {
            _ = schedule.evaluate(at: moment(time))
            if !silent.contains(where: { $0.contains(time) }), schedule.take(at: moment(time)) { taken.append(time) }
            time += 0.04
        }
        return taken.map { ($0 * 100).rounded() / 100 }
    }

    @Test func `each slot takes the first frame from its time on`() {
        var schedule = ShotSchedule(every: 2 * .second, from: Self.noon, begin: Self.noon)
        #expect(shots(&schedule, seconds: -1.01..<9) == [0.03, 2.03, 4.03, 6.03, 8.03])
        #expect(schedule.taken == 5 && schedule.missed == 0)
        #expect(schedule.next(after: moment(8.1).wall) == Self.noon + 10 * .second)
    }

    @Test func `a late frame takes its slot up to half an interval, and then none; the grid never shifts`() {
        var schedule = ShotSchedule(every: 2 * .second, from: Self.noon, begin: Self.noon)
        let taken = shots(&schedule, seconds: 0..<13, silent: [1.5..<2.9, 3.5..<7.1, 9.9..<11.2])
        #expect(taken == [0, 2.92, 8, 12])
        #expect(schedule.missed == 3)
    }

    @Test func `an interval of little more than a frame is kept`() {
        var schedule = ShotSchedule(
            every: 50 * .millisecond, from: Self.noon, begin: Self.noon, frameDuration: 40 * .millisecond)
        let taken = shots(&schedule, seconds: 0..<9.99)
        #expect(taken.count == 200 && schedule.missed == 0)
    }

    @Test func `it ends with its last slot, whether that had a frame or not`() {
        var schedule = ShotSchedule(every: 2 * .second, from: Self.noon, begin: Self.noon, slotCount: 3)
        #expect(shots(&schedule, seconds: 0..<3) == [0, 2] && !schedule.isOver)
        #expect(schedule.next(after: moment(3).wall) == Self.noon + 4 * .second)
        #expect(shots(&schedule, seconds: 3..<9, silent: [3..<9]).isEmpty)
        #expect(schedule.isOver && schedule.missed == 1 && schedule.next(after: moment(9).wall) == nil)
    }

    @Test func `in a pause nothing is due, and behind it the grid is the same`() {
        var schedule = ShotSchedule(every: 2 * .second, from: Self.noon, begin: Self.noon)
        _ = shots(&schedule, seconds: 0..<3)
        schedule.hold(true, at: moment(3))
        #expect(shots(&schedule, seconds: 3..<8.5).isEmpty)
        schedule.hold(false, at: moment(8.5))
        #expect(shots(&schedule, seconds: 9.5..<13) == [10.02, 12.02])
        #expect(schedule.missed == 0 && schedule.taken == 4)
    }

    @Test(arguments: [-7200.0, -5.0, 3600.0, 34_560_000.0]) func `a clock that is set moves the grid to the new time`(
        jump: Double
    ) {
        var schedule = ShotSchedule(every: 2 * .second, from: Self.noon, begin: Self.noon)
        _ = schedule.evaluate(at: moment(0.5))
        let isTaken = schedule.take(at: moment(0.5))
        let jumps = [
            schedule.evaluate(at: moment(1)), schedule.evaluate(at: moment(1.5, wall: jump)),
            schedule.evaluate(at: moment(1.6, wall: jump)),
        ]
        #expect(isTaken && jumps == [nil, MediaTime(seconds: jump), nil])
        var taken: [Double] = []
        for index in 0..<200 {
            let time = 1.7 + Double(index) * 0.04
            if schedule.take(at: moment(time, wall: jump)) { taken.append(time + jump) }
        }
        // Even seconds of the new time, each once, and none of those in between was due.
        #expect(schedule.missed == 0)
        #expect(taken.count == 4 && taken.allSatisfy { abs($0 - ($0 / 2).rounded(.down) * 2) < 0.05 }, "\(taken)")
    }

    @Test(arguments: [-7200.0, 3600.0, 1_790_000_000.0])
    func `a frame that comes before the next look finds the new time too`(
        jump: Double
    ) {
        for hours in [nil, hours(from: 0, to: 24, TimeZone(secondsFromGMT: 0))] {
            var schedule = ShotSchedule(every: .second, from: Self.noon, begin: Self.noon, hours: hours)
            var taken: [Double] = []
            var jumps: [MediaTime] = []
            for index in 0..<200 {
                let time = Double(index) * 0.04
                let now = moment(time, wall: index < 60 ? 0 : jump)
                let isTaken = index == 75 ? schedule.isDue(at: now) : schedule.take(at: now)
                if index == 75 { schedule.skip(at: now) }
                if isTaken { taken.append((time * 100).rounded() / 100) }
                if index % 50 == 49, let jump = schedule.evaluate(at: now) { jumps.append(jump) }
            }
            #expect(taken == [0, 1, 2, 3, 4, 5, 6, 7], "\(taken)")
            #expect(schedule.missed == 0 && schedule.taken == 7)
            #expect(jumps == [MediaTime(seconds: jump)])
        }
    }

    @Test func `a clock that is set while shots are held is told of later`() {
        var schedule = ShotSchedule(every: 2 * .second, from: Self.noon, begin: Self.noon)
        _ = schedule.evaluate(at: moment(0.5))
        schedule.hold(true, at: moment(1, wall: 3600))
        schedule.hold(false, at: moment(2, wall: 3600))
        let jump = schedule.evaluate(at: moment(2.5, wall: 3600))
        #expect(jump == 3600 * .second && schedule.missed == 0)
    }

    @Test func `gone on with later, it has the grid of before`() {
        var schedule = ShotSchedule(every: 7 * .second, from: Self.noon, begin: Self.noon + 100 * .second)
        #expect(shots(&schedule, seconds: 100..<120) == [105, 112, 119])
        #expect(schedule.missed == 0)
    }

    private func hours(from begin: Int, to end: Int, _ zone: TimeZone?) -> TimelapseSettings.Hours {
        .between(DateComponents(timeZone: zone, hour: begin), DateComponents(hour: end))
    }

    @Test func `settings outside of their ranges are refused`() {
        typealias Settings = TimelapseSettings
        let right: [Settings] = [
            Settings(every: .millisecond, minimumLuma: 100),
            Settings(every: .second, hours: hours(from: 0, to: 24, nil)),
            Settings(every: .second, hours: hours(from: 24, to: 6, nil)),
            Settings(every: .second, duration: .second, hours: .daylight(latitude: -90, longitude: 180)),
        ]
        for settings in right { #expect(throws: Never.self) { try settings.check() } }
        let wrong: [(Settings, String)] = [
            (Settings(every: .zero), "millisecond"), (Settings(every: .second, duration: .zero), "duration"),
            (Settings(every: .second, minimumLuma: 101), "luma"), (Settings(every: .second, minimumLuma: .nan), "luma"),
            (Settings(every: .second, rate: Fraction(0)), "frames a second"),
            (Settings(every: .second, hours: hours(from: 6, to: 25, nil)), "24:00"),
            (Settings(every: .second, hours: hours(from: -1, to: 20, nil)), "24:00"),
            (Settings(every: .second, hours: hours(from: 6, to: 6, nil)), "same"),
            (Settings(every: .second, hours: hours(from: 24, to: 0, nil)), "same"),
            (Settings(every: .second, hours: .daylight(latitude: 91, longitude: 0)), "place"),
            (Settings(every: .second, hours: .daylight(latitude: 0, longitude: .nan)), "place"),
        ]
        for (settings, word) in wrong {
            let error = #expect(throws: RushesError.self) { try settings.check() }
            #expect(error?.code == .invalidSettings && error?.description.contains(word) == true, "\(settings)")
        }
    }

    @Test func `hours of the day are by the clock of the zone, over midnight too`() throws {
        let zone = try #require(TimeZone(secondsFromGMT: 3600))
        func at(_ text: String) throws -> MediaTime { MediaTime(try Date(text, strategy: .iso8601)) }
        let day = hours(from: 6, to: 20, zone)
        let inside = try [at("2026-11-23T05:00:00Z"), at("2026-11-23T18:59:59Z")]
        let outside = try [at("2026-11-23T04:59:59Z"), at("2026-11-23T19:00:00Z")]
        #expect(inside.allSatisfy(day.contain) && !outside.contains(where: day.contain))
        let night = hours(from: 22, to: 4, zone)
        let (dark, bright) = try (at("2026-11-23T23:30:00Z"), at("2026-11-23T12:00:00Z"))
        #expect(night.contain(dark) && !night.contain(bright))
        let begin = try at("2026-11-23T18:58:00Z")
        var schedule = ShotSchedule(every: 60 * .second, from: begin, begin: begin, hours: day)
        var taken: [MediaTime] = []
        for minute in 0..<1440 {
            let time = begin + minute * 60 * .second
            _ = schedule.evaluate(at: ClockReading(wall: time, running: time))
            if schedule.take(at: ClockReading(wall: time, running: time)) { taken.append(time) }
            if minute == 10 {
                let morning = try at("2026-11-24T05:00:00Z")
                #expect(schedule.next(after: time) == morning)
            }
        }
        #expect(taken.count == 2 + 838 && schedule.missed == 0)
    }

    struct Day: Sendable {
        var place: Coordinate
        var rise: String
        var set: String
    }

    private static let almanac = [
        Day(
            place: Coordinate(latitude: 51.48, longitude: 0), rise: "2024-06-20T03:43:00Z", set: "2024-06-20T20:20:00Z"),
        Day(
            place: Coordinate(latitude: 51.48, longitude: 0), rise: "2024-12-21T08:04:00Z", set: "2024-12-21T15:53:00Z"),
        Day(
            place: Coordinate(latitude: -33.87, longitude: 151.21), rise: "2024-03-19T19:59:00Z",
            set: "2024-03-20T08:06:00Z"),
        Day(
            place: Coordinate(latitude: 40.71, longitude: -74.01), rise: "2024-03-20T10:59:00Z",
            set: "2024-03-20T23:08:00Z"),
    ]

    /// Against the times of Python's astral (3.2), which has NOAA's equations.
    @Test(arguments: almanac) func `the sun rises and sets within three minutes of another program's times`(day: Day)
        throws
    {
        let hours = TimelapseSettings.Hours.daylight(latitude: day.place.latitude, longitude: day.place.longitude)
        let minutes = 3 * 60 * MediaTime.second
        let (rise, set) = (
            MediaTime(try Date(day.rise, strategy: .iso8601)), MediaTime(try Date(day.set, strategy: .iso8601))
        )
        #expect(!hours.contain(rise - minutes) && hours.contain(rise + minutes))
        #expect(hours.contain(set - minutes) && !hours.contain(set + minutes))
    }

    @Test func `in the polar night nothing is due within the day, and at midsummer all of it`() throws {
        let cape = TimelapseSettings.Hours.daylight(latitude: 71.17, longitude: 25.78)
        for hour in 0..<24 {
            let time = hour * 3600 * MediaTime.second
            let summer = MediaTime(try Date("2024-06-21T00:00:00Z", strategy: .iso8601)) + time
            let winter = MediaTime(try Date("2024-12-21T00:00:00Z", strategy: .iso8601)) + time
            #expect(cape.contain(summer) && !cape.contain(winter))
        }
    }
}
