import Testing

@testable import Capture

@Suite struct PartScheduleTests {
    @Test func `parts are whole lengths from the beginning, and from where somebody asked for one`() {
        var schedule = PartSchedule(RecordingLimits(maxPartDuration: .seconds(10)))
        #expect(schedule.due(movie: 8.4, part: (0, 1)) == nil)
        #expect(schedule.due(movie: 8.5, part: (0, 1)) == 10)
        // The key frame came a frame late: the next part is due at twenty all the same.
        schedule.began(at: 10.04)
        #expect(schedule.due(movie: 18.6, part: (10.04, 1)) == 20)
        schedule.began(at: 13)
        #expect(schedule.due(movie: 19, part: (13, 1)) == nil)
        #expect(schedule.due(movie: 22, part: (13, 1)) == 23)
    }

    @Test func `what could not be begun in time is begun later`() {
        let schedule = PartSchedule(RecordingLimits(maxPartDuration: .seconds(10)))
        #expect(schedule.due(movie: 30, part: (0, 1)) == 10)
    }

    @Test func `a part is never begun where the recording ends`() {
        let schedule = PartSchedule(RecordingLimits(maxRecordedDuration: .seconds(10), maxPartDuration: .seconds(10)))
        #expect(schedule.due(movie: 9.9, part: (0, 1)) == nil)
    }

    @Test func `a size is looked ahead to, at the part's own rate`() {
        let schedule = PartSchedule(RecordingLimits(maxPartFileSize: 10_000_000))
        #expect(schedule.due(movie: 107, part: (100, 7_000_000)) == nil)
        #expect(schedule.due(movie: 109, part: (100, 9_000_000)) == 109)
        #expect(PartSchedule(RecordingLimits()).due(movie: 1000, part: (0, .max / 2)) == nil)
    }
}
