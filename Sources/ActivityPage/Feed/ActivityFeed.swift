import Dispatch
import Foundation
public import LiveActivity
import Threads

/// The one stream of all activities that every open page reads from.
///
/// Whoever publishes never waits for a reader.
public final class ActivityFeed: Sendable {
    enum Wake { case news, keepAlive, cancelled }

    private struct State {
        var log: EventLog
        var waiting: [Int: CheckedContinuation<Wake, Never>] = [:]
        var nextTicket = 0
        var lastWake = DispatchTime(uptimeNanoseconds: 0)
        var isWakePlanned = false
        var readers = 0
    }

    /// Readers are woken no more often than this, in seconds, however many activities report: what a second brings is one
    /// write for each reader and tenth of a second.
    static let shortestPause = 0.1
    /// More pages than this get the answer to come back later.
    static let mostReaders = 600

    private let state: Locked<State>

    /// A feed in which nothing has happened yet.
    public init() {
        state = Locked(State(log: EventLog(name: String(UInt32.random(in: 1...UInt32.max), radix: 36))))
    }

    /// Tells all readers. Events of the same activity that come out of order are left out.
    public func publish(_ event: ActivityEvent) {
        let delay: Double? = state.withLock { state in
            guard state.log.append(event, now: Date()), !state.isWakePlanned else { return nil }
            state.isWakePlanned = true
            let since = Double(DispatchTime.now().uptimeNanoseconds - state.lastWake.uptimeNanoseconds) / 1e9
            return max(0, Self.shortestPause - since)
        }
        guard let delay else { return }
        DispatchQueue.global().asyncAfter(deadline: .now() + delay) { self.wake(.news) }
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

    func wake(_ reason: Wake) {
        let waiting = state.withLock { state in
            if reason == .news {
                state.isWakePlanned = false
                state.lastWake = .now()
            }
            defer { state.waiting = [:] }
            return Array(state.waiting.values)
        }
        for reader in waiting { reader.resume(returning: reason) }
    }

    // MARK: For readers

    func number(inID id: String) -> Int? { state.withLock { $0.log.number(inID: id) } }

    func read(after number: Int?) -> EventLog.Chunk {
        state.withLock { state in
            if number == nil { state.log.prune(now: Date()) }
            return state.log.read(after: number)
        }
    }

    /// Waits for anything after the entry of that number.
    func wait(after number: Int) async -> Wake {
        let ticket = state.withLock { state in
            state.nextTicket += 1
            return state.nextTicket
        }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let answer: Wake? = state.withLock { state in
                    if Task.isCancelled { return .cancelled }
                    if state.log.newest > number, !state.isWakePlanned { return .news }
                    state.waiting[ticket] = continuation
                    return nil
                }
                if let answer { continuation.resume(returning: answer) }
            }
        } onCancel: {
            state.withLock { $0.waiting.removeValue(forKey: ticket) }?.resume(returning: .cancelled)
        }
    }

    /// A place among the readers, given back with the last reference to it; nil if there are too many.
    func takeSeat() -> ReaderSeat? {
        let isFree = state.withLock { state in
            guard state.readers < Self.mostReaders else { return false }
            state.readers += 1
            return true
        }
        return isFree ? ReaderSeat { [state] in state.withLock { $0.readers -= 1 } } : nil
    }
}

/// Gives back a reader's place when the connection is gone.
final class ReaderSeat: Sendable {
    private let giveBack: @Sendable () -> Void
    init(giveBack: @escaping @Sendable () -> Void) { self.giveBack = giveBack }
    deinit { giveBack() }
}
