import Testing

@testable import Threads

struct TimeLimitTests {
    @Test func `what is asked again and again is asked once at least, and until it is so`() {
        var count = 0
        #expect(!TimeLimit(.zero).wait { count > 0 })
        #expect(TimeLimit(.zero).isOver && TimeLimit(.zero).left == .zero)
        let limit = TimeLimit(.seconds(600))
        #expect(
            limit.wait(every: .milliseconds(1)) {
                count += 1
                return count == 3
            })
        #expect(count == 3 && !limit.isOver && limit.left > .seconds(300))
    }

    @Test func `what cannot be asked ends the wait with the reason`() {
        #expect(throws: ThreadShortage.self) {
            _ = try TimeLimit(.seconds(600)).wait { () throws(ThreadShortage) in throw ThreadShortage() }
        }
    }

    @Test func `a thread waits for a signal, and no longer than its limit`() async throws {
        let signal = AsyncSignal()
        #expect(try await onOwnThread { signal.waitOnThread(within: .milliseconds(50)) } == false)
        async let patient = onOwnThread { signal.waitOnThread(within: .seconds(600)) }
        signal.fire()
        #expect(try await patient)
        #expect(try await onOwnThread { signal.waitOnThread(within: .zero) })
    }

    @Test func `an answer is waited for no longer than its limit, nor than its task lives`() async {
        let never = AsyncSignal()
        #expect(await withTimeout(.seconds(600)) { "done" } == "done")
        #expect(await withTimeout(.milliseconds(20)) { await never.wait(within: .seconds(600)) } == nil)
        let task = Task { await withTimeout(.seconds(600)) { await never.wait(within: .seconds(600)) } }
        task.cancel()
        #expect(await task.value == nil)
        never.fire()
    }
}
