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

    /// Seconds that one may take: a machine that records may have little time for it.
    private static let limit = 30.0
    /// As `nice` counts: about a tenth of the time of what has none.
    private static let niceness: Int32 = 10

    /// - Throws: what the closure throws; ``RushesError`` where it is not done in time, and is left to itself.
    func run<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
        let result = await withTimeout(seconds: Self.limit) { () -> Result<Value, any Error> in
            await withCheckedContinuation { continuation in
                self.add { shortage in
                    continuation.resume(returning: shortage.map { .failure($0) } ?? Result { try body() })
                }
            }
        }
        guard let result else {
            throw RushesError(
                .stalled,
                "The photo is not written after \(Int(Self.limit)) seconds; is the disk there, and the machine not too busy?"
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
