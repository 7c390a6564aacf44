import GStreamer
import TestSupport
import Testing

@testable import Export
@testable import Workarounds

@Suite struct PacketRhythmTests {
    @Test func `a packet lasts as long as those before did on the average, pauses left out`() {
        var rhythm = PacketRhythm()
        #expect(rhythm.duration(of: 0) == nil)
        let times = [23, 47, 70, 5000, 5023].map { $0 * MediaTime.millisecond }
        let durations = times.map { rhythm.duration(of: $0) }
        #expect(durations.map { $0.map { $0 / 1000 } } == [23_000, 23_500, 23_333, 23_333, 23_250])
        #expect(rhythm.duration(of: nil) == durations.last)
    }
}

@Suite struct FrameTimingTests {
    private func timing(_ origin: MediaTime = 0, end: MediaTime? = nil, rate: Fraction? = nil) -> FrameTiming<Int> {
        FrameTiming(
            origin: origin, end: end, isTrimmed: origin > 0 || end != nil, rate: rate, usualRate: Fraction(25))
    }

    /// Hands in frames 0, 1, 2, … at 25 a second.
    private func run(_ timing: FrameTiming<Int>, count: Int) -> [FrameTiming<Int>.Timed] {
        var timing = timing
        var written: [FrameTiming<Int>.Timed] = []
        for index in 0..<count {
            let answer = timing.take(index, time: index * 40 * .millisecond, duration: 40 * .millisecond)
            written += answer.written
            if answer.isComplete { return written }
        }
        return written + timing.flush()
    }

    @Test func `all frames keep their times`() {
        let written = run(timing(), count: 5)
        #expect(written.map(\.frame) == [0, 1, 2, 3, 4])
        #expect(written.map(\.time) == (0..<5).map { $0 * 40 * .millisecond })
    }

    @Test func `a part has the frames from its beginning up to its end`() {
        let written = run(timing(80 * .millisecond, end: 200 * .millisecond), count: 20)
        #expect(written.map(\.frame) == [2, 3, 4])
        #expect(written.map(\.time) == [0, 40 * MediaTime.millisecond, 80 * MediaTime.millisecond])
    }

    @Test func `a part that begins between two frames shows the next one at once`() {
        let written = run(timing(90 * .millisecond, end: 210 * .millisecond), count: 20)
        // 120 ms are three frames, from whichever is the first.
        #expect(written.map(\.frame) == [3, 4, 5])
        #expect(written.map(\.time) == [0, 70 * MediaTime.millisecond, 110 * MediaTime.millisecond])
        let longer = run(timing(90 * .millisecond, end: 230 * .millisecond), count: 20)
        #expect(longer.map(\.frame) == [3, 4, 5, 6])
    }

    @Test func `a long frame is shown where a part begins or ends within it`() {
        let times = [0, 40, 80, 800, 840, 2000].map { $0 * MediaTime.millisecond }
        func run(_ begin: Int, _ end: Int?, rate: Fraction? = nil) -> [String] {
            var timing = timing(begin * .millisecond, end: end.map { $0 * .millisecond }, rate: rate)
            var written: [FrameTiming<Int>.Timed] = []
            for (index, time) in times.enumerated() {
                let answer = timing.take(index, time: time, duration: 40 * .millisecond)
                written += answer.written
                if answer.isComplete { break }
            }
            written += timing.flush()
            #expect(written.count == timing.written)
            return written.map {
                let time = [$0.time, $0.duration].map { $0.nanoseconds / 1_000_000 }
                return "\($0.frame) \(time[0])+\(time[1])"
            }
        }
        #expect(run(300, 850) == ["2 0+500", "3 500+40", "4 540+40"])
        #expect(run(300, 500) == ["2 0+200"])
        #expect(run(300, 500, rate: Fraction(10)) == ["2 0+100", "2 100+100"])
        #expect(run(500, 900, rate: Fraction(10)) == ["2 0+100", "2 100+100", "2 200+100", "4 300+100"])
        #expect(run(2010, nil) == ["5 0+30"])
        #expect(run(2050, nil).isEmpty)
        #expect(run(50, 90) == ["2 0+40"])
    }

