import DesktopBus
import Foundation
import LiveActivity
import Testing

@testable import DesktopActivity

/// What KDE's tracker, docks and logind are told, decided without any of them.
@Suite struct PlanTests {
    private let work = Work()

    @Test
    func `a job's view is asked for once, told all that is known when it is there, then what changes, then the end`() {
        var plan = JobViewPlan(work.event(.start))
        #expect(plan.take(work.event(.start), controls: [.cancel, .pause, .resume]) == [.request(capabilities: 3)])
        #expect(plan.take(work.event(done: 47), controls: []) == [])
        let opened = plan.opened("/view")
        guard case .update("/view", let all) = opened.first, opened.count == 1 else {
            Issue.record("\(opened)")
            return
        }
        #expect(all["title"] == .string("Holiday"))
        #expect(all["percent"] == .uint32(23))
        #expect(all["processedFiles"] == .uint64(47))
        #expect(all["totalFiles"] == .uint64(200))
        #expect(plan.isView(at: "/view"))
        let steps = plan.take(work.event(.update, .paused, done: 47), controls: [])
        #expect(
            steps == [
                .update(view: "/view", ["infoMessage": .string("Paused 47/200"), "suspended": .bool(true)])
            ])
        #expect(
            plan.take(work.event(.end, .cancelled), controls: []).last
                == .terminate(view: "/view", code: 1, message: ""))
        #expect(!plan.isView(at: "/view"))
        #expect(plan.take(work.event(done: 1), controls: []) == [])
    }

    @Test func `a job that ended before its view was there ends with it`() {
        var plan = JobViewPlan(work.event(.start))
        #expect(plan.take(work.event(.start), controls: [.stop]) == [.request(capabilities: 1)])
        let end = work.event(.end, .failed) { $0.message = "The disk is full" }
        #expect(plan.take(end, controls: []) == [])
        #expect(plan.opened("/view").last == .terminate(view: "/view", code: 100, message: "The disk is full"))
    }

    @Test func `without a tracker nothing more is asked`() {
        var plan = JobViewPlan(work.event(.start))
        #expect(plan.take(work.event(.start), controls: []) == [.request(capabilities: 0)])
        #expect(plan.opened(nil) == [])
        #expect(plan.take(work.event(done: 2), controls: []) == [])
    }

    @Test func `docks hear of all work together, once a second, and of each end`() {
        var plan = LauncherPlan()
        let other = Work("two")
        #expect(plan.take(work.event(.start, done: 0))?["progress"] == .double(0))
        #expect(plan.take(other.event(.start, at: 0.1, done: 100))?["progress"] == .double(0.25))
        #expect(plan.properties["count"] == .int64(2))
        #expect(plan.properties["count-visible"] == .bool(true))
        #expect(plan.take(work.event(at: 0.5, done: 100)) == nil)
        #expect(plan.take(work.event(at: 1.1, done: 100))?["progress"] == .double(0.5))
        #expect(plan.take(other.event(.end, at: 1.2, .finished))?["count-visible"] == .bool(false))
        #expect(plan.take(work.event(.end, at: 1.3, .finished))?["progress-visible"] == .bool(false))
    }

    @Test func `a recording without an end in sight shows no progress`() {
        var plan = LauncherPlan()
        #expect(plan.take(work.event(.start))?["progress-visible"] == .bool(false))
    }

    @Test func `the machine stays awake while any work goes on, and may sleep while all is paused`() {
        var plan = AwakePlan()
        let other = Work("two", title: "Other")
        #expect(plan.take(work.event(.start, .waiting)) == nil)
        #expect(plan.take(work.event(done: 3)) == .take(reason: "Exporting 3/200: Holiday"))
        #expect(plan.take(work.event(done: 4)) == nil)
        #expect(plan.take(other.event(.start)) == nil)
        #expect(plan.take(work.event(.update, .paused)) == nil)
        #expect(plan.take(other.event(.end, .finished)) == .release)
        #expect(plan.take(work.event(.update, .running)) != nil)
        #expect(plan.take(work.event(.update, .interrupted)) == nil)
        #expect(plan.take(work.event(.update, .finishing)) == nil)
        #expect(plan.take(work.event(.end, .failed)) == .release)
    }

    @Test func `a recording that waits for its trigger keeps the machine awake, an export that waits does not`() {
        var plan = AwakePlan()
        let recording = Work("one", title: "Night", kind: .recording)
        #expect(plan.take(work.event(.start, .waiting)) == nil)
        #expect(plan.take(recording.event(.start, .waiting)) != nil)
        #expect(plan.take(recording.event(.update, .running)) == nil)
        #expect(plan.take(recording.event(.update, .paused)) == .release)
    }
}
