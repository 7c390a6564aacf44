import Foundation
import TestSupport
import Testing

@testable import Alignment

/// Two recordings of the same made-up speech, by microphones of different loudness and noise.
@Suite struct AudioAlignmentTests {
    private static func speech(seconds: Int, seed: UInt64) -> [Float] {
        MadeSpeech.samples(seconds: seconds, rate: LoudnessCurve.audioRate, seed: seed)
    }

    /// - Parameter speed: of the clock that it was recorded by.
    private static func heard(
        _ speech: [Float], from start: Double, lasting seconds: Double, gain: Float, noise: Float, seed: UInt64,
        speed: Double = 1
    ) -> LoudnessCurve {
        var curve = LoudnessCurve()
        let rate = Double(LoudnessCurve.audioRate)
        let samples = MadeSpeech.heard(
            speech, from: start * rate, count: Int(seconds * rate), gain: gain, noise: noise, seed: seed, speed: speed)
        samples.withUnsafeBufferPointer { curve.append($0) }
        return curve
    }

    @Test(arguments: [7.25, -3.5, 0, 21.003])
    func `the place is found to two thousandths of a second, before or after`(offset: Double) throws {
        var generator = SeededGenerator.printed(for: "speech")
        let seed = generator.next()
        let speech = Self.speech(seconds: 60, seed: seed)
        let one = Self.heard(speech, from: 5, lasting: 40, gain: 1, noise: 0.01, seed: 1)
        let other = Self.heard(speech, from: 5 + offset, lasting: 30, gain: 0.002, noise: 0.0001, seed: 2)
        let found = try #require(AudioAlignment(one, other))
        #expect(abs(found.offset - offset) < 0.002 && found.scale == 1, "\(found)")
        #expect(found.confidence > 0.4, "\(found)")
    }

    @Test func `a clock that runs away is found, and its time at both ends`() throws {
        let speech = Self.speech(seconds: 320, seed: 11)
        let one = Self.heard(speech, from: 0, lasting: 300, gain: 1, noise: 0.005, seed: 1)
        let other = Self.heard(speech, from: 4, lasting: 280, gain: 0.5, noise: 0.005, seed: 2, speed: 1.00008)
        let found = try #require(AudioAlignment(one, other))
        for time in [0.0, 279] {
            let expected = 4 + time * 1.00008
            #expect(abs(found.offset + time * found.scale - expected) < 0.004, "\(found)")
        }
        #expect(abs(found.scale - 1.00008) < 15e-6, "\(found)")
    }

    /// Before people speak and after they have, there is each microphone's own noise only: nothing that tells the place or the clock.
    @Test(arguments: [(25, 0), (40, 0), (0, 25), (0, 40), (45, 45)])
    func `a quiet head and tail move nothing, and invent no drift`(quiet: (head: Int, tail: Int)) throws {
        let length = 240
        let seconds = length - quiet.head - quiet.tail
        let rate = LoudnessCurve.audioRate
        let speech = [Float](repeating: 0, count: (3 + quiet.head) * rate) + Self.speech(seconds: seconds, seed: 21)
        let one = Self.heard(speech, from: 0, lasting: Double(length), gain: 1, noise: 0.004, seed: 1)
        let other = Self.heard(speech, from: 3, lasting: Double(length - 3), gain: 0.5, noise: 0.004, seed: 2)
        let found = try #require(AudioAlignment(one, other))
        #expect(abs(found.offset - 3) < 0.002 && found.scale == 1 && found.isExact, "\(found)")
    }

    @Test func `a clock is followed further than is searched at once, past what is quiet`() throws {
        let rate = LoudnessCurve.audioRate
        let quiet = [Float](repeating: 0, count: 100 * rate)
        let speech = (30..<34).flatMap { seed -> [Float] in quiet + Self.speech(seconds: 60, seed: UInt64(seed)) }
        let one = Self.heard(speech, from: 0, lasting: 640, gain: 1, noise: 0.004, seed: 1)
        let other = Self.heard(speech, from: 4, lasting: 630, gain: 0.5, noise: 0.004, seed: 2, speed: 0.9998)
        let found = try #require(AudioAlignment(one, other))
        for time in [0.0, 630] {
            #expect(abs(found.offset + time * found.scale - (4 + time * 0.9998)) < 0.004, "\(found)")
        }
    }

    @Test func `what has nothing in common has no place`() {
        let one = Self.heard(Self.speech(seconds: 40, seed: 3), from: 0, lasting: 40, gain: 1, noise: 0.01, seed: 1)
        let other = Self.heard(Self.speech(seconds: 40, seed: 4), from: 0, lasting: 40, gain: 1, noise: 0.01, seed: 2)
        #expect(AudioAlignment(one, other) == nil)
        let silence = Self.heard([], from: 0, lasting: 40, gain: 0, noise: 0, seed: 1)
        #expect(AudioAlignment(one, silence) == nil)
        #expect(AudioAlignment(silence, silence) == nil && AudioAlignment(LoudnessCurve(), one) == nil)
    }

    @Test func `what repeats itself is not guessed`() {
        let beat = Self.speech(seconds: 1, seed: 5).prefix(8000)
        let song = Array((0..<40).map { _ in beat }.joined())
        let one = Self.heard(song, from: 0, lasting: 30, gain: 1, noise: 0.001, seed: 1)
        let other = Self.heard(song, from: 2, lasting: 20, gain: 1, noise: 0.001, seed: 2)
        #expect(AudioAlignment(one, other) == nil)
    }
}
