import MediaTypes
import Testing

@testable import Capture

struct TriggerScheduleTests {
    @Test func `a recording begins with it, and ends so long after the last time`() {
        var schedule = TriggerSchedule(postRoll: 5 * .second)
        var actions: [String] = []
        for second in 0..<30 {
            let isActive = (3...4).contains(second) || second == 8 || second == 20
            if let action = schedule.evaluate(isActive, at: second * .second, hasBegun: true) {
                actions.append("\(action) \(second)")
            }
        }
        #expect(actions == ["start 3", "stop 13", "start 20", "stop 25"])
    }

    @Test func `a start that failed is asked for again, and what never began waits on`() {
        var schedule = TriggerSchedule(postRoll: 5 * .second)
        var actions: [String] = []
        for second in 0..<60 {
            let isActive = (3...14).contains(second) || second >= 40 && second < 50
            if let action = schedule.evaluate(isActive, at: second * .second, hasBegun: second > 46) {
                actions.append("\(action) \(second)")
            }
        }
        #expect(actions == ["start 3", "start 8", "start 13", "start 40", "start 45", "stop 54"])
    }
}
