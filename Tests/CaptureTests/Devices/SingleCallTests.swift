import Foundation
import Testing
import Threads

@testable import Capture

@Suite(.timeLimit(.minutes(10))) struct SingleCallTests {
    @Test func `a call that hangs takes one thread, however often it is asked, and once it ends all goes on`() async {
        let call = SingleCall<Int>("test")
        let begun = Locked(0)
        let (hasBegun, mayEnd) = (AsyncSignal(), DispatchSemaphore(value: 0))
        async let first = call.value(within: .seconds(600)) {
            begun.withLock { $0 += 1 }
            hasBegun.fire()
            mayEnd.wait()
            return 1
        }
        #expect(await hasBegun.wait(within: .seconds(600)))
        for _ in 0..<20 {
            let answer = await call.value(within: .milliseconds(10)) {
                begun.withLock { $0 += 1 }
                return 2
            }
            #expect(answer == nil)
        }
        #expect(begun.withLock { $0 } == 1)
        async let next = call.value(within: .seconds(600)) { 3 }
        mayEnd.signal()
        #expect(await first == 1)
        #expect(await next == 3)
    }

    @Test func `many at a time are answered one after another, each with its own`() async {
        let call = SingleCall<Int>("test")
        let running = Locked(0)
        let answers = await withTaskGroup(of: Int?.self) { group in
            for number in 0..<50 {
                group.addTask {
                    await call.value(within: .seconds(600)) {
                        #expect(
                            running.withLock {
                                $0 += 1; return $0
                            } == 1)
                        running.withLock { $0 -= 1 }
                        return number
                    }
                }
            }
            return await group.reduce(into: Set<Int>()) { if let answer = $1 { $0.insert(answer) } }
        }
        #expect(answers.count == 50)
    }
}
