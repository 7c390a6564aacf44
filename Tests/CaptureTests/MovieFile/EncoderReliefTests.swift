import MediaTypes
import Testing

@testable import Capture

@Suite struct EncoderReliefTests {
    /// An encoder that takes so many frames a second at each of its speeds, and what waits for it.
    private struct Encoder {
        var paces: [Double]
        var snapshot: EncoderRelief.Snapshot
        var waiting = 0.0
        static let limit = 90

        init(_ paces: [Double]) { (self.paces, snapshot) = (paces, .init(fastest: paces.count - 1)) }

        mutating func run(_ seconds: Double, frames: Double) {
            waiting = min(Double(Self.limit), max(0, waiting + (frames - paces[snapshot.step]) * seconds))
        }
        var backlog: LoadRelief.Backlog { .init(waiting: Int(waiting), limit: Self.limit) }
    }

    private enum Change: Equatable { case step(Int, encoder: Int), decimation(FrameDecimation) }

    /// What comes of it in a time, a look each half second.
    ///
    /// - Parameter later: what changes at a second.
    private func run(
        seconds: Int, _ encoders: [Encoder], later: (second: Double, paces: [Double])? = nil
    ) -> (changes: [(second: Double, Change)], isFull: Bool) {
        var (encoders, relief, isFull) = (encoders, EncodersRelief(), false)
        var changes: [(Double, Change)] = []
        for half in 0..<seconds * 2 {
            let second = Double(half) / 2
            for index in encoders.indices {
                if let later, second >= later.second { encoders[index].paces = later.paces }
                let divisor = index == 0 ? relief.decimation.movie : relief.decimation.eachCamera
                encoders[index].run(0.5, frames: 30 / Double(divisor))
                isFull = isFull || Int(encoders[index].waiting) >= Encoder.limit
            }
            let change = relief.evaluate(encoders.map { ($0.snapshot, $0.backlog) }, time: MediaTime(seconds: second))
            for (encoder, step) in change.steps {
                encoders[encoder].snapshot.step = step
                changes.append((second, .step(step, encoder: encoder)))
            }
            if change.words != nil { changes.append((second, .decimation(relief.decimation))) }
        }
        return (changes, isFull)
    }

    @Test func `an encoder that keeps up stays as it is`() {
        #expect(run(seconds: 600, [Encoder([31, 60, 90])]).changes.isEmpty)
    }

    @Test
    func `one that is too slow works at its fastest speed before a frame is left out, and goes back step by step`() {
        let (changes, isFull) = run(seconds: 60, [Encoder([20, 25, 60])], later: (15, [40, 60, 90]))
        #expect(!isFull && changes.map(\.1) == [.step(2, encoder: 0), .step(1, encoder: 0), .step(0, encoder: 0)])
        // A third of the places is full after three seconds.
        #expect(changes[0].second < 4 && changes[1].second > 13, "\(changes)")
    }

