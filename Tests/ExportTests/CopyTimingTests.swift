import MediaTypes
import TestSupport
import Testing

@testable import Export

@Suite struct CopyTimingTests {
    @Test func `what only primes a decoder comes first, and nothing is negative`() {
        var timing = CopyTiming(
            origin: 0, end: nil, isTrimmed: false, first: -20 * .millisecond, keepsEarly: true, delay: 0)
        let answer = timing.take(presentationTime: -20 * .millisecond, decodeTime: nil, duration: 20 * .millisecond)
        #expect(answer == .write(.init(presentation: 0, decode: nil, duration: 20 * .millisecond)))
        let next = timing.take(presentationTime: 0, decodeTime: 0, duration: 20 * .millisecond)
        let time: MediaTime = 20 * .millisecond
        #expect(next == .write(.init(presentation: time, decode: time, duration: time)))
        #expect(timing.end == time)
    }

    @Test func `a packet that is said to last for centuries lasts as long as those before did`() {
        var timing = CopyTiming(origin: 0, end: nil, isTrimmed: false, first: 0, keepsEarly: false, delay: 0)
        for index in 0..<3 {
            _ = timing.take(presentationTime: index * 128 * .millisecond, decodeTime: nil, duration: .max / 4)
        }
        #expect(timing.end == 384 * .millisecond)
    }

    /// As MP3 of 8 and 11 kHz has a packet or two before its audio.
    @Test func `packets that only prime the decoder are kept where all tracks are as late`() {
        let (length, early): (MediaTime, MediaTime) = (50 * .millisecond, 100 * .millisecond)
        var timing = CopyTiming(origin: 0, end: nil, isTrimmed: false, first: -early, keepsEarly: false, delay: early)
        for index in 0..<3 {
            let answer = timing.take(presentationTime: index * length - early, decodeTime: nil, duration: length)
            #expect(answer == .write(.init(presentation: index * length, decode: nil, duration: length)))
        }
        let before = timing.take(presentationTime: -early - length, decodeTime: nil, duration: length)
        #expect(before == .drop)
    }

    @Test func `a part from the beginning on has what primes the decoder`() {
        let length: MediaTime = 20 * .millisecond
        var timing = CopyTiming(
            origin: 0, end: 40 * .millisecond, isTrimmed: true, first: -length, keepsEarly: true, isFromStart: true,
            delay: 0)
        let first = timing.take(presentationTime: -length, decodeTime: nil, duration: length)
        #expect(first == .write(.init(presentation: 0, decode: nil, duration: length)))
        let second = timing.take(presentationTime: 0, decodeTime: nil, duration: length)
        #expect(second == .write(.init(presentation: length, decode: nil, duration: length)))
        #expect(timing.take(presentationTime: 40 * .millisecond, decodeTime: nil, duration: length) == .end)
        #expect(timing.end == length)
    }

    @Test func `of two parts that follow each other each frame and each packet is in one`() {
        let (cut, length): (MediaTime, MediaTime) = (1005 * .millisecond, 20 * .millisecond)
        func packets(from origin: MediaTime, to end: MediaTime?) -> [Int] {
            var timing = CopyTiming(
                origin: origin, end: end, isTrimmed: true, isContinued: end != nil, first: 0, keepsEarly: false,
                delay: 0)
            return (0..<100).filter {
                let answer = timing.take(presentationTime: $0 * length, decodeTime: nil, duration: length)
                if case .write = answer { return true } else { return false }
            }
        }
        // The 50th lies on the cut, more of it behind.
        #expect(packets(from: 0, to: cut) == Array(0..<50) && packets(from: cut, to: nil) == Array(50..<100))
        func frames(from origin: MediaTime, to end: MediaTime?) -> [Int] {
            var timing = FrameTiming<Int>(
                origin: origin, end: end, isTrimmed: true, isContinued: end != nil, rate: nil, usualRate: nil)
            return (0..<100).flatMap { timing.take($0, time: $0 * length, duration: length).written.map(\.frame) }
        }
        #expect(frames(from: 0, to: cut) == Array(0..<51) && frames(from: cut, to: nil) == Array(51..<100))
        // The first frame, 15 ms behind the beginning, does not move the end.
        #expect(frames(from: cut, to: cut + 10 * length + 5 * .millisecond) == Array(51..<61))
    }

