import Foundation

/// What a tone sounds like: how loud, how high, and whether it has holes.
public struct ToneAnalysis: Sendable {
    /// Hertz, from the zero crossings of the middle half.
    public let frequency: Double
    /// Root mean square of -1…1.
    public let level: Double
    /// Seconds of the longest run of samples below 0.001: a drop-out. A tone crosses zero for no longer than a sample or two.
    public let longestSilence: Double

    /// - Parameter samples: As ``FFmpeg/audio(of:rate:channel:start:duration:)`` gives them.
    public init(_ samples: [Float], rate: Int) {
        let middle = samples[samples.count / 4..<samples.count * 3 / 4]
        // Whole waves, from the first crossing to the last: a count alone would be off by up to one.
        let crossings = middle.indices.dropLast().filter { middle[$0] < 0 && middle[$0 + 1] >= 0 }
        let length = (crossings.last ?? 0) - (crossings.first ?? 0)
        frequency = length == 0 ? 0 : Double(crossings.count - 1) * Double(rate) / Double(length)
        level = samples.isEmpty ? 0 : (samples.reduce(0) { $0 + Double($1 * $1) } / Double(samples.count)).squareRoot()
        var run = 0
        var longest = 0
        for sample in samples {
            run = abs(sample) < 0.001 ? run + 1 : 0
            longest = max(longest, run)
        }
        longestSilence = Double(longest) / Double(rate)
    }

    /// How much of one tone is in the samples: its amplitude, were it there from the first to the last. Where another tone
    /// begins or ends, that is a three hundredth of it in a tenth of a second (Goertzel's sum for one frequency).
    public static func amplitude(of hertz: Double, in samples: some Collection<Float>, rate: Int) -> Double {
        let step = 2 * Double.pi * hertz / Double(rate)
        var (real, imaginary) = (0.0, 0.0)
        for (index, sample) in samples.enumerated() {
            real += Double(sample) * cos(step * Double(index))
            imaginary += Double(sample) * sin(step * Double(index))
        }
        return samples.isEmpty ? 0 : 2 * (real * real + imaginary * imaginary).squareRoot() / Double(samples.count)
    }
}
