import Errors
import GStreamer
import Testing

@testable import Export

@Suite struct SizeTargetTests {
    @Test func `the second pass mends what the first one missed`() throws {
        var aim = SizeTarget(size: 1_000_000, duration: 10 * .second, audio: 100_000)
        let rate = try aim.firstRate()
        #expect((690_000...700_000).contains(rate))
        #expect(aim.nextRate(after: rate, gave: 990_000, frames: 860_000) == nil)
        #expect(try #require(aim.nextRate(after: rate, gave: 1_100_000, frames: 970_000)) < rate)
        #expect(try #require(aim.nextRate(after: rate, gave: 900_000, frames: 770_000)) > rate)
        // An encoder that takes a quarter more does so once more; what is not frame stays.
        let next = aim.nextRate(after: 600_000, gave: 1_240_000, frames: 1_000_000)
        #expect((449_990...450_000).contains(try #require(next)))
        let last = aim.nextRate(after: 600_000, gave: 1_240_000, frames: 1_000_000, isLast: true)
        #expect((443_200...443_250).contains(try #require(last)))
        aim.audio = 800_000
        #expect(throws: RushesError.self) { try aim.firstRate() }
    }

    @Test func `an encoder is asked for no more than it takes`() throws {
        let aim = SizeTarget(size: 1_000_000_000, duration: .second, limit: 102_400_000)
        #expect(try aim.firstRate() == 102_400_000)
        #expect(aim.nextRate(after: 102_400_000, gave: 1_000_000, frames: 900_000) == nil)
        #expect(aim.nextRate(after: 50_000_000, gave: 1_000_000, frames: 900_000) == 102_400_000)
    }

    @Test func `a refusal says what the audio takes, and the smallest size that is not refused`() throws {
        func aim(_ size: Int64) -> SizeTarget {
            SizeTarget(size: size, duration: 10 * .second, audio: 800_000, container: 5000)
        }
        let error = #expect(throws: RushesError.self) { try aim(1_000_000).firstRate() }
        let words = try #require(error?.description)
        #expect(words.contains("the audio takes 800 kbit/s"), "\(words)")
        let found = try #require(words.firstMatch(of: #/of (\d+) bytes or more/#), "\(words)")
        let least = try #require(Int64(found.1))
        #expect(try aim(least).firstRate() >= 20_000)
        #expect(throws: RushesError.self) { try aim(least - 1000).firstRate() }
    }

    @Test func `a size that no encoder fills asks for the highest rate, once`() throws {
        for size in [1_000_000_000_000, Int64.max] {
            let aim = SizeTarget(size: size, duration: .second / 2)
            #expect(try aim.firstRate() == SizeTarget.most)
            #expect(aim.nextRate(after: SizeTarget.most, gave: 1_000_000, frames: 900_000) == nil)
            #expect(aim.nextRate(after: 1_000_000_000, gave: 1_000_000, frames: 0) == SizeTarget.most)
        }
        for rate in [Double.infinity, 1e300] {
            #expect(SizeTarget.container(true, rate: rate, audioTracks: 1, lasting: .second) > 0)
        }
    }
}
