import Dispatch
import Foundation
public import LiveActivity
import Threads

/// The one stream of all activities that every open page reads from.
///
/// Whoever publishes never waits for a reader.
public final class ActivityFeed: Sendable {
    private struct State {
        var log: EventLog
        var listeners: [Int: @Sendable () -> Void] = [:]
        var nextTicket = 0
        var lastWake: ContinuousClock.Instant?
        var isWakePlanned = false
        var readers = 0
        var strangers = 0
    }

    /// Readers are woken no more often than this, however many activities report: what a second brings is one
    /// write for each reader and tenth of a second.
    static let shortestPause = Duration.milliseconds(100)
    /// More pages than this get the answer to come back later.
    static let mostReaders = 600
    /// Of those, so many may be people without the token: one who reads nothing holds the events of one moment.
    static let mostStrangers = 100

    private let state: Locked<State>

    /// A feed in which nothing has happened yet.
    public init() {
        state = Locked(State(log: EventLog(name: String(UInt32.random(in: 1...UInt32.max), radix: 36))))
    }

    /// Tells all readers. Events of the same activity that come out of order are left out.
    public func publish(_ event: ActivityEvent) {
        let delay: Duration? = state.withLock { state in
            guard state.log.append(event, now: Date()), !state.isWakePlanned else { return nil }
            state.isWakePlanned = true
            return state.lastWake.map { max(.zero, Self.shortestPause - (ContinuousClock.now - $0)) } ?? .zero
        }
        guard let delay else { return }
        DispatchQueue.global().asyncAfter(deadline: .now() + delay.seconds) { self.wake() }
    }

    /// Publishes events until there are no more.
    public func follow(_ events: some AsyncSequence<ActivityEvent, Never>) async {
        for await event in events { publish(event) }
    }

    /// The latest event of an activity that has not been dismissed.
    func latest(_ id: String) -> ActivityEvent? {
        state.withLock { state in
            state.log.prune(now: Date())
            return state.log.known[id]?.event
        }
    }

    private func wake() {
        let listeners = state.withLock { state in
            state.isWakePlanned = false
            state.lastWake = .now
            return Array(state.listeners.values)
        }
        for tell in listeners { tell() }
    }

    // MARK: For readers

    func number(inID id: String) -> Int? { state.withLock { $0.log.number(inID: id) } }

    func read(after number: Int?) -> EventLog.Chunk {
        state.withLock { state in
            if number == nil { state.log.prune(now: Date()) }
            return state.log.read(after: number)
        }
    }

    /// - Parameter tell: is called when there is news; it must not wait.
    /// - Returns: what ``leave(_:)`` takes.
    func listen(_ tell: @escaping @Sendable () -> Void) -> Int {
        state.withLock { state in
            state.nextTicket += 1
            state.listeners[state.nextTicket] = tell
            return state.nextTicket
        }
    }

    func leave(_ ticket: Int) { state.withLock { $0.listeners[ticket] = nil } }

    /// How many places are taken.
    var readers: Int { state.withLock { $0.readers } }

    /// A place among the readers, given back with the last reference to it; nil if there are too many.
    func takeSeat(knowsToken: Bool) -> ReaderSeat? {
        let isFree = state.withLock { state in
            guard state.readers < Self.mostReaders, knowsToken || state.strangers < Self.mostStrangers else {
                return false
            }
            state.readers += 1
            if !knowsToken { state.strangers += 1 }
            return true
        }
        guard isFree else { return nil }
        return ReaderSeat { [state] in
            state.withLock { state in
                state.readers -= 1
                if !knowsToken { state.strangers -= 1 }
            }
        }
    }
}

/// Gives back a reader's place when the connection is gone.
final class ReaderSeat: Sendable {
    private let giveBack: @Sendable () -> Void
    init(giveBack: @escaping @Sendable () -> Void) { self.giveBack = giveBack }
    deinit { giveBack() }
}
