import MediaTypes
import TestSupport
import Testing

@testable import Capture

@Suite struct ArrivalFreshnessTests {
    private static let frame = MediaTime(seconds: 1.0 / 30)

    /// How old each frame is that counts as fresh, in frames; `nil` for others. Frames wait for a program that is held up in a queue of
    /// sixteen, and come out of it at once.
    private func ages(heldUp: [(place: Int, frames: Double)], count: Int = 600) -> [Double?] {
        var freshness = ArrivalFreshness(frameDuration: Self.frame)
        var (free, waiting) = (0.0, 0)
        var ages: [Double?] = []
        for place in 0..<count {
            if let hold = heldUp.first(where: { $0.place == place }) {
                (free, waiting) = (Double(place) + hold.frames, 0)
            }
            let isHeld = Double(place) < free
            if isHeld { waiting += 1 }
            // What finds the queue full is lost.
            guard !isHeld || waiting <= 16 else { continue }
            let arrival = isHeld ? free + Double(waiting) * 0.02 : Double(place) + 0.03 * Double(place % 3)
            let isFresh = freshness.isFresh(MediaTime.second + MediaTime(seconds: arrival * Self.frame.seconds))
            ages.append(isFresh ? arrival - Double(place) : nil)
        }
        return ages
    }

    @Test func `frames that come one by one are fresh, from the second on`() {
        let ages = ages(heldUp: [])
        #expect(ages[0] == nil)
        #expect(ages[1...].allSatisfy { $0 != nil })
    }

    @Test(arguments: [2.5, 5, 12, 28, 90])
    func `what lay in a queue is not fresh, and the next that comes by itself is`(frames: Double) {
        let ages = ages(heldUp: [(100, frames)])
        #expect(ages.compactMap { $0 }.max() ?? .infinity < 0.2)
        #expect(ages.count { $0 == nil } <= min(Int(frames) + 1, 16) + 3)
    }

    @Test(arguments: 1...20 as ClosedRange<UInt64>)
    func `however often a program is held up, no old frame is fresh`(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        let holds = stride(from: 20, to: 6000, by: 40).map { place in
            (place: place + Int(random.uniform() * 5), frames: random.uniform() * 30)
        }
        let ages = ages(heldUp: holds, count: 6000)
        // A hold of less than a frame and a half is no gap.
        #expect(ages.compactMap { $0 }.max() ?? .infinity < 1)
        #expect(ages.count { $0 != nil } > ages.count / 4)
    }

    @Test func `a camera that is slower than it promises is believed once it has shown that`() {
        var freshness = ArrivalFreshness(frameDuration: Self.frame)
        let fresh = (0..<40).map { freshness.isFresh($0 * 4 * Self.frame) }
        #expect(fresh[10...].allSatisfy { $0 })
    }

    @Test func `a camera whose frames come in pairs gives fresh ones`() {
        var freshness = ArrivalFreshness(frameDuration: Self.frame)
        let fresh = (0..<40).map { freshness.isFresh(($0 / 2) * 2 * Self.frame + ($0 % 2) * .millisecond) }
        #expect(fresh[20...].contains(true))
    }
}