    @Test
    func `where the fastest speed is not enough, frames are left out, and are all there again before it is slower`() {
        let (changes, isFull) = run(seconds: 60, [Encoder([10, 20])], later: (12, [60, 90]))
        #expect(
            !isFull
                && changes.map(\.1) == [
                    .step(1, encoder: 0), .decimation(.init(movie: 2)), .decimation(.init()), .step(0, encoder: 0),
                ], "\(changes)")
    }

    @Test func `an encoder is faster before insets have fewer frames, and slower again only when they have all`() {
        var (encoder, relief) = (Encoder([20, 25]), EncodersRelief())
        var changes: [Change] = []
        for half in 0..<120 {
            if half > 30 { encoder.paces = [60, 90] }
            encoder.run(0.5, frames: 30 / Double(relief.decimation.movie))
            let change = relief.evaluate(
                [(encoder.snapshot, encoder.backlog)], hasInsets: true, time: MediaTime(seconds: Double(half) / 2))
            for (_, step) in change.steps {
                encoder.snapshot.step = step
                changes.append(.step(step, encoder: 0))
            }
            if change.words != nil { changes.append(.decimation(relief.decimation)) }
        }
        #expect(
            changes == [
                .step(1, encoder: 0), .decimation(.init(insets: 2)), .decimation(.init(movie: 2, insets: 2)),
                .decimation(.init(insets: 2)), .decimation(.init()), .step(0, encoder: 0),
            ], "\(changes)")
    }

    @Test func `an encoder with one speed leaves frames out as before`() {
        let (changes, isFull) = run(seconds: 20, [Encoder([18])])
        #expect(!isFull && changes.first?.1 == .decimation(.init(movie: 2)), "\(changes)")
    }

    @Test func `each attempt that fails lengthens the time until the next one`() {
        let (changes, isFull) = run(seconds: 600, [Encoder([20, 60])])
        let attempts = changes.filter { $0.1 == .step(0, encoder: 0) }.map(\.second)
        #expect(!isFull && (2...8).contains(attempts.count), "\(attempts)")
        let pauses = zip(attempts, attempts.dropFirst()).map { $1 - $0 }
        #expect(zip(pauses, pauses.dropFirst()).allSatisfy { $1 > $0 * 1.2 || $1 > 150 }, "\(pauses)")
    }

    @Test func `of several each has its own speed`() {
        let (changes, _) = run(seconds: 10, [Encoder([40, 60]), Encoder([20, 60])])
        #expect(changes.map(\.1) == [.step(1, encoder: 1)], "\(changes)")
    }

    /// One of two cores is another program's: whichever of the encoders is behind, the composed movie's is the last to change.
    @Test func `the cameras' own encoders relieve the movie's before that is changed itself, and it comes back first`()
    {
        let (changes, isFull) = run(
            seconds: 120, [Encoder([25, 40]), Encoder([40, 60]), Encoder([35, 60])], later: (10, [60, 80]))
        #expect(!isFull)
        let steps = changes.map(\.1)
        #expect(Array(steps.prefix(2)) == [.step(1, encoder: 1), .step(1, encoder: 2)], "\(changes)")
        #expect(steps.dropFirst(2).first == .step(1, encoder: 0), "\(changes)")
        // That was of no use to it.
        let back = steps.firstIndex(of: .step(0, encoder: 0)) ?? .max
        #expect(steps.firstIndex(of: .step(0, encoder: 1)) ?? 0 > back, "\(changes)")
        #expect(steps.firstIndex(of: .step(0, encoder: 2)) ?? 0 > back, "\(changes)")
    }

    @Test func `where the cameras' own encoders give it what it needs, the movie's stays as it is`() {
        var (encoders, relief) = ([Encoder([25]), Encoder([40, 60])], EncodersRelief())
        encoders[0].snapshot.fastest = 2
        var changes: [Change] = []
        for half in 0..<120 {
            // The core that the other one leaves.
            encoders[0].paces = encoders[1].snapshot.step > 0 ? [60, 60, 60] : [25, 25, 25]
            for index in encoders.indices { encoders[index].run(0.5, frames: 30) }
            let change = relief.evaluate(
                encoders.map { ($0.snapshot, $0.backlog) }, time: MediaTime(seconds: Double(half) / 2))
            for (encoder, step) in change.steps {
                encoders[encoder].snapshot.step = step
                changes.append(.step(step, encoder: encoder))
            }
            #expect(change.words == nil)
        }
        #expect(changes.first == .step(1, encoder: 1) && !changes.contains { $0 == .step(2, encoder: 0) }, "\(changes)")
    }

    /// Every snapshot that there can be of three encoders of two speeds, one look after a calm beginning.
    @Test func `in every state at most one kind of relief is added at a time, and the movie's frames are the last`() {
        let waiting = [0, 3, 16, 31, 46, 70]
        for movie in waiting {
            for first in waiting {
                for second in waiting {
                    for steps in 0..<8 {
                        for exchanging in 0..<8 {
                            check([movie, first, second], steps, exchanging)
                        }
                    }
                }
            }
        }
    }

    private func check(_ waiting: [Int], _ steps: Int, _ exchanging: Int) {
        var relief = EncodersRelief()
        let all = waiting.indices.map { index in
            (
                encoder: EncoderRelief.Snapshot(
                    step: steps >> index & 1, fastest: 1, isExchanging: exchanging >> index & 1 == 1),
                backlog: LoadRelief.Backlog(waiting: waiting[index], limit: 90)
            )
        }
        let change = relief.evaluate(all, time: 10 * .second)
        let state = "\(waiting) \(steps) \(exchanging): \(change)"
        for (encoder, step) in change.steps {
            // Faster, and only one that can be, where somebody is behind.
            #expect(step == 1 && all[encoder].encoder.step == 0 && !all[encoder].encoder.isExchanging, "\(state)")
            #expect(all[encoder].backlog.isGrowing || encoder > 0 && all[0].backlog.isGrowing, "\(state)")
        }
        if change.steps.contains(where: { $0.encoder == 0 }), !all[0].backlog.isBehind {
            #expect(all.dropFirst().allSatisfy { $0.encoder.step == 1 && !$0.encoder.isExchanging }, "\(state)")
        }
        #expect(relief.decimation.movie == 1 || relief.decimation.eachCamera > 1, "\(state)")
        if relief.decimation != FrameDecimation() {
            #expect(change.words != nil && all.contains { $0.backlog.waiting > 45 }, "\(state)")
        }
    }

    @Test func `nothing is asked of an encoder that is just being exchanged`() {
        var relief = EncoderRelief()
        let snapshot = EncoderRelief.Snapshot(step: 0, fastest: 2, isExchanging: true)
        #expect(relief.evaluate(snapshot, .init(waiting: 80, limit: 90), time: .second, isDecimated: false) == nil)
        #expect(!relief.isSpent(snapshot, at: .second))
    }
}
