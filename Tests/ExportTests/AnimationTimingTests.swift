import MediaTypes
import Testing

@testable import Export

@Suite struct AnimationTimingTests {
    /// Of frames at a constant rate, in hundredths of a second.
    private static func places(_ rate: Fraction, count: Int, from begin: MediaTime = .zero) -> (AnimationTiming, [Int?])
    {
        var timing = AnimationTiming()
        let places = (0..<count).map { index in
            let time = MediaTime(samples: index, of: rate)
            return timing.take(at: begin + time, lasting: MediaTime(samples: index + 1, of: rate) - time)
        }
        return (timing, places)
    }

    @Test func `delays add up to the movie's length, however long that is`() {
        let (timing, places) = Self.places(Fraction(30000, 1001), count: 30 * 3600, from: .second)
        #expect(places.prefix(4) == [0, 3, 7, 10] && timing.omitted == 0)
        for (index, place) in places.enumerated() {
            #expect(abs(Double(place ?? 0) / 100 - Double(index) * 1001 / 30000) <= 0.00501)
        }
        #expect(timing.latest + timing.lastDelay == 360_360)
    }

    @Test func `frames that come too soon behind another are not shown`() {
        let (timing, places) = Self.places(Fraction(100), count: 7)
        #expect(places == [0, nil, 2, nil, 4, nil, 6] && timing.omitted == 3)
        #expect(timing.lastDelay == AnimationTiming.shortest)
        #expect(Self.places(Fraction(50), count: 100).0.omitted == 0)
    }

    @Test func `the last frame is shown as long as it says, also where one that is not shown follows`() {
        var timing = AnimationTiming()
        #expect(timing.take(at: .zero, lasting: .second / 4) == 0 && timing.lastDelay == 25)
        #expect(timing.take(at: .second / 100, lasting: .second) == nil && timing.lastDelay == 101)
    }

    @Test(arguments: [
        (Fraction(60000, 1001), Fraction(60000, 2002)), (Fraction(60), Fraction(60, 2)),
        (Fraction(120), Fraction(120, 3)),
        (Fraction(50), nil), (Fraction(25), nil),
    ]) func `of too many frames every second or third is taken`(rate: Fraction, reduced: Fraction?) {
        #expect(AnimationTiming.reduced(rate)?.doubleValue == reduced?.doubleValue)
    }
}
