import MediaTypes
import Testing

@testable import Capture

@Suite struct PartScheduleTests {
    @Test func `parts are whole lengths from the beginning, and from where somebody asked for one`() {
        var schedule = PartSchedule(RecordingLimits(maxPartDuration: .seconds(10)))
        #expect(schedule.due(movie: MediaTime(seconds: 8.4), part: (0 * .second, 1)) == nil)
        #expect(schedule.due(movie: MediaTime(seconds: 8.5), part: (0 * .second, 1)) == 10 * .second)
        // The key frame came a frame late: the next part is due at twenty all the same.
        schedule.began(at: MediaTime(seconds: 10.04))
        #expect(schedule.due(movie: MediaTime(seconds: 18.6), part: (MediaTime(seconds: 10.04), 1)) == 20 * .second)
        schedule.began(at: 17 * .second)
        #expect(schedule.due(movie: 19 * .second, part: (17 * .second, 1)) == nil)
        #expect(schedule.due(movie: 26 * .second, part: (17 * .second, 1)) == 27 * .second)
    }

    @Test func `what could not be begun in time is begun later`() {
        let schedule = PartSchedule(RecordingLimits(maxPartDuration: .seconds(10)))
        #expect(schedule.due(movie: 30 * .second, part: (0 * .second, 1)) == 10 * .second)
    }

    @Test func `a part is never begun where the recording ends`() {
        let schedule = PartSchedule(RecordingLimits(maxRecordedDuration: .seconds(10), maxPartDuration: .seconds(10)))
        #expect(schedule.due(movie: MediaTime(seconds: 9.9), of: 10 * .second, part: (0 * .second, 1)) == nil)
        // Four seconds more lie before its start.
        #expect(schedule.due(movie: MediaTime(seconds: 9.9), of: 14 * .second, part: (0 * .second, 1)) == 10 * .second)
    }

    @Test func `a size is looked ahead to, at the part's own rate`() {
        let schedule = PartSchedule(RecordingLimits(maxPartFileSize: 10_000_000))
        #expect(schedule.due(movie: 107 * .second, part: (100 * .second, 7_000_000)) == nil)
        #expect(schedule.due(movie: 109 * .second, part: (100 * .second, 9_000_000)) == 109 * .second)
        #expect(PartSchedule(RecordingLimits()).due(movie: 1000 * .second, part: (0 * .second, .max / 2)) == nil)
    }
}
