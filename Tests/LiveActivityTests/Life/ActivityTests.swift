import Foundation
import Testing

@testable import LiveActivity

@Suite("Activities and their listeners", .timeLimit(.minutes(10))) struct ActivityTests {
    private let time = ManualClock()
    private var center: ActivityCenter { ActivityCenter(clock: time.clock) }

    private func content(
        _ phase: ContentState.Phase = .running, _ item: Int = 0, stale: Double? = nil, relevance: Double = 0
    ) -> ActivityContent {
        var state = ContentState(phase: phase)
        state.completedItems = item
        return ActivityContent(state: state, staleDate: stale.map { time.now + $0 }, relevanceScore: relevance)
    }

    private func request(
        _ title: String = "take", in center: ActivityCenter, _ content: ActivityContent? = nil
    ) throws -> Activity {
        try Activity.request(
            kind: .recording, attributes: ActivityAttributes(title: title), content: content ?? self.content(),
            in: center)
    }

    @Test("Listeners hear its contents, states and events, and all of them end") func listeners() async throws {
        let activity = try request(in: center)
        let (contents, states, events) = (activity.contentUpdates, activity.activityStateUpdates, activity.events)
        async let receivedStates = states.reduce(into: []) { $0.append($1) }
        async let receivedEvents = events.reduce(into: []) { $0.append($1) }
        var iterator = contents.makeAsyncIterator()
        #expect(await iterator.next()?.state.completedItems == 0)
        activity.update(content(.running, 1))
        #expect(await iterator.next()?.state.completedItems == 1)
        activity.end(content(.finished, 2), dismissalPolicy: .immediate)
        #expect(await iterator.next()?.state.completedItems == 2)
        #expect(await iterator.next() == nil)
        #expect(await receivedStates.suffix(2) == [.ended, .dismissed])
        #expect(await receivedEvents.map(\.event) == [.start, .update, .end])
    }

    @Test("A listener that comes late hears a start with the current content first, and sees the gap") func late()
        async throws
    {
        let activity = try request(in: center)
        for item in 1...5 { activity.update(content(.running, item)) }
        var iterator = activity.events.makeAsyncIterator()
        let start = try #require(await iterator.next())
        #expect(start.event == .start && start.sequence == 1 && start.contentState.completedItems == 5)
        #expect(start.attributes?.title == "take")
        let update = try #require(await iterator.next())
        #expect(update.event == .update && update.sequence == 6 && update.contentState.completedItems == 5)
    }

    @Test("After the end there is still the final content, for whoever asks") func afterwards() async throws {
        let activity = try request(in: center)
        activity.end(content(.finished, 7))
        #expect(await activity.contentUpdates.reduce(into: []) { $0.append($1.state.completedItems) } == [7])
        #expect(await activity.events.reduce(into: []) { $0.append($1.event) } == [.start, .end])
        #expect(activity.activityState == .ended)
    }

    @Test("A listener far behind loses updates, never a start, an end or the last") func slow() async throws {
        let center = center
        let events = center.events
        let activity = try request(in: center)
        for item in 1...10_000 { activity.update(content(.running, item)) }
        let second = try request("second", in: center)
        activity.end(content(.finished, 10_001))
        second.end(content(.cancelled))
        var received: [ActivityEvent] = []
        for await event in events {
            received.append(event)
            if event.event == .end, event.id == second.id { break }
        }
        #expect(received.count < 70)
        let own = received.filter { $0.id == activity.id }
        #expect(own.first?.event == .start)
        #expect(own.last?.event == .end)
        #expect(own.last?.contentState.completedItems == 10_001)
        #expect(own.map(\.sequence) == own.map(\.sequence).sorted())
        #expect(received.filter { $0.id == second.id }.map(\.event) == [.start, .end])
    }

    @Test("Five hundred listeners that never read, and five hundred that went away, stop nothing") func many()
        async throws
    {
        let center = center
        let activity = try request(in: center)
        let silent = (0..<500).map { _ in activity.events }
        for _ in 0..<500 { _ = activity.contentUpdates }
        let all = center.events
        for item in 1...200 { activity.update(content(.running, item)) }
        activity.end(content(.finished, 201))
        for stream in silent {
            let received = await stream.reduce(into: []) { $0.append($1) }
            #expect(received.first?.event == .start && received.last?.event == .end)
        }
        for await event in all where event.event == .end { break }
    }

    @Test("The clock makes it stale, an update active, and the dismissal date takes it away") func clock() throws {
        let center = center
        let activity = try request(in: center, content(stale: 5))
        time.advance(4.9)
        #expect(activity.activityState == .active)
        activity.update(content(.running, stale: 5))
        time.advance(4.9)
        #expect(activity.activityState == .active)
        time.advance(0.1)
        #expect(activity.activityState == .stale)
        activity.update(content())
        #expect(activity.activityState == .active)
        activity.end(content(.finished), dismissalPolicy: .after(time.now + 60))
        #expect(center.activities.map(\.id) == [activity.id])
        time.advance(60)
        #expect(activity.activityState == .dismissed)
        #expect(center.activities.isEmpty)
    }

    @Test("The most relevant comes first, then the one that was asked for first") func relevance() throws {
        let center = center
        for (title, score) in [("a", 0.0), ("b", 5), ("c", 0), ("d", 5)] {
            _ = try request(title, in: center, content(relevance: score))
        }
        #expect(center.activities.map(\.attributes.title) == ["b", "d", "a", "c"])
    }

    @Test("New activities are told, and those that are there already") func newcomers() async throws {
        let center = center
        let first = try request("first", in: center)
        var iterator = center.activityUpdates.makeAsyncIterator()
        #expect(await iterator.next()?.id == first.id)
        let second = try request("second", in: center)
        #expect(await iterator.next()?.id == second.id)
    }

    @Test("Attributes over 4 KB are refused in a sentence; content over 4 KB is shortened and goes on") func limits()
        async throws
    {
        let center = center
        let long = String(repeating: "x", count: 5000)
        #expect(throws: ActivityAuthorizationError.attributesTooLarge) { try request(long, in: center) }
        #expect(center.activities.isEmpty)
        let activity = try request(in: center)
        var state = ContentState(phase: .running)
        state.message = long
        activity.update(ActivityContent(state: state, staleDate: nil))
        activity.end(content(.finished))
        let events = await activity.events.reduce(into: []) { $0.append($1) }
        #expect(events.allSatisfy { $0.line.count < 5000 })
        #expect(events.last?.contentState.phase == .finished)
    }

    @Test("A request is done by whoever said so, refused with a sentence by the rest") func controls() async throws {
        let activity = try request("take.mov", in: center)
        #expect { try activity.control(.stop) } throws: { "\($0)" == "take.mov accepts no requests." }
        let (asked, continuation) = AsyncStream.makeStream(of: ActivityControl.self)
        activity.accept([.stop, .cancel]) { wish, _ in continuation.yield(wish) }
        try activity.control(.stop)
        #expect(await asked.first { _ in true } == .stop)
        #expect { try activity.control(.pause) } throws: {
            "\($0)" == "take.mov cannot be asked to pause; it accepts cancel and stop."
        }
        activity.end(content(.finished))
        #expect(activity.controls.isEmpty)
        #expect { try activity.control(.stop) } throws: { "\($0)" == "take.mov has already ended." }
    }

    @Test("What does the work is let go of with the end, while the activity is still shown") func workIsLetGo() throws {
        final class Work: Sendable {}
        let activity = try request("take.mov", in: center)
        weak var left: Work?
        do {
            let work = Work()
            left = work
            activity.accept([.stop]) { [work] _, _ in _ = work }
            activity.answer(.snapshot) { [work] _ in "\(work)" }
        }
        #expect(left != nil)
        activity.end(content(.finished))
        #expect(left == nil && activity.activityState == .ended)
        activity.accept([.stop]) { _, _ in }
        #expect(activity.controls.isEmpty)
    }
}
