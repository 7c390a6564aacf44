import Foundation
import GStreamer
import TestSupport
import Testing

@testable import CaptureAudio

@Suite struct AudioCorrectorTests {
    /// What comes out for a sine of a microphone whose clock is off, and where its row begins.
    private func corrected(
        hertz: Double, drift: Double, seconds: Int, channels: Int = 1, jitter: Double = 0
    ) -> (start: Double, samples: [Float]) {
        var corrector = AudioCorrector(rate: 48_000, channels: channels, isOnSystemClock: false)
        var random = SeededRandom(seed: 3)
        var (start, row): (Double, [Float]) = (0, [])
        let rate = 48_000 * (1 + drift)
        for buffer in 0..<(seconds * 100) {
            let samples = (0..<480).flatMap { index -> [Float] in
                let time = Double(buffer * 480 + index) / rate
                return (0..<channels).map { Float(0.5 * sin(2 * .pi * hertz * time + Double($0))) }
            }
            let stamp = MediaTime(seconds: 100 + Double(buffer * 480) / rate + jitter * random.exponential())
            guard let chunk = corrector.receive(samples, stamp: stamp) else { continue }
            start = chunk.rowStart.seconds
            #expect(chunk.position * channels == row.count, "the row has no seam")
            row += chunk.samples
        }
        return (start, row)
    }

    /// Signal to noise in decibels, against the sine that fits best: in blocks, each with its own pitch, so that a slow
    /// bend of the pitch is none.
    private func signalToNoise(_ samples: ArraySlice<Float>, hertz: Double) -> Double {
        var (signal, noise) = (0.0, 0.0)
        for block in stride(from: samples.startIndex, to: samples.endIndex - 4800, by: 4800) {
            var step = 2 * Double.pi * hertz / 48_000
            for _ in 0..<2 {
                let early = Fit(samples[block..<(block + 2400)], step: step)
                let late = Fit(samples[(block + 2400)..<(block + 4800)], step: step)
                var turn = late.phase - early.phase - step * 2400
                turn -= (turn / (2 * .pi)).rounded() * 2 * .pi
                step += turn / 2400
            }
            let fit = Fit(samples[block..<(block + 4800)], step: step)
            signal += fit.signal
            noise += fit.noise
        }
        return 10 * log10(signal / noise)
    }

    /// The sine and cosine of a pitch that fit best, and what is left.
    private struct Fit {
        var phase: Double
        var (signal, noise) = (0.0, 0.0)

        init(_ samples: ArraySlice<Float>, step: Double) {
            var (ss, cc, sc, xs, xc, xx) = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
            for (index, sample) in samples.enumerated() {
                let (s, c, x) = (sin(step * Double(index)), cos(step * Double(index)), Double(sample))
                ss += s * s
                cc += c * c
                sc += s * c
                xs += x * s
                xc += x * c
                xx += x * x
            }
            let whole = ss * cc - sc * sc
            let (sine, cosine) = ((xs * cc - xc * sc) / whole, (xc * ss - xs * sc) / whole)
            phase = atan2(cosine, sine)
            signal = sine * xs + cosine * xc
            noise = max(0, xx - signal)
        }
    }

    @Test(arguments: [0, 0.005])
    func `a sine stays a sine`(drift: Double) {
        let (_, row) = corrected(hertz: 1000, drift: drift, seconds: 6)
        #expect(signalToNoise(row[(5 * 48_000)...], hertz: 1000) > 70)
        let (_, scattered) = corrected(hertz: 1000, drift: drift, seconds: 8, jitter: 0.003)
        #expect(signalToNoise(scattered[(7 * 48_000)...], hertz: 1000) > 60)
    }

    @Test func `no sample jumps`() {
        let (_, row) = corrected(hertz: 1000, drift: 0.005, seconds: 4, jitter: 0.003)
        // The steepest that a sine of this size and pitch can be, and one part in a hundred.
        let steepest: Float = 0.5 * 2 * 3.1416 * 1000 / 48_000 * 1.01
        let jumps = zip(row.dropFirst(100), row.dropFirst(101)).count { abs($0 - $1) > steepest }
        #expect(jumps == 0)
    }

    @Test(arguments: [0.005]) func `what comes out lies where it went in, to a millisecond`(drift: Double) {
        // A sine's phase after eleven seconds tells where it lies.
        let (start, row) = corrected(hertz: 100, drift: drift, seconds: 12)
        var (sine, cosine) = (0.0, 0.0)
        for index in (11 * 48_000)..<(11 * 48_000 + 4800) {
            let time = start + Double(index) / 48_000 - 100
            sine += Double(row[index]) * sin(2 * .pi * 100 * time)
            cosine += Double(row[index]) * cos(2 * .pi * 100 * time)
        }
        let late = -atan2(cosine, sine) / (2 * .pi * 100)
        #expect(abs(late) < 0.001)
    }

    @Test func `channels do not mix`() {
        let (_, row) = corrected(hertz: 500, drift: 0.001, seconds: 3, channels: 2)
        let left = stride(from: 96_000 * 2, to: row.count - 1, by: 2).map { row[$0] }
        let right = stride(from: 96_000 * 2 + 1, to: row.count, by: 2).map { row[$0] }
        #expect(signalToNoise(left[...], hertz: 500) > 60)
        #expect(signalToNoise(right[...], hertz: 500) > 60)
        #expect(zip(left, right).contains { abs($0 - $1) > 0.3 })
    }

    @Test func `the first sample out is the first sample in`() {
        var resampler = VariableRatioResampler(channels: 1)
        var impulse = [Float](repeating: 0, count: 480)
        impulse[0] = 1
        let output = resampler.process(impulse, inputPerOutput: 1)
        #expect(output.firstIndex(of: output.max() ?? 0) == 0)
        #expect(output.count == 480 - VariableRatioResampler.delay)
        #expect(abs(resampler.waiting - Double(VariableRatioResampler.delay)) < 1e-9)
    }

    @Test(arguments: [0.98, 0.995, 1, 1.0001, 1.02])
    func `the resampler gives as many samples as the ratio says, whatever the buffers' sizes`(ratio: Double) {
        var resampler = VariableRatioResampler(channels: 2)
        var (put, got) = (0, 0)
        for size in Array(repeating: [1, 480, 441, 7, 4096, 0, 1024], count: 5).joined() {
            got += resampler.process([Float](repeating: 0.25, count: size * 2), inputPerOutput: ratio).count / 2
            put += size
        }
        #expect(abs(Double(got) * ratio + resampler.waiting - Double(put)) < 0.01)
    }

    @Test func `a level stays its level`() {
        var resampler = VariableRatioResampler(channels: 1)
        let output = resampler.process([Float](repeating: 0.25, count: 4800), inputPerOutput: 1.00037)
        #expect(output.dropFirst(100).allSatisfy { abs($0 - 0.25) < 1e-5 })
    }
}
