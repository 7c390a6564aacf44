import MediaTypes
import Testing

@testable import Capture

struct TriggerScheduleTests {
    @Test func `a recording begins with it, and ends so long after the last time`() {
        var schedule = TriggerSchedule(postRoll: 5 * .second)
        var actions: [String] = []
        for second in 0..<30 {
            let isActive = (3...4).contains(second) || second == 8 || second == 20
            if let action = schedule.evaluate(isActive, at: second * .second) { actions.append("\(action) \(second)") }
        }
        #expect(actions == ["start 3", "stop 13", "start 20", "stop 25"])
    }
}