    @Test func `a time that is asked for is the nearest one that the input can tell`() {
        let range: (MediaTime, MediaTime) = (90 * .millisecond, 210 * .millisecond)
        let timing = FrameTiming<Int>(
            origin: range.0, end: range.1, isTrimmed: true, tick: 40 * .millisecond, rate: nil,
            usualRate: Fraction(25))
        #expect(run(timing, count: 20).map(\.frame) == [2, 3, 4])
    }

    @Test func `a doubled rate shows each frame twice, a halved one every other`() {
        #expect(run(timing(rate: Fraction(50)), count: 3).map(\.frame) == [0, 0, 1, 1, 2, 2])
        let halved = run(timing(rate: Fraction(25, 2)), count: 8)
        #expect(halved.count == 4)
        #expect(halved.map(\.time) == (0..<4).map { $0 * 80 * .millisecond })
    }

    @Test func `a gap is filled at a constant rate`() {
        var timing = timing(rate: Fraction(25))
        var written = Array(timing.take(0, time: 0, duration: 40 * .millisecond).written)
        written += timing.take(1, time: 200 * .millisecond, duration: 40 * .millisecond).written
        written += timing.flush()
        #expect(written.map(\.frame) == [0, 0, 0, 0, 0, 1])
        #expect(timing.end == 240 * .millisecond)
    }

    @Test func `a gap of years takes no memory, however many frames fill it`() {
        var timing = timing(rate: Fraction(30))
        #expect(timing.take(0, time: 0, duration: 40 * .millisecond).written.isEmpty)
        let gap = 50_000_000 * MediaTime.second
        let filled = timing.take(1, time: gap, duration: 40 * .millisecond).written
        #expect(filled.count == 1_500_000_000)
        #expect(filled.first?.time == 0 && filled.last?.frame == 0)
        #expect(filled.last.map { $0.time + $0.duration } == gap)
        #expect(timing.written == 1_500_000_000 && timing.end == gap)
        #expect(timing.flush().map(\.frame) == [1])
    }

    @Test func `frames without times follow each other, and none goes back`() {
        var timing = timing()
        var times: [MediaTime] = []
        for time: MediaTime? in [nil, nil, 80 * .millisecond, 40 * .millisecond] {
            times += timing.take(0, time: time, duration: nil).written.map(\.time)
        }
        #expect(times.count == 4)
        #expect(zip(times, times.dropFirst()).allSatisfy { $0 < $1 })
    }
}

@Suite struct AudioTimingTests {
    @Test func `audio that follows itself is taken whole`() {
        var timing = AudioTiming(rate: 48000, origin: 0, end: nil)
        #expect(timing.take(time: 0, frames: 1024).taken == 0..<1024)
        // Rounded to milliseconds.
        let second = timing.take(time: 21 * .millisecond, frames: 1024)
        #expect(second.taken == 0..<1024 && second.silence == 0)
        #expect(timing.position == 2048)
    }

