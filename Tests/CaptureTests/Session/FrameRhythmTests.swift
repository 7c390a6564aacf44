import GStreamer
import TestSupport
import Testing

@testable import Capture

/// Made stamps: frames on a grid, each late by what a busy machine made of it.
@Suite struct FrameRhythmTests {
    static let frame: MediaTime = 33_333_333
    var rhythm = TimestampDejitter(frameDuration: Self.frame)
    /// The same lateness in every run.
    var random = SteadyRandom()

    /// Mostly under two milliseconds, every tenth up to sixty.
    mutating func busy() -> MediaTime {
        let usual = MediaTime(nanoseconds: Int64(random.next() % 2_000_000))
        return random.next() % 10 == 0 ? usual + MediaTime(nanoseconds: Int64(random.next() % 60_000_000)) : usual
    }

    /// How late each frame's stamp is, and how late what the rhythm makes of it.
    mutating func lateness(of taken: [MediaTime]) -> (before: [MediaTime], after: [MediaTime]) {
        var (before, after): ([MediaTime], [MediaTime]) = ([], [])
        var arrival: MediaTime = 0
        for time in taken {
            // One frame never overtakes another.
            arrival = max(arrival + 100_000, time + busy())
            before.append(arrival - time)
            after.append(rhythm.time(of: arrival) - time)
        }
        return (before, after)
    }

    @Test mutating func lateStampsGoBackToWhereTheirFramesWereTaken() {
        let late = lateness(of: (0..<900).map { $0 * Self.frame })
        let (before, after) = (late.before.dropFirst(15), late.after.dropFirst(15))
        #expect(before.contains { $0 > 30 * .millisecond })
        #expect(after.count { $0.length > 2 * .millisecond } < before.count { $0 > 2 * .millisecond } / 2)
        #expect(after.allSatisfy { $0 > -5 * .millisecond })
    }

    @Test(arguments: [0.999, 1.001])
    mutating func aCameraThatIsNotQuiteAsPromisedIsFollowed(factor: Double) {
        let late = lateness(of: (0..<900).map { MediaTime(seconds: ($0 * Self.frame).seconds * factor) }).after
            .dropFirst(15)
        #expect(late.count { $0.length > 3 * .millisecond } < 50)
        #expect(late.allSatisfy { $0 > -6 * .millisecond })
    }

    @Test(arguments: [41_666_667, 25_000_000, 29_000_000, 47_000_000] as [MediaTime])
    mutating func aCameraWithAnotherRateIsLeftAlone(distance: MediaTime) {
        for index in 0..<300 {
            let stamp = index * distance
            #expect(stamp - rhythm.time(of: stamp) <= 5 * .millisecond)
        }
    }

    @Test mutating func aCameraThatHalvesItsRateInTheDarkIsFollowed() {
        let halved = (0..<300).map { 300 * Self.frame + $0 * 2 * Self.frame + 7_000_000 }
        let late = lateness(of: (0..<300).map { $0 * Self.frame } + halved)
        #expect(late.after.dropFirst(330).count { $0.length > 3 * .millisecond } < 40)
        #expect(late.after.allSatisfy { $0 > -10 * .millisecond })
    }

    @Test mutating func lostFramesLeaveGaps() {
        let taken = (0..<600).filter { $0 % 50 > 4 }.map { $0 * Self.frame }
        let late = lateness(of: taken).after.dropFirst(15)
        #expect(late.count { $0.length > 3 * .millisecond } < 50)
    }

    @Test mutating func noTimeIsLaterThanItsStampOrBeforeTheLast() {
        var (stamp, last): (MediaTime, MediaTime) = (0, -1)
        for _ in 0..<2000 {
            stamp += MediaTime(nanoseconds: Int64(random.next() % 90_000_000))
            let time = rhythm.time(of: stamp)
            #expect(time <= stamp && time >= last)
            last = time
        }
    }

    @Test mutating func aStampThatGoesBackBeginsAnew() {
        for index in 0..<30 { _ = rhythm.time(of: index * Self.frame + .second) }
        #expect(rhythm.time(of: 5) == 5)
    }
}

struct SteadyRandom {
    private var state: UInt64 = 88_172_645_463_325_252
    /// Marsaglia's xorshift.
    mutating func next() -> UInt64 {
        state ^= state << 13
        state ^= state >> 7
        state ^= state << 17
        return state >> 1
    }
}
