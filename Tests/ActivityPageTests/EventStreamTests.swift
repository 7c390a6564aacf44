import Foundation
import LiveActivity
import Testing

@testable import ActivityPage

/// The stream of events, as a browser reads it.
@Suite(.timeLimit(.minutes(10))) struct EventStreamTests {
    private let page: RunningPage

    init() async throws { page = try await RunningPage() }

    private func sequences(_ messages: [EventReader.Message]) -> [Int] {
        messages.compactMap(\.activityEvent).map(\.sequence)
    }

    @Test func `a late reader gets attributes and the present state, then what comes`() async throws {
        let export = Export("one", title: "Üben \"1\"\n2.mov")
        page.feed.publish(export.start())
        for done in 1...100 { page.feed.publish(export.update(done)) }
        let reader = try await page.client.events()
        let known = try await reader.until { $0.event == "update" }
        #expect(known.map(\.event) == ["hello", "start", "update"])
        #expect(known[0].data.contains("\"reset\":true"))
        #expect(known[1].activityEvent?.attributes?.title == "Üben \"1\"\n2.mov")
        #expect(known[2].activityEvent?.contentState.completedItems == 100)
        page.feed.publish(export.end())
        #expect(try await reader.until { $0.event == "end" }.count == 1)
        await page.server.stop()
    }

    @Test
    func `after a dropped connection and a new server on the same port nothing is missing and nothing comes twice`()
        async throws
    {
        let export = Export("one")
        page.feed.publish(export.start())
        let first = try await page.client.events()
        page.feed.publish(export.update(1))
        let before = try await first.until { $0.activityEvent?.sequence == 2 }
        let address = await page.server.address
        await page.server.stop()
        for done in 2...30 { page.feed.publish(export.update(done)) }
        let again = try await RunningPage(feed: page.feed, address: "\(address)")
        let second = try await again.client.events(after: before.last?.id)
        let hello = try await second.next()
        #expect(hello.data.contains("\"reset\":false"))
        let after = try await second.until { $0.activityEvent?.sequence == 31 }
        #expect(sequences(before + after) == Array(1...31))
        await again.server.stop()
    }

    @Test func `a reader of another server begins anew`() async throws {
        page.feed.publish(Export("one").start())
        let reader = try await page.client.events(after: "other-17")
        #expect(try await reader.next().data.contains("\"reset\":true"))
        #expect(try await reader.next().event == "start")
        await page.server.stop()
    }

    @Test func `a reader that stalls costs nothing, and finds the end when it wakes`() async throws {
        let export = Export("one")
        page.feed.publish(export.start())
        let sleeper = try await page.client.events()
        _ = try await sleeper.until { $0.event == "start" }
        let awake = try await page.client.events()
        // Far more than any socket buffer holds. None of it waits for the sleeper, or this would not come to its end.
        let long = String(repeating: "x", count: 1500)
        for done in 0..<20_000 { page.feed.publish(export.update(done % 200) { $0.message = long }) }
        page.feed.publish(export.end())
        _ = try await awake.until { $0.event == "end" }
        let late = try await sleeper.until { $0.event == "end" }
        #expect(late.count < 20_000)
        #expect(sequences(late) == sequences(late).sorted())
        #expect(late.last?.activityEvent?.contentState.phase == .finished)
        await page.server.stop()
    }

    @Test func `five hundred readers all see the start and the end`() async throws {
        let export = Export("one")
        page.feed.publish(export.start())
        var readers: [EventReader] = []
        for _ in 0..<500 { readers.append(try await page.client.events()) }
        try await withThrowingTaskGroup(of: [EventReader.Message].self) { group in
            for reader in readers { group.addTask { try await reader.until { $0.event == "end" } } }
            for done in 1...50 { page.feed.publish(export.update(done)) }
            page.feed.publish(export.end())
            for try await messages in group {
                #expect(messages.dropFirst().first?.event == "start")
                #expect(messages.last?.activityEvent?.contentState.completedItems == 200)
            }
        }
        for reader in readers { reader.close() }
        await page.server.stop()
    }

    @Test func `more readers than there are places are sent away, and places of the gone are free again`() async throws
    {
        var seats = (0..<ActivityFeed.mostReaders).compactMap { _ in page.feed.takeSeat(knowsToken: true) }
        #expect(seats.count == ActivityFeed.mostReaders)
        let refused = try await page.client.ask("GET", "/events")
        #expect(refused.status == 503)
        #expect(refused.headers["retry-after"] != nil)
        seats.removeAll()
        var strangers = (0..<ActivityFeed.mostReaders).compactMap { _ in page.feed.takeSeat(knowsToken: false) }
        #expect(strangers.count == ActivityFeed.mostStrangers)
        #expect(try await page.client.ask("GET", "/events").status == 503)
        #expect(try await page.client.events().next().event == "hello")
        strangers.removeAll()
        let reader = try await page.client.events()
        #expect(try await reader.next().event == "hello")
        await page.server.stop()
    }

    @Test func `a server that stops ends its readers' connections`() async throws {
        let reader = try await page.client.events()
        _ = try await reader.next()
        await page.server.stop()
        await #expect(throws: (any Error).self) { _ = try await reader.next() }
    }
}
