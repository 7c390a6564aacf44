import GStreamer
import TestSupport
import Testing

@testable import Encoding

@Suite struct PartRouterTests {
    /// What is done, in words: "3>current", "end 0 current", "complete".
    private func words(_ actions: [PartRouter<Int>.Action]) -> [String] {
        actions.map { action in
            switch action {
            case .write(let packet, let file): "\(packet)>\(file)"
            case .end(let track, let file): "end \(track) \(file)"
            case .complete: "complete"
            }
        }
    }

    @Test func `the leader changes over with its first key frame, the others with their first packet from there on`() {
        var router = PartRouter<Int>(trackCount: 2)
        #expect(words(router.take(0, of: 0, time: 0, isKeyFrame: true)) == ["0>current"])
        #expect(router.change(notBefore: 100) && !router.change(notBefore: 200))
        #expect(words(router.take(1, of: 0, time: 90, isKeyFrame: true)) == ["1>current"])
        #expect(words(router.take(2, of: 0, time: 110, isKeyFrame: false)) == ["2>current"])
        // Nobody knows yet where the next file begins.
        #expect(words(router.take(10, of: 1, time: 95, isKeyFrame: true)) == ["10>current"])
        #expect(words(router.take(11, of: 1, time: 115, isKeyFrame: true)).isEmpty)
        #expect(words(router.take(12, of: 1, time: 125, isKeyFrame: true)).isEmpty)
        #expect(words(router.take(3, of: 0, time: 120, isKeyFrame: true)) == ["end 0 current", "3>next"])
        // Frames that reference others come in another order than they are shown in.
        #expect(words(router.take(4, of: 0, time: 118, isKeyFrame: false)) == ["4>next"])
        #expect(
            words(router.take(13, of: 1, time: 135, isKeyFrame: true))
                == ["11>current", "end 1 current", "12>next", "13>next", "complete"])
        #expect(!router.isChanging)
        #expect(words(router.take(5, of: 0, time: 150, isKeyFrame: true)) == ["5>current"])
    }

    @Test func `a track that ends before the change ends in the next file too`() {
        var router = PartRouter<Int>(trackCount: 2)
        #expect(words(router.end(1)) == ["end 1 current"])
        _ = router.change(notBefore: 100)
        #expect(
            words(router.take(0, of: 0, time: 100, isKeyFrame: true))
                == ["end 1 next", "end 0 current", "0>next", "complete"])
        // It is the current one already, and yet it is known where it begins.
        #expect(router.boundary == nil && router.begun.time == 100)
    }

    @Test func `without a key frame until the end there is no next file`() {
        var router = PartRouter<Int>(trackCount: 2)
        _ = router.change(notBefore: 100)
        #expect(words(router.take(10, of: 1, time: 120, isKeyFrame: true)).isEmpty)
        #expect(words(router.take(0, of: 0, time: 120, isKeyFrame: false)) == ["0>current"])
        #expect(words(router.end(0)) == ["end 0 current"])
        #expect(words(router.end(1)) == ["10>current", "end 1 current"])
        #expect(!router.isChanging)
    }

    @Test func `what comes before frames that are no key frames does not wait for one`() {
        var router = PartRouter<Int>(trackCount: 2)
        _ = router.change(notBefore: 100)
        var held = 0
        for index in 0..<1000 {
            let time = 100 + index * MediaTime.millisecond
            #expect(words(router.take(index, of: 0, time: time, isKeyFrame: false)) == ["\(index)>current"])
            held += 1 - router.take(index, of: 1, time: time + 1, isKeyFrame: true).count
            #expect((0...1).contains(held), "\(index)")
        }
        // The one that lies behind the last frame is not known yet to be the current file's.
        let time = 100 + 1000 * MediaTime.millisecond
        #expect(words(router.take(1000, of: 0, time: time, isKeyFrame: true)) == ["end 0 current", "1000>next"])
        #expect(
            words(router.take(1000, of: 1, time: time + 1, isKeyFrame: true))
                == ["999>current", "end 1 current", "1000>next", "complete"])
    }

    @Test func `a change that has not begun can be taken back`() {
        var router = PartRouter<Int>(trackCount: 2)
        _ = router.change(notBefore: 100)
        _ = router.take(10, of: 1, time: 120, isKeyFrame: true)
        #expect(router.cancel() && !router.cancel())
        #expect(words(router.take(11, of: 1, time: 140, isKeyFrame: true)) == ["10>current", "11>current"])
    }
}
