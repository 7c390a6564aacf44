import MediaTypes
import Testing

@testable import Capture

@Suite struct LossHistoryTests {
    @Test func `what was lost before a beginning in the past is known, as long as somebody may ask`() {
        var history = LossHistory()
        #expect(history.losses(before: .second) == .init())
        for second in 0..<1000 {
            history.note(.init(dropped: second, leftOut: 2 * second), at: second * .second, keeping: 10 * .second)
        }
        #expect(history.losses(before: MediaTime(seconds: 995.5)) == .init(dropped: 995, leftOut: 1990))
        #expect(history.losses(before: 989 * .second) == .init(dropped: 989, leftOut: 1978))
        // Further back nobody asks; all of it counts then.
        #expect(history.losses(before: 900 * .second) == .init())
    }
}
