import Dispatch
import Synchronization

/// Something that happens once and may be waited for.
public final class AsyncSignal: Sendable {
    private struct State {
        var isFired = false
        var waiting: [CheckedContinuation<Bool, Never>] = []
    }
    private let state = Mutex(State())

    public init() {}

    @Sendable public func fire() {
        let waiting = state.withLock { state in
            state.isFired = true
            defer { state.waiting = [] }
            return state.waiting
        }
        for continuation in waiting { continuation.resume(returning: true) }
    }

    /// Waits until it has fired, or the time is up; true if it has fired.
    public func wait(seconds: Double) async -> Bool {
        DispatchQueue.global().asyncAfter(deadline: .now() + seconds) { self.giveUp() }
        return await withCheckedContinuation { continuation in
            let isFired = state.withLock { state in
                if !state.isFired { state.waiting.append(continuation) }
                return state.isFired
            }
            if isFired { continuation.resume(returning: true) }
        }
    }

    private func giveUp() {
        let waiting = state.withLock { state in
            defer { state.waiting = [] }
            return state.waiting
        }
        for continuation in waiting { continuation.resume(returning: false) }
    }
}
