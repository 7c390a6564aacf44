import MediaTypes
import Synchronization
import Testing

@testable import MovieFiles

@Suite struct DiskDelayTests {
    @Test func `a call is as long as it takes so far, and the last one counts until it is longer`() {
        let clock = Clock()
        let delay = DiskDelay { clock.now }
        #expect(delay.duration == .zero)
        delay.start()
        clock.advance(700 * .millisecond)
        #expect(delay.duration == 700 * .millisecond)
        delay.finish()
        clock.advance(9 * .second)
        #expect(delay.duration == 700 * .millisecond)
        delay.start()
        clock.advance(100 * .millisecond)
        #expect(delay.duration == 700 * .millisecond)
        clock.advance(900 * .millisecond)
        #expect(delay.duration == .second)
        delay.finish()
        delay.start()
        delay.finish()
        #expect(delay.duration == .zero)
    }

    private final class Clock: Sendable {
        private let time = Atomic<Int64>(5_000_000_000)
        var now: MediaTime { MediaTime(nanoseconds: time.load(ordering: .relaxed)) }
        func advance(_ duration: MediaTime) { _ = time.add(duration.nanoseconds, ordering: .relaxed) }
    }
}
