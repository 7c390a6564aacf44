import MediaTypes
import TestSupport
import Testing

@testable import Capture

@Suite(.timeLimit(.minutes(5))) struct FrameGateTests {
    /// As often as a camera gives frames in nine hours: an answer must not take longer each time, nor reach deeper into the stack.
    @Test func `a gate answers the millionth frame like the first`() {
        let gate = FrameGate()
        gate.open { $0 < MediaTime.second }
        var passed = 0
        for number in 0..<1_000_000 where gate.passes(number % 2 == 0 ? .zero : .second) { passed += 1 }
        #expect(passed == 500_000)
    }
}
