import MediaTypes
import Testing

@testable import Capture

/// Which frame a photo is of, by the times at which frames come and photos are asked for.
struct FrameRingTests {
    private var ring = FrameRing<Int>(depth: 3)
    private var space = 100

    /// Takes the frame of a running time in milliseconds, and tells which frames go to which request.
    private mutating func come(_ time: Int) -> [Int] {
        ring.append(time, time: time * .millisecond)
        return ring.due(&space).map(\.frame.frame)
    }

    private mutating func ask(_ time: Int, _ count: Int = 1) -> Int {
        ring.ask(at: time * .millisecond, count: count)
    }

    @Test func `it is the last frame before the instant, once a later one has come`() {
        var test = self
        #expect(test.come(0).isEmpty && test.come(33).isEmpty)
        _ = test.ask(70)
        // This one is not known to be the last one before.
        #expect(test.come(67).isEmpty)
        #expect(test.come(100) == [67])
        #expect(test.come(133).isEmpty && !test.ring.isWaitedFor)
    }

    @Test func `it is a frame of exactly the instant`() {
        var test = self
        #expect(test.come(33).isEmpty)
        _ = test.ask(67)
        #expect(test.come(67).isEmpty && test.come(100) == [67])
    }

    @Test func `an instant that is over finds its frame among those that are kept`() {
        var test = self
        for time in [0, 33, 67, 100] { #expect(test.come(time).isEmpty) }
        _ = test.ask(80)
        #expect(test.ring.due(&test.space).map(\.frame.frame) == [67])
        // Older ones are not kept: the oldest one that is comes next to it.
        _ = test.ask(10)
        #expect(test.ring.due(&test.space).map(\.frame.frame) == [33])
    }

    @Test func `before the first frame it is that one`() {
        var test = self
        _ = test.ask(10)
        #expect(test.come(33) == [33])
    }

    @Test func `a burst goes on with each frame, and passes over those that there is no space for`() {
        var test = self
        #expect(test.come(0).isEmpty)
        _ = test.ask(40, 4)
        #expect(test.come(33).isEmpty)
        #expect(test.come(67) == [33, 67])
        test.space = 0
        #expect(test.come(100).isEmpty)
        test.space = 1
        #expect(test.come(133) == [133] && test.space == 0)
        test.space = 5
        #expect(test.come(167) == [167] && test.space == 4)
        #expect(test.come(200).isEmpty)
    }

    @Test func `a photo that is asked for during a burst gives the burst no frame twice`() {
        var test = self
        #expect(test.come(0).isEmpty)
        _ = test.ask(40, 4)
        #expect(test.come(33).isEmpty && test.come(67) == [33, 67])
        _ = test.ask(90)
        #expect(test.ring.due(&test.space).isEmpty)
        #expect(test.come(100) == [100, 67])
    }

    @Test func `where no later frame comes, the last one will do unless it is old`() {
        var test = self
        #expect(test.come(0).isEmpty)
        let (one, other) = (test.ask(20), test.ask(900))
        #expect(test.ring.settle(one, limit: 300 * .millisecond)?.frame.frame == 0)
        #expect(test.ring.settle(other, limit: 300 * .millisecond) == nil && test.ring.isWaitedFor)
        test.ring.cancel(other)
        #expect(!test.ring.isWaitedFor)
    }
}