    @Test func `packets outside of the part are left out`() {
        var timing = CopyTiming(
            origin: .second, end: 2 * .second, isTrimmed: true, first: 0, keepsEarly: true, delay: 0)
        let length: MediaTime = 20 * .millisecond
        #expect(timing.take(presentationTime: 0, decodeTime: nil, duration: length) == .drop)
        let inside = timing.take(presentationTime: .second, decodeTime: nil, duration: length)
        #expect(inside == .write(.init(presentation: 0, decode: nil, duration: length)))
        #expect(timing.take(presentationTime: 2 * .second, decodeTime: nil, duration: length) == .end)
    }

    /// Of a rate at which B-frames lie far apart.
    @Test(arguments: 1...6)
    func `a part of frames in the order of decoding has all up to its end, and what they need`(frames: Int) {
        let length: MediaTime = 200 * .millisecond
        var timing = CopyTiming(
            origin: .second, end: .second + frames * length, isTrimmed: true, first: 0, keepsEarly: false, delay: 0,
            isReordered: true)
        let groups = (1...30).map { (group: Int) -> [Int] in [3 * group, 3 * group - 2, 3 * group - 1] }
        let coded: [Int] = [0] + groups.flatMap(\.self)
        var (written, waiting): ([Int], [Int]) = ([], [])
        loop: for place in coded {
            switch timing.take(presentationTime: .second + place * length, decodeTime: nil, duration: length) {
            case .drop: break
            case .end: break loop
            case .wait: waiting.append(place)
            case .write:
                written += waiting + [place]
                waiting = []
            }
        }
        let count = (frames - 1 + 2) / 3 * 3 + 1
        #expect(written.sorted() == Array(0..<count) && timing.count == count)
        #expect(timing.lateCount == max(0, count - frames) && timing.end == count * length)
    }

    @Test(arguments: [true, false])
    func `the second field of a frame is shown behind the first, whenever it is decoded`(isMovie: Bool) {
        let field: MediaTime = 20 * .millisecond
        var timing = CopyTiming(
            origin: .second, end: nil, isTrimmed: false, first: .second - 2 * field, keepsEarly: isMovie, delay: 0,
            isReordered: true)
        // As h264parse tells of a camera's interlaced frames, the first of which is shown behind the next.
        let fields: [(presentation: Int?, decode: Int)] = [(2, -2), (nil, -1), (0, 0), (nil, 1), (6, 2), (nil, 3)]
        let times = fields.map { time in
            timing.take(
                presentationTime: time.presentation.map { .second + $0 * field },
                decodeTime: .second + time.decode * field, duration: field)
        }
        let shift = isMovie ? 2 : 0
        let wanted: [(Int, Int)] = [(2, -2), (3, -1), (0, 0), (1, 1), (6, 2), (7, 3)]
        #expect(
            times
                == wanted.map { presentation, decode in
                    let decode = decode + shift < 0 ? nil : (decode + shift) * field
                    return .write(
                        .init(presentation: (presentation + shift) * field, decode: decode, duration: field))
                })
        #expect(timing.earliest == 0 && timing.latest == 7 * field)
    }

    /// As a browser records a screen, in the order of decoding.
    @Test(arguments: [[0, 190, 800, 1610, 1700], [0, 800, 190, 1700, 1610]])
    func `a last frame whose length nobody tells lasts as long as the one shown before it`(times: [Int]) {
        var timing = CopyTiming(
            origin: 0, end: nil, isTrimmed: false, first: 0, keepsEarly: true, delay: 0, isReordered: true)
        for time in times {
            _ = timing.take(presentationTime: time * .millisecond, decodeTime: nil, duration: nil)
        }
        #expect(timing.end == 1790 * .millisecond)
    }

    @Test func `packets without times follow each other`() {
        var timing = CopyTiming(
            origin: .second, end: nil, isTrimmed: false, first: .second, keepsEarly: false, delay: 0)
        let length: MediaTime = 32 * .millisecond
        for place in 0..<3 {
            #expect(
                timing.take(presentationTime: nil, decodeTime: nil, duration: length)
                    == .write(.init(presentation: place * length, decode: nil, duration: length)))
        }
        #expect(timing.end == 3 * length)
        // Of what does not say how long it lasts nothing is known.
        guard case .write(let times) = timing.take(presentationTime: nil, decodeTime: nil, duration: nil) else {
            Issue.record("it is not written")
            return
        }
        #expect(times.presentation == nil)
    }
}
