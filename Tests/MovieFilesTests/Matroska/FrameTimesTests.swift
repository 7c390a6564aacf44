import MediaTypes
import Testing

@testable import MovieFiles

@Suite("The times of Matroska's frames")
struct FrameTimesTests {
    private static let millisecond: UInt64 = 1_000_000

    /// Rates as ticks in a second and of a frame.
    private static let rates: [(UInt32, UInt32)] = [
        (24_000, 1001), (24_000, 1000), (25_000, 1000), (30_000, 1001), (30_000, 1000), (50_000, 1000), (60_000, 1001),
        (60_000, 1000), (120_000, 1000),
    ]

    /// The times of so many frames of a rate, in whole milliseconds.
    private func times(
        _ count: Int, _ rate: (UInt32, UInt32), from start: Double = 0, _ rule: FloatingPointRoundingRule
    ) -> [Int64] {
        (0..<count).map { index in
            let length = 1000 * Double(rate.1) / Double(rate.0)
            return Int64((start + Double(index) * length).rounded(rule))
        }
    }

    @Test(
        "are those of the constant rate that was rounded, told or not", arguments: rates,
        [FloatingPointRoundingRule.toNearestOrAwayFromZero, .down])
    func constantRate(_ rate: (UInt32, UInt32), _ rule: FloatingPointRoundingRule) throws {
        let told = UInt64((1e9 * Double(rate.1) / Double(rate.0)).rounded())
        for told in [told, nil] {
            let made = try FrameTimes(
                times(2000, rate, from: 83.4, rule), scale: Self.millisecond, told: told, last: nil)
            #expect(made.timescale == rate.0)
            #expect(Set(made.durations) == [rate.1])
            #expect(made.shown == 2000 * UInt64(rate.1))
            #expect(made.delay == 0)
            #expect(abs(Double(made.start) / 1e6 - 83.4) < 1)
        }
    }

    @Test("keep the places of frames that were dropped")
    func gaps() throws {
        var times = times(300, (30_000, 1001), .toNearestOrAwayFromZero)
        times.removeSubrange(100..<110)
        let made = try FrameTimes(times, scale: Self.millisecond, told: nil, last: nil)
        #expect(made.timescale == 30_000)
        #expect(made.durations[99] == 11 * 1001)
        #expect(Set(made.durations[100...]) == [1001])
    }

    @Test("are kept as they are where no rate gives them", arguments: [nil, 40_000_000 as UInt64?])
    func variableRate(_ told: UInt64?) throws {
        let times: [Int64] = [0, 40, 79, 130, 131, 200, 1000, 1033]
        let made = try FrameTimes(times, scale: Self.millisecond, told: told, last: nil)
        #expect(made.timescale == 1000)
        #expect(made.durations == [40, 39, 51, 1, 69, 800, 33, told == nil ? 33 : 40])
    }

    @Test("are not those of a rate that drifts away from them")
    func drift() throws {
        let times = (0..<3000).map { Int64((Double($0) * 33.35).rounded()) }
        let made = try FrameTimes(times, scale: Self.millisecond, told: 33_366_667, last: nil)
        #expect(made.timescale == 1000)
    }

    @Test("let each frame be decoded no later than it is shown, and none earlier than needed")
    func reordering() throws {
        // I0 P4 B2 b1 b3, twice, at 25 frames a second.
        let places: [Int64] = [0, 4, 2, 1, 3, 5, 9, 7, 6, 8]
        let made = try FrameTimes(places.map { 500 + $0 * 40 }, scale: Self.millisecond, told: nil, last: nil)
        #expect(made.delay == 2000)
        #expect(made.start == 500 * 1_000_000)
        var decodeTime: Int64 = 0
        for (index, place) in places.enumerated() {
            #expect(made.offsets[index] >= 0)
            #expect(decodeTime + Int64(made.offsets[index]) == 2000 + place * 1000)
            decodeTime += Int64(made.durations[index])
        }
        #expect(made.offsets.contains(0))
    }

    @Test("end as late as the last frame's block says")
    func lastFrame() throws {
        let rounded = try FrameTimes([0, 33, 67], scale: Self.millisecond, told: nil, last: 33_000_000)
        #expect(rounded.shown == 3 * UInt64(rounded.durations[0]))
        let held = try FrameTimes([0, 40, 80], scale: Self.millisecond, told: nil, last: 5_000_000_000)
        #expect(held.durations == [1000, 1000, 125_000])
    }

    @Test("that no sample can last are refused")
    func impossible() {
        #expect(throws: MovieFileError.self) {
            try FrameTimes([0, 1 << 40], scale: Self.millisecond, told: nil, last: nil)
        }
    }
}

@Suite("The times of Matroska's audio")
struct AudioTimesTests {
    private static let millisecond: UInt64 = 1_000_000

    private func lengths(_ length: UInt32, _ count: Int) -> RunLengthArray<UInt32> {
        var lengths = RunLengthArray<UInt32>()
        lengths.append(length, count: count)
        return lengths
    }

    private func rounded(_ count: Int, length: Double, rate: Double, from start: Double = 0) -> [Int64?] {
        (0..<count).map { index in
            let seconds = start + Double(index) * length / rate
            return Int64((seconds * 1000).rounded()) * 1_000_000
        }
    }

    @Test("are counted by samples", arguments: [(1024, 44_100), (1152, 48_000), (1536, 32_000), (4608, 96_000)])
    func counted(_ length: UInt32, _ rate: UInt32) throws {
        let times = rounded(5000, length: Double(length), rate: Double(rate), from: 0.0213)
        let made = try AudioTimes(times, lengths: lengths(length, 5000), sampleRate: rate, resolution: Self.millisecond)
        #expect(made.durations.runs == [.init(count: 5000, value: length)])
        #expect(made.total == 5000 * UInt64(length) && made.start == 21_000_000)
    }

    @Test("keep gaps, and no error adds up behind them")
    func gaps() throws {
        var times = rounded(1000, length: 1024, rate: 48_000)
        times.removeSubrange(300..<350)
        times.removeSubrange(600..<601)
        let made = try AudioTimes(times, lengths: lengths(1024, 949), sampleRate: 48_000, resolution: Self.millisecond)
        // As exact as two rounded times are.
        for (count, length) in [
            (51, UInt64(made.durations[299])), (2, UInt64(made.durations[599])), (1000, made.total),
        ] {
            #expect(abs(Int(length) - count * 1024) <= 96)
        }
    }

    @Test("follow a clock that is not the samples'")
    func drift() throws {
        let times = rounded(3000, length: 1024, rate: 47_900)
        let made = try AudioTimes(times, lengths: lengths(1024, 3000), sampleRate: 48_000, resolution: Self.millisecond)
        let seconds = Double(made.total) / 48_000
        let expected = 3000.0 * 1024 / 47_900
        #expect(abs(seconds - expected) < 0.004)
    }

    @Test("of packets that share a block are those of its first")
    func lacing() throws {
        var times = rounded(800, length: 1024, rate: 48_000)
        for index in times.indices where index % 8 != 0 { times[index] = nil }
        let made = try AudioTimes(times, lengths: lengths(1024, 800), sampleRate: 48_000, resolution: Self.millisecond)
        #expect(made.durations.runs == [.init(count: 800, value: 1024)])
    }

    @Test("that go back are refused")
    func backwards() {
        #expect(throws: MovieFileError.self) {
            try AudioTimes(
                [0, 9_000_000_000, 0], lengths: lengths(1024, 3), sampleRate: 48_000, resolution: Self.millisecond)
        }
    }
}
