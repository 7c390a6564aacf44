import Foundation
import GStreamer
import Testing

@testable import Threads

@Suite("Threads of their own", .timeLimit(.minutes(10))) struct OwnThreadTests {
    @Test("The result and the error come back") func results() async throws {
        #expect(try await onOwnThread { 7 } == 7)
        await #expect(throws: GStreamerError.self) {
            try await onOwnThread { throw GStreamerError(element: "a", message: "b") }
        }
    }

    @Test("More blocking calls than processors go on side by side") func sideBySide() async throws {
        // Each waits for all others: on the shared pool of two or four threads this would never end.
        let count = 24
        let all = DispatchGroup()
        for _ in 0..<count { all.enter() }
        try await withThrowingTaskGroup { group in
            for _ in 0..<count {
                group.addTask {
                    try await onOwnThread {
                        all.leave()
                        all.wait()
                    }
                }
            }
            try await group.waitForAll()
        }
    }

    @Test("A call that takes too long is left to itself") func timeOut() async {
        let release = DispatchSemaphore(value: 0)
        #expect(
            await onOwnThread("stuck", orAfter: .seconds(0.05), otherwise: "late") {
                release.wait(); return "done"
            } == "late")
        release.signal()
        #expect(await onOwnThread("quick", orAfter: .seconds(60), otherwise: "late") { "done" } == "done")
    }

    @Test("A call that goes on is waited for, however long it takes in all") func progressCounter() async {
        let release = DispatchSemaphore(value: 0)
        let steps = Locked(Int64(0))
        let answer = await onOwnThread(
            "slow", orAfter: .seconds(0.02), otherwise: "late",
            progressCounter: {
                steps.withLock { steps in
                    steps += 1
                    if steps == 5 { release.signal() }
                    return steps
                }
            }
        ) {
            release.wait()
            return "done"
        }
        #expect(answer == "done")
    }

    @Test("A wait that ends with its task ends at once, also where the task was cancelled before") func cancelled()
        async
    {
        let release = DispatchSemaphore(value: 0)
        let wait = Task {
            await onOwnThread("stuck", orAfter: .seconds(600), otherwise: "cancelled", endsWithTask: true) {
                release.wait(); return "done"
            }
        }
        wait.cancel()
        #expect(await wait.value == "cancelled")
        release.signal()
        let other = Task { await onOwnThread("quick", orAfter: .seconds(60), otherwise: "cancelled") { "done" } }
        other.cancel()
        #expect(await other.value == "done")
    }

    @Test("Where no thread can be made there is an error, or the answer for that, and no wait") func shortage() async {
        // More than a process can have: the system refuses such a thread as it does when there are too many (EAGAIN).
        let stack = 1 << 50
        await #expect(throws: ThreadShortage.self) { try await onOwnThread("none", stackSize: stack) { 7 } }
        let answer = await onOwnThread(
            "none", stackSize: stack, orAfter: .seconds(600), otherwise: "none", endsWithTask: false
        ) { "done" }
        #expect(answer == "none")
    }
}
