import Dispatch

/// Something that happens once and may be waited for.
package final class AsyncSignal: Sendable {
    private struct State {
        var isFired = false
        var waiting: [Int: @Sendable () -> Void] = [:]
        var next = 0
    }
    private let state = Locked(State())

    /// One that has not fired.
    package init() {}

    /// Whether it has fired.
    package var isFired: Bool { state.withLock { $0.isFired } }

    /// Wakes all who wait; those who come later do not wait. Once is enough, more does nothing.
    @Sendable package func fire() {
        let waiting: [@Sendable () -> Void] = state.withLock { state in
            guard !state.isFired else { return [] }
            state.isFired = true
            defer { state.waiting = [:] }
            return Array(state.waiting.values)
        }
        for wake in waiting { wake() }
    }

    /// Waits until it has fired, or the time is up; true if it has fired.
    package func wait(within limit: Duration) async -> Bool {
        let first = FirstAnswer<Bool>()
        guard let place = add({ first.resume(true) }) else { return true }
        let isFired = await first.value(within: limit, otherwise: false)
        remove(place)
        return isFired
    }

    /// Waits until it has fired, as long as something moves before that; true if it has fired.
    ///
    /// - Parameters:
    ///   - limit: for which nothing moves; then it is waited for no longer.
    ///   - progressCounter: a number that changes with what moves; `nil` ends the waiting.
    package func wait(whileStillFor limit: Duration, _ progressCounter: @Sendable () -> Int?) async -> Bool {
        var (last, still) = (progressCounter(), Duration.zero)
        while still < limit {
            let step = min(.seconds(1), limit - still)
            if await wait(within: step) { return true }
            guard let now = progressCounter() else { return false }
            still = now == last ? still + step : .zero
            last = now
        }
        return false
    }

    /// The same for a thread, which is blocked.
    package func waitOnThread(within limit: Duration) -> Bool {
        let gate = DispatchSemaphore(value: 0)
        guard let place = add({ gate.signal() }) else { return true }
        defer { remove(place) }
        return gate.wait(timeout: .now() + limit.seconds) == .success
    }

    /// - Returns: `nil` where it has fired.
    private func add(_ wake: @escaping @Sendable () -> Void) -> Int? {
        state.withLock { state in
            guard !state.isFired else { return nil }
            state.next += 1
            state.waiting[state.next] = wake
            return state.next
        }
    }

    private func remove(_ place: Int) { state.withLock { $0.waiting[place] = nil } }
}
