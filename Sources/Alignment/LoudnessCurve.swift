import Foundation

/// How loud a recording is over time, by which two recordings of the same sounds are recognised, whatever their microphones.
package struct LoudnessCurve: Sendable {
    /// The mean square of each thousandth of a second.
    private(set) var energies: [Float] = []
    private var sum: Float = 0
    private var count = 0

    /// Frames a second of what is listened to.
    package static let audioRate = 8000
    /// Values a second.
    static let rate = 1000
    private static let step = audioRate / rate

    package init() {}

    /// - Parameter samples: mono, of ``audioRate``.
    package mutating func append(_ samples: UnsafeBufferPointer<Float>) {
        for sample in samples {
            sum += sample.isFinite ? sample * sample : 0
            count += 1
            guard count == Self.step else { continue }
            energies.append(sum / Float(Self.step))
            (sum, count) = (0, 0)
        }
    }

    /// Silence before the first sample of a stream that begins late.
    package mutating func appendSilence(seconds: Double) {
        energies += [Float](repeating: 0, count: max(0, Int((min(seconds, 86_400) * Double(Self.rate)).rounded())))
    }

    package var seconds: Double { Double(energies.count) / Double(Self.rate) }

    /// What rises and falls of it: levels in decibels without their mean over the second around, `rate / step` values a second.
    func changes(every step: Int) -> [Float] {
        // 30 dB below the mean is silence: what is below is noise of its own in each recording, however loud that is.
        let floor = max(1e-12, energies.reduce(0) { $0 + Double($1) } / Double(max(1, energies.count)) / 1000)
        let levels = stride(from: 0, to: energies.count - step + 1, by: step).map { begin in
            let mean = energies[begin..<begin + step].reduce(0, +) / Float(step)
            return 10 * log10(max(mean, Float(floor)))
        }
        let reach = max(1, Self.rate / step / 2)
        // In double precision: of hours, the sums are large and their differences small.
        var sums = [0.0]
        for level in levels { sums.append(sums[sums.count - 1] + Double(level)) }
        return levels.indices.map { index in
            let (from, to) = (max(0, index - reach), min(levels.count, index + reach + 1))
            return levels[index] - Float((sums[to] - sums[from]) / Double(to - from))
        }
    }
}
