import Errors
import Foundation
import Threads

/// Encodes and writes photos, one after the other, on a thread that comes after all that records.
final class PhotoThread: Sendable {
    private struct State {
        var jobs: [@Sendable (ThreadShortage?) -> Void] = []
        var isRunning = false
    }
    private let state = Locked(State())

    /// How long one may take: a machine that records may have little time for it.
    private static let limit = Duration.seconds(30)
    /// As `nice` counts: about a tenth of the time of what has none.
    private static let niceness: Int32 = 10

    /// - Parameter body: given a closure that throws `CancellationError` where nobody waits for it any more; it calls that before what
    ///   stays, and does not begin where that is so.
    /// - Throws: what the closure throws; ``RushesError`` where it is not done in time; `CancellationError`.
    func run<Value: Sendable>(
        _ body: @escaping @Sendable (_ expectWaiting: () throws -> Void) throws -> Value
    ) async throws -> Value {
        let isAbandoned = Locked(false)
        let expectWaiting = { @Sendable in if isAbandoned.withLock({ $0 }) { throw CancellationError() } }
        let result = await withTimeout(Self.limit) { () -> Result<Value, any Error> in
            await withCheckedContinuation { continuation in
                self.add { shortage in
                    continuation.resume(
                        returning: Result {
                            if let shortage { throw shortage }
                            try expectWaiting()
                            return try body(expectWaiting)
                        })
                }
            }
        }
        guard let result else {
            isAbandoned.withLock { $0 = true }
            try Task.checkCancellation()
            throw RushesError(
                .stalled,
                "The photo has not been written after \(Self.limit.secondsText) seconds; is the disk still there, or the machine too busy?"
            )
        }
        return try result.get()
    }

    private func add(_ job: @escaping @Sendable (ThreadShortage?) -> Void) {
        let begins = state.withLock { state in
            state.jobs.append(job)
            defer { state.isRunning = true }
            return !state.isRunning
        }
        guard begins else { return }
        let hasBegun = OwnThread.run("rushes-photo") { [self] in
            setpriority(Int32(PRIO_PROCESS.rawValue), 0, Self.niceness)
            while let job = next() { job(nil) }
        }
        guard !hasBegun else { return }
        while let job = next() { job(ThreadShortage()) }
    }

    private func next() -> (@Sendable (ThreadShortage?) -> Void)? {
        state.withLock { state in
            if state.jobs.isEmpty {
                state.isRunning = false
                return nil
            }
            return state.jobs.removeFirst()
        }
    }
}
