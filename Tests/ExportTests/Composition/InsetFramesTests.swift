import MediaTypes
import TestSupport
import Testing

@testable import Export

@Suite struct InsetFramesTests {
    /// What is shown at each of some times, in milliseconds, of frames that come at others and last 40 ms.
    private func shown(_ frames: [Int], at times: [Int], rounding: MediaTime = .zero) -> [Int?] {
        var inset = InsetFrames<Int>(rounding: rounding)
        var rest = frames[...]
        return times.map { time in
            while inset.needsMore(for: time * .millisecond) {
                if let next = rest.popFirst() {
                    inset.append(next, time: next * .millisecond, duration: 40 * .millisecond)
                } else {
                    inset.end()
                }
            }
            return inset.frame(at: time * .millisecond)
        }
    }

    @Test func `the newest that is not later is shown, none before the first and behind the last`() {
        #expect(
            shown([100, 140, 180], at: [0, 99, 100, 139, 140, 200, 219, 220, 500])
                == [nil, nil, 100, 100, 140, 180, 180, nil, nil])
        #expect(shown([], at: [0, 100]) == [nil, nil])
    }

    @Test func `frames faster than the main movie's are passed over, slower ones stay`() {
        #expect(shown(Array(stride(from: 0, to: 200, by: 10)), at: [0, 35, 70, 105]) == [0, 30, 70, 100])
        #expect(shown([0, 1000], at: [0, 400, 999, 1000, 1039]) == [0, 0, 0, 1000, 1000])
    }

    @Test func `a time that was rounded up counts as the main frame's own`() {
        #expect(shown([0, 34], at: [0, 33], rounding: .millisecond) == [0, 34])
        #expect(shown([0, 35], at: [0, 33], rounding: .millisecond) == [0, 0])
    }

    @Test func `a frame that goes back in time is left out`() {
        #expect(shown([0, 80, 40, 120], at: [0, 60, 90, 130]) == [0, 0, 80, 120])
    }
}
