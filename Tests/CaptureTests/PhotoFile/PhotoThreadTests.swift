import Dispatch
import Testing
import Threads

@testable import Capture

/// What becomes of photos that nobody waits for any more.
@Suite(.timeLimit(.minutes(10))) struct PhotoThreadTests {
    @Test func `what was cancelled is not begun, and what is under way is told before it stays`() async throws {
        let (thread, begun, release) = (PhotoThread(), AsyncSignal(), DispatchSemaphore(value: 0))
        let writes = Locked<[String]>([])
        let slow = Task {
            try await thread.run { expectWaiting in
                begun.fire()
                _ = release.wait(timeout: .now() + 120)
                try expectWaiting()
                writes.withLock { $0.append("slow") }
            }
        }
        #expect(await begun.wait(within: .seconds(120)))
        let waiting = Task { try await thread.run { _ in writes.withLock { $0.append("waiting") } } }
        slow.cancel()
        waiting.cancel()
        await #expect(throws: CancellationError.self) { try await slow.value }
        await #expect(throws: CancellationError.self) { try await waiting.value }
        release.signal()
        try await thread.run { _ in writes.withLock { $0.append("last") } }
        #expect(writes.withLock { $0 } == ["last"])
    }
}
