import Foundation
import TestSupport
import Testing

@testable import LiveActivity

@Suite("Any order of updates, ends, staleness, dismissals and listeners", .timeLimit(.minutes(10)))
struct RandomLifeTests {
    private struct Listener {
        let events: AsyncStream<ActivityEvent>
        let states: AsyncStream<ActivityState>
        let contents: AsyncStream<ActivityContent>
    }

    @Test("The rules hold", arguments: 0..<200) func rules(seed: UInt64) async throws {
        var random = SeededGenerator(state: seed)
        let time = ManualClock()
        let center = ActivityCenter(clock: time.clock)
        let everything = center.events
        let start = Bool.random(using: &random) ? time.now + 3 : nil
        let activity = try Activity.request(
            kind: .batch, attributes: ActivityAttributes(title: "any"), content: content(&random, time), start: start,
            in: center)
        var listeners: [Listener] = []
        for _ in 0..<Int.random(in: 1...60, using: &random) {
            switch Int.random(in: 0..<8, using: &random) {
            case 0...2: activity.update(content(&random, time), timestamp: timestamp(&random, time))
            case 3 where Int.random(in: 0..<4, using: &random) == 0:
                let policies: [ActivityUIDismissalPolicy] = [.default, .immediate, .after(time.now + 2)]
                let policy = policies.randomElement(using: &random) ?? .default
                activity.end(content(&random, time), dismissalPolicy: policy, timestamp: timestamp(&random, time))
            case 4: activity.dismiss()
            case 5:
                listeners.append(
                    Listener(
                        events: activity.events, states: activity.activityStateUpdates,
                        contents: activity.contentUpdates))
            default: time.advance(Double.random(in: 0...4, using: &random))
            }
            #expect((activity.activityState == .dismissed) == (center.activity(activity.id) == nil), "seed \(seed)")
        }
        // Whatever happened: it starts, ends and goes.
        time.advance(10)
        activity.end(ActivityContent(state: ContentState(phase: .finished, fraction: 1), staleDate: nil))
        time.advance(5 * 3600)
        #expect(activity.activityState == .dismissed)
        for listener in listeners { await expectRules(listener, activity, seed) }
        var all: [ActivityEvent] = []
        for await event in everything {
            all.append(event)
            if event.event == .end { break }
        }
        expectRules(all, seed)
        #expect(all.map(\.sequence) == Array(1...all.count), "seed \(seed)")
    }

    private func content(_ random: inout SeededGenerator, _ time: ManualClock) -> ActivityContent {
        let phase = ContentState.Phase.allCases.randomElement(using: &random) ?? .running
        let fraction = Bool.random(using: &random) ? Double.random(in: -0.5...1.5, using: &random) : nil
        let stale = Bool.random(using: &random) ? time.now + Double.random(in: -1...5, using: &random) : nil
        return ActivityContent(state: ContentState(phase: phase, fraction: fraction), staleDate: stale)
    }

    private func timestamp(_ random: inout SeededGenerator, _ time: ManualClock) -> Date? {
        Bool.random(using: &random) ? nil : time.now + Double.random(in: -3...1, using: &random)
    }

    private func expectRules(_ listener: Listener, _ activity: Activity, _ seed: UInt64) async {
        expectRules(await listener.events.reduce(into: []) { $0.append($1) }, seed)
        let states = await listener.states.reduce(into: []) { $0.append($1) }
        #expect(states.last == .dismissed, "seed \(seed)")
        #expect(zip(states, states.dropFirst()).allSatisfy { $0 != $1 }, "seed \(seed)")
        let contents = await listener.contents.reduce(into: []) { $0.append($1) }
        #expect(contents.last == activity.content, "seed \(seed)")
    }

    private func expectRules(_ events: [ActivityEvent], _ seed: UInt64) {
        #expect(events.first?.event == .start && events.last?.event == .end, "seed \(seed)")
        #expect(events.dropFirst().dropLast().allSatisfy { $0.event == .update }, "seed \(seed)")
        for (one, next) in zip(events, events.dropFirst()) {
            #expect(one.sequence < next.sequence && one.timestamp <= next.timestamp, "seed \(seed)")
            if one.event != .start || one.sequence + 1 == next.sequence {
                #expect(next.contentState.fraction ?? 0 >= one.contentState.fraction ?? 0, "seed \(seed)")
            }
            #expect(!one.contentState.phase.isFinal || one.event == .start, "seed \(seed)")
            #expect(one.contentState.fraction ?? 0 < 1 || one.event == .start, "seed \(seed)")
        }
        #expect(events.last?.contentState.phase.isFinal == true, "seed \(seed)")
    }
}
