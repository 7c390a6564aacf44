import Threads
import GStreamer
import Testing

@Suite(.timeLimit(.minutes(10))) struct AsyncSignalTests {
    @Test func `a wait with no time at all ends`() async {
        for _ in 0..<100 { #expect(await AsyncSignal().wait(within: .seconds(0)) == false) }
    }

    @Test func `a wait that gives up leaves the others waiting`() async {
        let signal = AsyncSignal()
        async let patient = signal.wait(within: .seconds(120))
        #expect(await signal.wait(within: .seconds(0.1)) == false)
        signal.fire()
        #expect(await patient)
    }

    @Test func `it is waited for beyond the limit as long as something moves, and no longer`() async {
        let signal = AsyncSignal()
        let count = Locked(0)
        /// Moves so often, and then stands still.
        func moves(_ most: Int) -> @Sendable () -> Int? {
            {
                count.withLock { count in
                    count = min(count + 1, most)
                    if count == most { signal.fire() }
                    return count
                }
            }
        }
        // Each look is a limit apart.
        #expect(await signal.wait(whileStillFor: .milliseconds(10), moves(20)))
        #expect(count.withLock { $0 } == 20)
        #expect(await AsyncSignal().wait(whileStillFor: .milliseconds(10), { 7 }) == false)
        #expect(await AsyncSignal().wait(whileStillFor: .seconds(120), { nil }) == false)
    }

    @Test func `who comes after it fired does not wait`() async {
        let signal = AsyncSignal()
        signal.fire()
        #expect(await signal.wait(within: .seconds(0)))
    }
}
