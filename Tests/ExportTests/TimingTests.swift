import GStreamer
import Testing

@testable import Export

@Suite struct PictureTimingTests {
    private func timing(_ origin: Nanoseconds = 0, end: Nanoseconds? = nil, rate: Fraction? = nil) -> PictureTiming<Int>
    {
        PictureTiming(
            origin: origin, end: end, isTrimmed: origin > 0 || end != nil, rate: rate, usualRate: Fraction(25))
    }

    /// Hands in pictures 0, 1, 2, … at 25 a second.
    private func run(_ timing: PictureTiming<Int>, count: Int) -> [PictureTiming<Int>.Timed] {
        var timing = timing
        var written: [PictureTiming<Int>.Timed] = []
        for index in 0..<count {
            let answer = timing.take(index, time: Nanoseconds(index) * 40 * .millisecond, duration: 40 * .millisecond)
            written += answer.written
            if answer.isComplete { return written }
        }
        return written + timing.flush()
    }

    @Test func `all pictures keep their times`() {
        let written = run(timing(), count: 5)
        #expect(written.map(\.picture) == [0, 1, 2, 3, 4])
        #expect(written.map(\.time) == (0..<5).map { $0 * 40 * .millisecond })
    }

    @Test func `a part has the pictures from its beginning up to its end`() {
        let written = run(timing(80 * .millisecond, end: 200 * .millisecond), count: 20)
        #expect(written.map(\.picture) == [2, 3, 4])
        #expect(written.map(\.time) == [0, 40 * .millisecond, 80 * .millisecond])
    }

    @Test func `a part that begins between two pictures shows the next one at once`() {
        let written = run(timing(90 * .millisecond, end: 210 * .millisecond), count: 20)
        // 120 ms are three pictures, from whichever is the first.
        #expect(written.map(\.picture) == [3, 4, 5])
        #expect(written.map(\.time) == [0, 70 * .millisecond, 110 * .millisecond])
        let longer = run(timing(90 * .millisecond, end: 230 * .millisecond), count: 20)
        #expect(longer.map(\.picture) == [3, 4, 5, 6])
    }

    @Test func `a time that is asked for is the nearest one that the input can tell`() {
        let range: (Nanoseconds, Nanoseconds) = (90 * .millisecond, 210 * .millisecond)
        let timing = PictureTiming<Int>(
            origin: range.0, end: range.1, isTrimmed: true, tick: 40 * .millisecond, rate: nil,
            usualRate: Fraction(25))
        #expect(run(timing, count: 20).map(\.picture) == [2, 3, 4])
    }

    @Test func `one damaged time does not fill hours with a picture`() {
        var timing = PictureTiming<Int>(
            origin: 0, end: nil, isTrimmed: false, rate: Fraction(25), usualRate: Fraction(25),
            horizon: Horizon(end: .second))
        var written = 0
        let times = [0, 40, 360_000_000, 120, 160].map { Nanoseconds($0) * .millisecond }
        for (index, time) in times.enumerated() {
            written += timing.take(index, time: time, duration: 40 * .millisecond).written.count
        }
        #expect(written + timing.flush().count == 5)
    }

    @Test func `a doubled rate shows each picture twice, a halved one every other`() {
        #expect(run(timing(rate: Fraction(50)), count: 3).map(\.picture) == [0, 0, 1, 1, 2, 2])
        let halved = run(timing(rate: Fraction(25, 2)), count: 8)
        #expect(halved.count == 4)
        #expect(halved.map(\.time) == (0..<4).map { $0 * 80 * .millisecond })
    }

    @Test func `a gap is filled at a constant rate`() {
        var timing = timing(rate: Fraction(25))
        var written = timing.take(0, time: 0, duration: 40 * .millisecond).written
        written += timing.take(1, time: 200 * .millisecond, duration: 40 * .millisecond).written
        written += timing.flush()
        #expect(written.map(\.picture) == [0, 0, 0, 0, 0, 1])
        #expect(timing.end == 240 * .millisecond)
    }

    @Test func `pictures without times follow each other, and none goes back`() {
        var timing = timing()
        var times: [Nanoseconds] = []
        for time: Nanoseconds? in [nil, nil, 80 * .millisecond, 40 * .millisecond] {
            times += timing.take(0, time: time, duration: nil).written.map(\.time)
        }
        #expect(times.count == 4)
        #expect(zip(times, times.dropFirst()).allSatisfy { $0 < $1 })
    }
}

@Suite struct SoundTimingTests {
    @Test func `sound that follows itself is taken whole`() {
        var timing = SoundTiming(rate: 48000, origin: 0, end: nil)
        #expect(timing.take(time: 0, frames: 1024).taken == 0..<1024)
        // Rounded to milliseconds.
        let second = timing.take(time: 21 * .millisecond, frames: 1024)
        #expect(second.taken == 0..<1024 && second.silence == 0)
        #expect(timing.position == 2048)
    }

    @Test func `what is missing is silence, what comes twice is cut`() {
        var timing = SoundTiming(rate: 1000, origin: 0, end: nil)
        #expect(timing.take(time: 100 * .millisecond, frames: 100).silence == 100)
        #expect(timing.take(time: 300 * .millisecond, frames: 100).silence == 100)
        #expect(timing.take(time: 350 * .millisecond, frames: 100).taken == 50..<100)
        #expect(timing.position == 450)
    }

