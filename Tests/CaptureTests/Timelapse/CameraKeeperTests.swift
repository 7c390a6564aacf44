import MediaTypes
import TestSupport
import Testing

@testable import Capture

@Suite struct CameraKeeperTests {
    @Test func `a lost camera is opened again, after longer and longer waits`() {
        var keeper = CameraKeeper(openSince: 0)
        #expect(keeper.evaluate(at: .second, state: .running, untilNext: .second) == nil)
        #expect(keeper.evaluate(at: 2 * .second, state: .stalled, untilNext: .second) == nil)
        #expect(keeper.evaluate(at: 3 * .second, state: .lost("gone"), untilNext: .second) == .lose("gone"))
        #expect(keeper.isLost)
        var (now, tries): (MediaTime, [Double]) = (3 * .second, [])
        while tries.count < 8 {
            now += .second / 2
            let action = keeper.evaluate(at: now, state: .ended, untilNext: .second)
            guard action == .open else { continue }
            // While it is being opened nothing else is done.
            #expect(keeper.evaluate(at: now, state: .ended, untilNext: .second) == nil)
            tries.append(now.seconds - 3)
            let isNew = keeper.failed(at: now)
            #expect(!isNew)
        }
        #expect(tries == [1, 3, 7, 15, 31, 61, 91, 121])
        #expect(keeper.evaluate(at: now + 30 * .second, state: .ended, untilNext: .second) == .open)
        let wasLost = keeper.opened(at: now + 31 * .second)
        #expect(wasLost && !keeper.isLost)
    }

    @Test func `without standing by it stays open however far the next shot is`() {
        var keeper = CameraKeeper(openSince: 0)
        #expect(keeper.evaluate(at: 100 * .second, state: .running, untilNext: 3600 * .second) == nil)
        #expect(keeper.evaluate(at: 200 * .second, state: .running, untilNext: nil) == nil)
    }

    @Test func `standing by it is closed between shots, and opened in time for the next`() {
        var keeper = CameraKeeper(openSince: 0, warmUp: 3 * .second)
        // Not before it was warm once, and not for a moment.
        #expect(keeper.evaluate(at: 2 * .second, state: .running, untilNext: 60 * .second) == nil)
        #expect(keeper.evaluate(at: 4 * .second, state: .running, untilNext: 7 * .second) == nil)
        #expect(keeper.evaluate(at: 5 * .second, state: .running, untilNext: 60 * .second) == .close)
        #expect(keeper.evaluate(at: 60 * .second, state: .ended, untilNext: 5 * .second) == nil)
        #expect(keeper.evaluate(at: 62 * .second, state: .ended, untilNext: 3 * .second) == .open)
        let wasLost = keeper.opened(at: 63 * .second)
        #expect(!wasLost)
        // One that cannot be opened is lost.
        #expect(keeper.evaluate(at: 70 * .second, state: .running, untilNext: nil) == .close)
        #expect(keeper.evaluate(at: 90 * .second, state: .ended, untilNext: .second) == .open)
        let isNew = keeper.failed(at: 91 * .second)
        #expect(isNew && keeper.isLost)
    }
}
