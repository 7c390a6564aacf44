import Foundation
import Testing

@testable import LiveActivity

@Suite("The life of an activity") struct ActivityLifeTests {
    static let begin = Date(timeIntervalSince1970: 1_789_000_000)

    /// What happens, each a second after the one before.
    enum Step: Sendable {
        case update(phase: ContentState.Phase = .running, staleIn: Double? = nil, at: Double? = nil)
        case end(phase: ContentState.Phase = .finished, ActivityUIDismissalPolicy = .default, at: Double? = nil)
        case dismiss
        case wait(Double)
    }

    struct Rule: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var steps: [Step]
        var states: [ActivityState]
        var events: [ActivityEvent.Event]
        var startsIn: Double = 0
        var staleIn: Double?

        init(
            _ name: String, startsIn: Double = 0, staleIn: Double? = nil, _ steps: [Step], states: [ActivityState],
            events: [ActivityEvent.Event]
        ) {
            (testDescription, self.steps, self.states, self.events) = (name, steps, states, events)
            (self.startsIn, self.staleIn) = (startsIn, staleIn)
        }
    }

    static let rules = [
        Rule("a request starts it", [], states: [.active], events: [.start]),
        Rule("a later start is pending", startsIn: 10, [.wait(5)], states: [], events: []),
        Rule("which time starts", startsIn: 10, [.wait(10)], states: [.active], events: [.start]),
        Rule("what is pending can be given other content, unheard", startsIn: 10, [.update()], states: [], events: []),
        Rule(
            "what ends before its start has a start", startsIn: 10, [.end()], states: [.active, .ended],
            events: [.start, .end]),
        Rule("an update keeps it active", [.update()], states: [.active], events: [.start, .update]),
        Rule("without a stale date it is never stale", [.wait(1e9)], states: [.active], events: [.start]),
        Rule("its stale date makes it stale", staleIn: 5, [.wait(5)], states: [.active, .stale], events: [.start]),
        Rule("not before", staleIn: 5, [.wait(3.5)], states: [.active], events: [.start]),
        Rule(
            "an update moves the stale date", staleIn: 5, [.wait(3), .update(staleIn: 5), .wait(3)],
            states: [.active], events: [.start, .update]),
        Rule(
            "an update makes what is stale active", staleIn: 1, [.wait(9), .update()],
            states: [.active, .stale, .active], events: [.start, .update]),
        Rule(
            "one that is out of date itself does not", staleIn: 1, [.wait(9), .update(staleIn: -1)],
            states: [.active, .stale], events: [.start, .update]),
        Rule(
            "an end ends it, and four hours later it goes", [.end(), .wait(4 * 3600)],
            states: [.active, .ended, .dismissed], events: [.start, .end]),
        Rule(
            "not before four hours", [.end(), .wait(4 * 3600 - 2)], states: [.active, .ended], events: [.start, .end]),
        Rule(
            "what is stale can end", staleIn: 1, [.wait(2), .end()], states: [.active, .stale, .ended],
            events: [.start, .end]),
        Rule(
            "what ended is never stale", staleIn: 5, [.end(), .wait(9)], states: [.active, .ended],
            events: [.start, .end]),
        Rule(
            "the immediate policy takes it away", [.end(.immediate)], states: [.active, .ended, .dismissed],
            events: [.start, .end]),
        Rule(
            "the policy after a date waits for it", [.end(.after(begin + 60)), .wait(50)], states: [.active, .ended],
            events: [.start, .end]),
        Rule(
            "and no longer", [.end(.after(begin + 60)), .wait(60)], states: [.active, .ended, .dismissed],
            events: [.start, .end]),
        Rule(
            "a date that has passed is now", [.end(.after(begin - 60))], states: [.active, .ended, .dismissed],
            events: [.start, .end]),
        Rule(
            "updates after the end are ignored", [.end(), .update()], states: [.active, .ended], events: [.start, .end]),
        Rule(
            "so is a second end", [.end(), .end(phase: .failed)], states: [.active, .ended], events: [.start, .end]),
        Rule(
            "older updates are ignored", [.update(at: 10), .update(at: 5)], states: [.active],
            events: [.start, .update]),
        Rule(
            "one of the same time is not", [.update(at: 10), .update(at: 10)], states: [.active],
            events: [.start, .update, .update]),
        Rule("an older end is ignored", [.update(at: 10), .end(at: 5)], states: [.active], events: [.start, .update]),
        Rule(
            "a person can take away what ended", [.end(), .dismiss], states: [.active, .ended, .dismissed],
            events: [.start, .end]),
        Rule("but not what runs", [.dismiss], states: [.active], events: [.start]),
    ]

    @Test("Each rule", arguments: rules) func rule(_ rule: Rule) {
        var now = Self.begin
        let content = { (phase: ContentState.Phase, staleIn: Double?) in
            ActivityContent(state: ContentState(phase: phase), staleDate: staleIn.map { now + $0 })
        }
        var life = ActivityLife(
            id: "A", kind: .recording, attributes: ActivityAttributes(title: "take"),
            content: content(.running, rule.staleIn), startDate: now + rule.startsIn)
        var changes = life.advance(to: now)
        for step in rule.steps {
            now += 1
            switch step {
            case .update(let phase, let staleIn, let at):
                changes += life.update(content(phase, staleIn), timestamp: at.map { Self.begin + $0 }, now: now)
            case .end(let phase, let policy, let at):
                changes += life.end(
                    content(phase, nil), dismissal: policy, timestamp: at.map { Self.begin + $0 }, now: now)
            case .dismiss: changes += life.dismiss()
            case .wait(let seconds):
                now += seconds - 1
                changes += life.advance(to: now)
            }
        }
        #expect(changes.states == rule.states)
        #expect(changes.events.map(\.event) == rule.events)
        #expect(changes.events.map(\.sequence) == Array(1...99).prefix(changes.events.count).map { $0 })
        #expect(life.state == rule.states.last ?? .pending)
    }

    @Test("The final content is the one given to the end, frozen") func final() throws {
        var life = ActivityLife(
            id: "A", kind: .recording, attributes: ActivityAttributes(title: "take"),
            content: ActivityContent(state: ContentState(phase: .running), staleDate: nil), startDate: Self.begin)
        _ = life.advance(to: Self.begin)
        var state = ContentState(phase: .cancelled, elapsed: 9)
        state.reason = "enough"
        let changes = life.end(
            ActivityContent(state: state, staleDate: Self.begin, relevanceScore: 2), dismissal: .default,
            timestamp: nil, now: Self.begin + 9)
        let end = try #require(changes.events.first)
        #expect(end.contentState == state)
        #expect(end.staleDate == nil)
        #expect(end.relevanceScore == 2)
        #expect(end.dismissalDate == Self.begin + 9 + 4 * 3600)
        #expect(life.content.state == state)
    }

    @Test("A clock that is set back stops nothing") func clockSetBack() {
        var life = ActivityLife(
            id: "A", kind: .recording, attributes: ActivityAttributes(title: "take"),
            content: ActivityContent(state: ContentState(phase: .running), staleDate: nil), startDate: Self.begin)
        _ = life.advance(to: Self.begin)
        let content = ActivityContent(state: ContentState(phase: .paused), staleDate: nil)
        let changes = life.update(content, timestamp: nil, now: Self.begin - 3600)
        #expect(changes.events.map(\.timestamp) == [Self.begin])
    }

    @Test("The fraction never falls and is 1 with finished only; an end is final") func fractions() {
        var life = ActivityLife(
            id: "A", kind: .transcode, attributes: ActivityAttributes(title: "export"),
            content: ActivityContent(state: ContentState(phase: .running, fraction: 0.2), staleDate: nil),
            startDate: Self.begin)
        func shown(_ phase: ContentState.Phase, _ fraction: Double?) -> ContentState {
            _ = life.update(
                ActivityContent(state: ContentState(phase: phase, fraction: fraction), staleDate: nil), timestamp: nil,
                now: Self.begin)
            return life.content.state
        }
        #expect(shown(.running, 0.5).fraction == 0.5)
        #expect(shown(.running, 0.4).fraction == 0.5)
        #expect(shown(.paused, nil).fraction == 0.5)
        #expect(shown(.running, .nan).fraction == 0.5)
        #expect(shown(.finishing, 1).fraction == 0.999)
        #expect(shown(.finished, 1).phase == .finishing)
        var failed = life
        _ = failed.end(
            ActivityContent(state: ContentState(phase: .running, fraction: 1), staleDate: nil), dismissal: .default,
            timestamp: nil, now: Self.begin)
        #expect(failed.content.state.phase == .failed)
        #expect(failed.content.state.fraction == 0.999)
        _ = life.end(
            ActivityContent(state: ContentState(phase: .finished, fraction: 1), staleDate: nil), dismissal: .default,
            timestamp: nil, now: Self.begin)
        #expect(life.content.state.fraction == 1)
    }
}

extension [ActivityLife.Change] {
    var states: [ActivityState] { compactMap { if case .state(let state) = $0 { state } else { nil } } }
    var events: [ActivityEvent] { compactMap { if case .event(let event) = $0 { event } else { nil } } }
}
