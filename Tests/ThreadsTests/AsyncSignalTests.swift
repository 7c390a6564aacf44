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

    @Test func `who comes after it fired does not wait`() async {
        let signal = AsyncSignal()
        signal.fire()
        #expect(await signal.wait(within: .seconds(0)))
    }
}
