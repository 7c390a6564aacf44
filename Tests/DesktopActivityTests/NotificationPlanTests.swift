import Foundation
import LiveActivity
import Testing

@testable import DesktopActivity

@Suite struct NotificationPlanTests {
    private let work = Work()
    private var plan: NotificationPlan

    init() { plan = NotificationPlan(work.event(.start)) }

    @Test mutating func `what is over at once never shows`() {
        #expect(plan.take(work.event(at: 1.9, done: 10)) == nil)
        #expect(plan.take(work.event(.end, at: 1.95, .finished)) == nil)
    }

    @Test mutating func `it shows after two seconds, then once a second, in the place of the one before`() {
        let first = plan.take(work.event(at: 2, done: 47) { $0.remaining = 700 })
        #expect(first?.replaces == 0)
        #expect(first?.notice.summary == "Holiday")
        #expect(first?.notice.body == "Exporting 47/200 · 23% · 12 min left")
        #expect(first?.notice.percent == 23)
        #expect(plan.shown(7) == nil)
        #expect(plan.take(work.event(at: 2.5, done: 50)) == nil)
        let second = plan.take(work.event(at: 3, done: 52))
        #expect(second?.replaces == 7)
        #expect(second?.notice.percent == 26)
    }

    @Test mutating func `nothing new is not sent, but every five seconds: it goes by itself where nobody renews it`() {
        _ = plan.take(work.event(at: 2, done: 47))
        _ = plan.shown(7)
        #expect(plan.take(work.event(at: 6.9, done: 47)) == nil)
        #expect(plan.take(work.event(at: 7, done: 47))?.replaces == 7)
        #expect(NotificationPlan.lifetime > NotificationPlan.renewal)
    }

    @Test mutating func `while the server has not answered nothing is asked, then only the latest`() {
        _ = plan.take(work.event(at: 2, done: 1))
        #expect(plan.take(work.event(at: 3, done: 2)) == nil)
        #expect(plan.take(work.event(at: 4, done: 3)) == nil)
        let next = plan.shown(9)
        #expect(next?.replaces == 9)
        #expect(next?.notice.body.contains("3/200") == true)
        #expect(plan.shown(9) == nil)
    }

    @Test mutating func `who closes it has peace until the end, which is told anew`() {
        _ = plan.take(work.event(at: 2, done: 1))
        _ = plan.shown(9)
        plan.closed(8)
        #expect(plan.take(work.event(at: 4, done: 2)) != nil)
        _ = plan.shown(9)
        plan.closed(9)
        #expect(plan.take(work.event(at: 60, done: 100)) == nil)
        let end = plan.take(work.event(.end, at: 61, .finished))
        #expect(end?.replaces == 0)
        #expect(end?.notice.isFinal == true)
    }

    @Test mutating func `the end of what went well opens the movie`() {
        _ = plan.take(work.event(at: 2, done: 1))
        _ = plan.shown(9)
        #expect(plan.opened(by: 9) == nil)
        let end = plan.take(
            work.event(.end, at: 61, .finished) { state in
                (state.output, state.mediaTime, state.bytesWritten) = ("/home/me/holiday.mp4", 61, 48_200_000)
            })
        #expect(end?.notice.body == "Done · 1:01 · 48.2 MB")
        #expect(end?.notice.percent == nil)
        _ = plan.shown(9)
        #expect(plan.opened(by: 9) == "/home/me/holiday.mp4")
        #expect(plan.opened(by: 8) == nil)
    }

    @Test mutating func `a failure says why and opens nothing`() {
        _ = plan.take(work.event(at: 2, done: 1))
        _ = plan.shown(9)
        let end = plan.take(
            work.event(.end, at: 3, .failed) { state in
                (state.output, state.message) = ("/home/me/holiday.mp4", "The disk is full")
            })
        #expect(end?.notice.body == "The disk is full")
        #expect(end?.notice.isFailure == true)
        #expect(end?.notice.opens == nil)
    }

    @Test mutating func `a server that refuses is asked again with the next event, and nothing waits for it`() {
        _ = plan.take(work.event(at: 2, done: 1))
        _ = plan.take(work.event(at: 3, done: 2))
        #expect(plan.shown(nil) == nil)
        #expect(plan.take(work.event(at: 4, done: 3))?.replaces == 0)
    }
}