    @Test func `what is missing is silence, what comes twice is cut`() {
        var timing = AudioTiming(rate: 1000, origin: 0, end: nil)
        #expect(timing.take(time: 100 * .millisecond, frames: 100).silence == 100)
        #expect(timing.take(time: 300 * .millisecond, frames: 100).silence == 100)
        #expect(timing.take(time: 350 * .millisecond, frames: 100).taken == 50..<100)
        #expect(timing.position == 450)
        // What lies before the first audio is none of its gaps.
        #expect(timing.silence == FilledSilence(begin: 200 * .millisecond, length: 100 * .millisecond, isGap: true))
        #expect(
            timing.silence?.note(track: 2)?.hasPrefix("0.10 s of audio track 2, from 0.20 s on, are silence") == true)
        var drifting = AudioTiming(rate: 1000, origin: 0, end: nil)
        _ = drifting.take(time: 0, frames: 100)
        _ = drifting.take(time: 150 * .millisecond, frames: 100)
        #expect(drifting.silence?.length == 50 * .millisecond && drifting.silence?.note(track: 1) == nil)
    }

    @Test func `a packet that is missing is told, and a clock that runs away only where it is far off`() {
        var damaged = AudioTiming(rate: 48_000, origin: 0, end: nil)
        for packet in [0, 1, 3, 4] {
            _ = damaged.take(time: MediaTime(samples: packet * 4096, rate: 48_000), frames: 4096)
        }
        #expect(damaged.position == 5 * 4096)
        #expect(damaged.silence?.note(track: 1)?.hasPrefix("0.09 s of audio track 1, from 0.17 s on") == true)
        // As much, in steps that are short for a packet.
        var drifting = AudioTiming(rate: 48_000, origin: 0, end: nil)
        for packet in 0..<200 {
            _ = drifting.take(time: MediaTime(samples: packet * 1044, rate: 48_000), frames: 1024)
        }
        #expect(drifting.silence != nil && drifting.silence?.isGap == false)
        #expect((drifting.silence?.length ?? 0) < 100 * .millisecond && drifting.silence?.note(track: 1) == nil)
    }

    @Test func `times that start again cut nothing`() {
        var timing = AudioTiming(rate: 1000, origin: 0, end: nil)
        for _ in 0..<2 {
            #expect(timing.take(time: 0, frames: 1500).taken == 0..<1500)
            #expect(timing.take(time: 1500 * .millisecond, frames: 1500).taken == 0..<1500)
        }
        #expect(timing.position == 6000)
    }

    @Test func `audio of one time follows itself, and what else comes twice is told`() {
        var untimed = AudioTiming(rate: 1000, origin: 0, end: nil)
        for _ in 0..<5 { #expect(untimed.take(time: 0, frames: 100).taken == 0..<100) }
        #expect(untimed.position == 500 && untimed.overlap == nil)
        // Of 100 ms each 80 lie before the end of the one before.
        var doubled = AudioTiming(rate: 1000, origin: 0, end: nil)
        for packet in 0..<5 { _ = doubled.take(time: packet * 20 * .millisecond, frames: 100) }
        #expect(doubled.position == 180)
        #expect(
            doubled.overlap?.note(track: 2)?.hasPrefix("0.32 s of audio track 2, from 0.02 s on, were left out") == true
        )
        // What lies before a part is none of it.
        var part = AudioTiming(rate: 1000, origin: 150 * .millisecond, end: nil)
        for packet in 0..<4 { _ = part.take(time: packet * 100 * .millisecond, frames: 100) }
        #expect(part.position == 250 && part.overlap == nil)
    }

    @Test func `a part is cut to the sample`() {
        var timing = AudioTiming(rate: 1000, origin: 50 * .millisecond, end: 175 * .millisecond)
        #expect(timing.take(time: 0, frames: 100).taken == 50..<100)
        let last = timing.take(time: 100 * .millisecond, frames: 100)
        #expect(last.taken == 0..<75 && last.isComplete)
        #expect(timing.time(of: timing.position) == 125 * .millisecond)
    }
}

@Suite struct TimeDoubtTests {
    @Test func `a time far beyond the end is not believed, and those after it are`() {
        var sanitizer = TimestampSanitizer(begin: 5 * .second, duration: 2 * .second)
        #expect(sanitizer.validated(6 * .second) == 6 * .second)
        #expect(sanitizer.validated(9000 * .second) == nil)
        #expect(sanitizer.validated(nil) == nil)
        #expect(sanitizer.validated(7 * .second) == 7 * .second)
    }

    @Test func `where the file says too little of its length, steady times are believed`() {
        var sanitizer = TimestampSanitizer(begin: 0, duration: .second)
        for seconds in stride(from: 0, to: 100, by: 5) {
            #expect(sanitizer.validated(seconds * .second) == seconds * .second)
        }
    }

    @Test func `where it says nothing, a frame may be shown for minutes`() {
        var sanitizer = TimestampSanitizer(begin: 0, duration: nil)
        #expect(sanitizer.validated(600 * .second) == 600 * .second)
        #expect(sanitizer.validated(90_000 * .second) == nil)
    }
}
