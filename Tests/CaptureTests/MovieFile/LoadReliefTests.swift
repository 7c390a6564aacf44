import MediaTypes
import Testing

@testable import Capture

@Suite struct LoadReliefTests {
    /// An encoder that takes so many frames a second, and the frames of a camera on their way to it.
    private struct Queue {
        var pace: Double
        var waiting = 0.0
        static let limit = 90

        mutating func run(_ seconds: Double, frames: Double) {
            waiting = min(Double(Self.limit), max(0, waiting + (frames - pace) * seconds))
        }
        var backlog: LoadRelief.Backlog { .init(waiting: Int(waiting), limit: Self.limit) }
    }

    /// What comes of it in a time, a look each half second: when, in seconds, and what is left out then.
    private func run(
        seconds: Int, _ movie: Queue, _ cameras: [Queue] = [], hasInsets: Bool = false,
        gain: Double = 0, paceLater: (second: Double, pace: Double)? = nil
    ) -> (steps: [(second: Double, FrameDecimation)], isFull: Bool) {
        var (movie, cameras, relief) = (movie, cameras, LoadRelief())
        var (steps, isFull): ([(Double, FrameDecimation)], Bool) = ([], false)
        for half in 0..<seconds * 2 {
            let second = Double(half) / 2
            if let paceLater, second >= paceLater.second { movie.pace = paceLater.pace }
            var relieved = movie
            if relief.decimation.insets > 1 { relieved.pace += gain }
            relieved.run(0.5, frames: 30 / Double(relief.decimation.movie))
            movie.waiting = relieved.waiting
            for index in cameras.indices { cameras[index].run(0.5, frames: 30 / Double(relief.decimation.eachCamera)) }
            isFull = isFull || ([movie] + cameras).contains { Int($0.waiting) >= Queue.limit }
            let words = relief.evaluate(
                movie.backlog, cameras.map(\.backlog), hasInsets: hasInsets, time: MediaTime(seconds: second))
            if words != nil { steps.append((second, relief.decimation)) }
        }
        return (steps, isFull)
    }

    @Test func `an encoder that keeps up gets every frame`() {
        #expect(run(seconds: 600, Queue(pace: 31)).steps.isEmpty)
    }

    @Test func `one that is too slow gets every second frame before any is dropped, and all when it has caught up`()
        throws
    {
        let (steps, isFull) = run(seconds: 30, Queue(pace: 18), paceLater: (5, 40))
        #expect(!isFull && steps.map(\.1) == [FrameDecimation(movie: 2), FrameDecimation()])
        // Half of the places are full after 3.75 s; all are empty again in between.
        #expect(steps[0].second < 5 && steps[1].second > 10)
    }

    @Test func `half is not enough for some, and a quarter is the least`() {
        let (steps, isFull) = run(seconds: 20, Queue(pace: 8))
        #expect(!isFull && steps.map(\.1.movie) == [2, 4])
        #expect(run(seconds: 60, Queue(pace: 1)).steps.map(\.1.movie) == [2, 4])
    }

    @Test func `a machine that stays too slow is not tried for ever more`() {
        let steps = run(seconds: 3600, Queue(pace: 20)).steps
        let attempts = steps.count { $0.1.movie == 1 }
        #expect((5...60).contains(attempts), "\(attempts)")
        #expect(!run(seconds: 3600, Queue(pace: 20)).isFull)
    }

    @Test func `each camera's own movie gives way first, and comes back last`() {
        let slow = [Queue(pace: 20), Queue(pace: 20)]
        #expect(run(seconds: 12, Queue(pace: 40), slow).steps.map(\.1) == [FrameDecimation(eachCamera: 2)])
        let both = run(seconds: 40, Queue(pace: 18), slow, paceLater: (6, 60)).steps.map(\.1)
        #expect(
            Array(both.prefix(3)) == [
                FrameDecimation(eachCamera: 2), FrameDecimation(movie: 2, eachCamera: 2),
                FrameDecimation(movie: 1, eachCamera: 2),
            ], "\(both)")
    }

    @Test func `insets have half of their frames before a frame of the movie is left out, and all again at last`() {
        // What is decoded less is enough, until the machine is free again.
        let (enough, isFull) = run(
            seconds: 60, Queue(pace: 25), hasInsets: true, gain: 8, paceLater: (20, 40))
        #expect(!isFull && enough.map(\.1) == [FrameDecimation(insets: 2), FrameDecimation()], "\(enough)")
        // A third of the places is full after six seconds.
        #expect(enough.first.map { $0.second < 7 } == true && enough.last.map { $0.second > 20 } == true, "\(enough)")
        // Not enough: frames are left out too, later, and come back first.
        let both = run(seconds: 60, Queue(pace: 18), hasInsets: true, gain: 2, paceLater: (10, 60))
        #expect(
            !both.isFull
                && both.steps.map(\.1) == [
                    FrameDecimation(insets: 2), FrameDecimation(movie: 2, insets: 2), FrameDecimation(insets: 2),
                    FrameDecimation(),
                ], "\(both.steps)")
        // Where all fills up at once, nothing waits for what the insets bring.
        let fast = run(seconds: 20, Queue(pace: 8), hasInsets: true)
        #expect(!fast.isFull && fast.steps.map(\.1.movie) == [1, 2, 4], "\(fast.steps)")
        #expect(run(seconds: 600, Queue(pace: 31), hasInsets: true).steps.isEmpty)
        let attempts = run(seconds: 3600, Queue(pace: 22), hasInsets: true, gain: 10).steps.count { $0.1 == .init() }
        #expect((5...60).contains(attempts), "\(attempts)")
    }

    @Test func `it says what is left out`() {
        var relief = LoadRelief()
        let (full, empty) = (LoadRelief.Backlog(waiting: 80, limit: 90), LoadRelief.Backlog(waiting: 0, limit: 90))
        #expect(
            relief.evaluate(full, [], time: .zero)
                == "To relieve the encoders, only every second frame is recorded until they have caught up.")
        for second in 1...5 { #expect(relief.evaluate(empty, [], time: second * .second) == nil) }
        #expect(
            relief.evaluate(empty, [], time: 6 * .second)
                == "The encoders have caught up: all frames are being recorded.")
        var several = LoadRelief()
        #expect(
            several.evaluate(empty, [full], time: .zero)
                == "To relieve the encoders, every frame is recorded, and only every second frame in each camera's own movie until they have "
                + "caught up.")
        var composed = LoadRelief()
        #expect(
            composed.evaluate(.init(waiting: 40, limit: 90), [], hasInsets: true, time: .zero)
                == "To relieve the encoders, insets show only every second frame of theirs, and every frame is recorded until they have caught up."
        )
    }

    @Test func `frames are left out evenly`() {
        var decimator = FrameDecimator()
        func kept(_ count: Int) -> [Bool] { (0..<count).map { _ in decimator.keeps() } }
        #expect(kept(3) == [true, true, true])
        decimator.divisor = 2
        #expect(kept(4) == [true, false, true, false])
        decimator.divisor = 4
        #expect(kept(8) == [true, false, false, false, true, false, false, false])
        decimator.divisor = 1
        #expect(kept(3) == [true, true, true] && decimator.leftOut == 8)
    }
}
