import Errors
import Foundation
import LiveActivity
import SystemPackage
import TestSupport
import Testing
import Threads

@testable import Export

/// A batch as people and programs see it.
@Suite(.timeLimit(.minutes(10))) struct BatchActivitiesTests {
    private func run(
        _ fixture: BatchFixture, _ plan: BatchPlan,
        before: @escaping @Sendable (BatchWork) async throws -> Void = { _ in }
    ) async throws -> [ActivityEvent] {
        let center = ActivityCenter()
        let shown = Locked<BatchActivities?>(nil)
        let batch = try await Batch(plan, jobs: 2, exporter: fixture.exporter(before: before)) { event in
            shown.withLock { $0 }?.show(event)
        }
        let activities = try BatchActivities(
            plan, in: center, control: { request in Task { await batch.take(request) } })
        shown.withLock { $0 = activities }
        let events = center.events
        activities.end(await batch.run())
        var all: [ActivityEvent] = []
        for await event in events {
            all.append(event)
            if event.id == activities.batch.id, event.event == .end { break }
        }
        return all
    }

    @Test func `there is one activity for the batch and one for each file, which names it as its parent`() async throws
    {
        let fixture = try BatchFixture(["a.mov", "b.mov", "c.mov", "d.mov"])
        let events = try await run(fixture, try fixture.plan()) { work in
            if work.input.lastComponent?.string == "c.mov" { throw RushesError(.badInput, "It is rotten.") }
        }
        let start = try #require(events.first)
        #expect(start.kind == .batch && start.attributes?.inputs.count == 3 && start.attributes?.inputCount == 4)
        let files = events.filter { $0.kind == .transcode && $0.event == .start }
        #expect(files.count == 4 && files.allSatisfy { $0.attributes?.parent == start.id })
        #expect(Set(files.compactMap { $0.attributes?.title }) == ["a.mov", "b.mov", "c.mov", "d.mov"])
        let ends = events.filter { $0.kind == .transcode && $0.event == .end }
        #expect(ends.count == 4)
        #expect(ends.filter { $0.contentState.phase == .failed }.map(\.contentState.reason) == ["It is rotten."])
        let end = try #require(events.last?.contentState)
        #expect(end.phase == .failed && end.completedItems == 4 && end.totalItems == 4 && end.failedItems == 1)
        // It failed when half of it was done; all have one weight.
        let fraction = try #require(end.fraction)
        #expect(fraction > 0.87 && fraction < 0.88, "\(fraction)")
        #expect(end.subtitle == "Exported 3/4" && end.message == "c.mov: It is rotten.")
    }

    /// As at a second interrupt, with an encoder that does not heed the first: the process ends then, and what it had is told before.
    @Test func `who does not wait for its end is told how it stands, and every activity has its end`() async throws {
        let fixture = try BatchFixture()
        let (center, shown) = (ActivityCenter(), Locked<BatchActivities?>(nil))
        let (hasBegun, mayEnd) = (AsyncSignal(), AsyncSignal())
        let batch = try await Batch(
            try fixture.plan(), jobs: 1,
            exporter: fixture.exporter { _ in
                hasBegun.fire()
                await Task.detached { _ = await mayEnd.wait(within: .seconds(300)) }.value
            }, tell: { event in shown.withLock { $0 }?.show(event) })
        let activities = try BatchActivities(
            try fixture.plan(), in: center, control: { request in Task { await batch.take(request) } })
        shown.withLock { $0 = activities }
        let events = center.events
        let running = Task { await batch.run() }
        #expect(await hasBegun.wait(within: .seconds(300)))
        await batch.cancel()
        let summary = await batch.summarySoFar
        #expect(summary.cancelled == 1 && summary.interrupted == 1 && summary.left == 2, "\(summary)")
        activities.end(summary)
        var ends: [ActivityEvent] = []
        for await event in events where event.event == .end {
            ends.append(event)
            if event.id == activities.batch.id { break }
        }
        #expect(ends.map(\.kind) == [.transcode, .batch] && ends.allSatisfy { $0.contentState.phase == .cancelled })
        mayEnd.fire()
        _ = await running.value
    }

    @Test func `what was done before is no activity`() async throws {
        let fixture = try BatchFixture()
        _ = try await fixture.run(try fixture.plan())
        let events = try await run(fixture, try fixture.plan())
        #expect(events.allSatisfy { $0.kind == .batch })
        #expect(events.last?.contentState.phase == .finished && events.last?.contentState.fraction == 1)
    }

    @Test func `a file can be cancelled by who watches it, and the others go on`() async throws {
        let fixture = try BatchFixture()
        let center = ActivityCenter()
        let shown = Locked<BatchActivities?>(nil)
        let batch = try await Batch(
            try fixture.plan(), jobs: 1,
            exporter: fixture.exporter { work in
                if work.input.lastComponent?.string == "b.mov" { try await Task.sleep(for: .seconds(60)) }
            }, tell: { event in shown.withLock { $0 }?.show(event) })
        let activities = try BatchActivities(
            try fixture.plan(), in: center, control: { request in Task { await batch.take(request) } },
            onFile: { file in
                if file.attributes.title == "b.mov" { try? file.control(.cancel) }
            })
        shown.withLock { $0 = activities }
        let summary = await batch.run()
        #expect(summary.done == 2 && summary.cancelled == 1 && fixture.names == ["a.mp4", "c.mp4"])
    }
}
