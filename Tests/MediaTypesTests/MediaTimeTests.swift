import Foundation
import MediaTypes
import Testing

@Suite struct MediaTimeTests {
    @Test func timesAreAddedAndCompared() {
        var time = 2 * MediaTime.second + 30 * .millisecond
        #expect(time.nanoseconds == 2_030_000_000)
        #expect(time - .second == MediaTime(nanoseconds: 1_030_000_000))
        #expect(-time < .zero && .zero < time && time <= time)
        time -= 3 * .second
        #expect(time == -970 * .millisecond)
        time += .microsecond
        #expect(time.nanoseconds == -969_999_000)
        #expect(time.length.nanoseconds == 969_999_000)
        #expect([MediaTime.second, .zero, -.second].sorted() == [-.second, .zero, .second])
    }

    @Test func divisionCutsToWholeNanosecondsTowardsZero() {
        #expect((MediaTime.second / 3).nanoseconds == 333_333_333)
        #expect((-MediaTime.second / 3).nanoseconds == -333_333_333)
        #expect(MediaTime.second / (40 * MediaTime.millisecond) == 25.0)
        #expect((100 * MediaTime.millisecond).quotient(dividingBy: 40 * .millisecond) == 2)
    }

    @Test(arguments: [
        (1.5, 1_500_000_000), (0.000_000_000_4, 0), (0.000_000_000_6, 1), (0.000_000_000_5, 1),
        (-0.000_000_000_5, -1), (-0.25, -250_000_000), (0.1 + 0.2, 300_000_000), (-0.0, 0),
    ])
    func secondsAreRoundedToTheNearest(seconds: Double, nanoseconds: Int64) {
        #expect(MediaTime(seconds: seconds).nanoseconds == nanoseconds)
    }

    /// Files and devices tell any number.
    @Test func noNumberOfSecondsEndsTheProgram() {
        for seconds in [Double.infinity, .greatestFiniteMagnitude, 1e10, .nan] {
            #expect(MediaTime(seconds: seconds) == .longest)
        }
        for seconds in [-Double.infinity, -.greatestFiniteMagnitude, -1e10] {
            #expect(MediaTime(seconds: seconds) == -.longest)
        }
        #expect(
            MediaTime(Duration.seconds(Int64.max)) == .longest && MediaTime(Duration.seconds(Int64.min)) == -.longest)
        let (late, early) = (MediaTime.max.clamped, MediaTime.min.clamped)
        #expect((late - early).nanoseconds == 2 * (Int64.max / 4))
        #expect(MediaTime.second.clamped == .second)
    }

    @Test func secondsComeBackAsTheyWere() {
        for seconds in [0, 0.04, 1.001, 86_400.000_001, -12.5] {
            #expect(MediaTime(seconds: seconds).seconds == seconds)
        }
        #expect(MediaTime(seconds: 1.5).description == "1.5 s")
    }

    @Test func noNumberOfSamplesEndsTheProgram() {
        #expect(MediaTime(samples: .max, rate: 1) == .max)
        #expect(MediaTime(samples: .min, rate: 1) == .min)
        #expect(MediaTime(samples: 9_223_372_036_854_775_807, rate: 1_000_000_000) == .max)
        #expect(MediaTime(samples: 9_223_372_037 * 1000, rate: 1000) == .max)
    }

    @Test func samplesOfYearsAreCountedExactly() {
        #expect(MediaTime(samples: 1, rate: 44_100).nanoseconds == 22_675)
        #expect(MediaTime(samples: -48_000, rate: 48_000) == -.second)
        // More than 64 bits would hold in nanoseconds before they are divided.
        #expect(MediaTime(samples: 48_000 * 86_400 * 400 + 24_000, rate: 48_000).seconds == 34_560_000.5)
    }

    @Test func encodedItIsABareNumber() throws {
        struct Part: Codable, Equatable { var start: MediaTime, end: MediaTime? }
        let part = Part(start: .second, end: nil)
        let json = try JSONEncoder().encode(part)
        #expect(String(decoding: json, as: UTF8.self) == #"{"start":1000000000}"#)
        #expect(try JSONDecoder().decode(Part.self, from: json) == part)
        #expect(throws: DecodingError.self) { try JSONDecoder().decode([MediaTime].self, from: Data(#"["1 s"]"#.utf8)) }
    }

    @Test func sentencesHaveTwoDecimals() {
        #expect((1500 * MediaTime.millisecond).secondsToHundredths == "1.50")
        #expect(MediaTime(nanoseconds: 61_995_000_000).secondsToHundredths == "62.00")
        #expect((-70 * MediaTime.millisecond).secondsToHundredths == "-0.07")
        #expect((-MediaTime.millisecond).secondsToHundredths == "0.00")
        #expect(MediaTime.min.secondsToHundredths == "-2305843009.21")
    }

    @Test func durationsAreTheSameTime() {
        #expect(MediaTime(.milliseconds(1500)) == 1500 * .millisecond)
        #expect(MediaTime(.milliseconds(-1500)) == -1500 * .millisecond)
        #expect(Duration(MediaTime(nanoseconds: -7)) == .nanoseconds(-7))
        #expect(MediaTime(.seconds(Int64.max)) == .longest)
        #expect(MediaTime(.seconds(Int64.min)) == -.longest)
    }
}