    @Test func `a part is cut to the sample`() {
        var timing = SoundTiming(rate: 1000, origin: 50 * .millisecond, end: 175 * .millisecond)
        #expect(timing.take(time: 0, frames: 100).taken == 50..<100)
        let last = timing.take(time: 100 * .millisecond, frames: 100)
        #expect(last.taken == 0..<75 && last.isComplete)
        #expect(timing.time(of: timing.position) == 125 * .millisecond)
    }
}

@Suite struct HorizonTests {
    @Test func `a gap is believed as far as the input says it lasts`() {
        let hour: Nanoseconds = 3600 * .second
        let stated = Horizon(end: hour)
        #expect(stated.reaches(hour, after: 0))
        #expect(stated.reaches(hour + 9 * .second, after: hour))
        #expect(!stated.reaches(hour + 11 * .second, after: hour))
        let unknown = Horizon(end: nil)
        #expect(unknown.reaches(600 * .second, after: 0))
        #expect(!unknown.reaches(601 * .second, after: 0))
        #expect(!unknown.reaches(.max, after: 0))
    }

    @Test func `sound with a damaged time follows the sound before`() {
        var timing = SoundTiming(rate: 1000, origin: 0, end: nil, horizon: Horizon(end: 2 * .second))
        _ = timing.take(time: 0, frames: 100)
        for time: Nanoseconds in [5000 * .second, .max / 2, 300 * .millisecond] {
            let answer = timing.take(time: time, frames: 100)
            #expect(answer.silence == 0 && answer.taken == 0..<100, "\(time)")
        }
        // What can be is still mended.
        #expect(timing.take(time: 1500 * .millisecond, frames: 100).silence == 1100)
    }
}

@Suite struct CopyTimingTests {
    @Test func `what only primes a decoder comes first, and nothing is negative`() {
        var timing = CopyTiming(
            origin: 0, end: nil, isTrimmed: false, first: -20 * .millisecond, keepsEarly: true, delay: 0)
        let answer = timing.take(presentationTime: -20 * .millisecond, decodeTime: nil, duration: 20 * .millisecond)
        #expect(answer == .write(.init(presentation: 0, decode: nil, duration: 20 * .millisecond)))
        let next = timing.take(presentationTime: 0, decodeTime: 0, duration: 20 * .millisecond)
        #expect(
            next
                == .write(
                    .init(presentation: 20 * .millisecond, decode: 20 * .millisecond, duration: 20 * .millisecond)))
        #expect(timing.end == 20 * .millisecond)
    }

    @Test func `packets outside of the part are left out`() {
        var timing = CopyTiming(
            origin: .second, end: 2 * .second, isTrimmed: true, first: 0, keepsEarly: true, delay: 0)
        let length: Nanoseconds = 20 * .millisecond
        #expect(timing.take(presentationTime: 0, decodeTime: nil, duration: length) == .drop)
        let inside = timing.take(presentationTime: .second, decodeTime: nil, duration: length)
        #expect(inside == .write(.init(presentation: 0, decode: nil, duration: length)))
        #expect(timing.take(presentationTime: 2 * .second, decodeTime: nil, duration: length) == .end)
    }
}

@Suite struct WholeFileTests {
    @Test func `a Matroska file says how long it is`() {
        let head: [UInt8] = [
            0x1A, 0x45, 0xDF, 0xA3, 0x82, 0, 0, 0x18, 0x53, 0x80, 0x67, 0x84, 1, 2, 3, 4, 5, 6, 7, 8, 9,
        ]
        let size = WholeFile.declaredSize(head)
        #expect(size == 16)
        let unknown: [UInt8] =
            [0x1A, 0x45, 0xDF, 0xA3, 0x82, 0, 0, 0x18, 0x53, 0x80, 0x67, 0xFF] + [UInt8](repeating: 1, count: 9)
        #expect(WholeFile.declaredSize(unknown) == nil)
    }

    @Test func `an AVI file says it too, and noise says nothing`() {
        #expect(WholeFile.declaredSize(Array("RIFF".utf8) + [0, 1, 0, 0, 65, 86]) == 264)
        #expect(WholeFile.declaredSize([1, 2, 3]) == nil)
        #expect(WholeFile.declaredSize([0x1A, 0x45, 0xDF, 0xA3]) == nil)
    }
}

@Suite struct SizeTargetTests {
    @Test func `the second pass mends what the first one missed`() throws {
        let aim = SizeTarget(size: 1_000_000, duration: 10 * .second)
        let rate = try aim.firstRate(sound: 100_000)
        #expect((690_000...700_000).contains(rate))
        #expect(aim.nextRate(after: rate, gave: 990_000) == nil)
        #expect(try #require(aim.nextRate(after: rate, gave: 1_100_000)) < rate)
        #expect(try #require(aim.nextRate(after: rate, gave: 900_000)) > rate)
        #expect(throws: ExportError.self) { try aim.firstRate(sound: 800_000) }
    }
}

@Suite struct PlainTextTests {
    @Test func `markup goes, its words stay`() {
        #expect(PlainText.of("<i>Tom &amp; Jerry</i> &lt;3 &amp;lt;") == "Tom & Jerry <3 &lt;")
        #expect(PlainText.of("no markup") == "no markup")
    }
}
