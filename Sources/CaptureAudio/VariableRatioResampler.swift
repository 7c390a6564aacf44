import Foundation

/// Changes the rate of interleaved 32-bit float audio by a ratio close to one that may change from buffer to buffer.
///
/// A windowed sinc at a place that is kept as a fraction of a sample, so a change of the ratio bends the pitch without a
/// jump. GStreamer's resampler is not used for this: its phase is a whole number of the rates' smallest fraction, rounded
/// by up to a tenth of a sample at each change of rate, and a change comes with every buffer here.
///
/// The first sample out is the first sample in: the filter's delay shows as ``delay`` samples that come later, not as a
/// shift in time.
struct VariableRatioResampler: Sendable {
    /// Samples that the filter looks at, before and after the place: 24 each way let everything up to 18 kHz pass.
    static let taps = 48
    /// Rows of the table, of which the nearest is taken: what that is off lies 94 dB below a tone of 1 kHz and 74 dB below
    /// one of 10 kHz. As the ratio is close to one, neighbours use the same row, and the table need not fit a cache.
    private static let phases = 2048
    /// How many samples in wait for what follows them.
    static let delay = taps / 2

    let channels: Int
    /// Samples not yet used up, one array for each channel.
    private var history: [[Float]]
    /// Where in the history the next sample out lies; its filter begins `taps / 2 - 1` samples before.
    private var place: Double

    init(channels: Int) {
        self.channels = channels
        // Silence before the beginning, so that the first sample has a whole filter.
        history = Array(repeating: Array(repeating: 0, count: Self.taps / 2 - 1), count: channels)
        place = Double(Self.taps / 2 - 1)
    }

    /// How many samples went in that the output has not reached, in samples in.
    var waiting: Double { Double(history[0].count) - place }

    /// Resamples whole frames and returns the frames that are ready.
    ///
    /// - Parameter inputPerOutput: how far one sample out goes on in the input; above 1 shortens.
    mutating func process(_ input: [Float], inputPerOutput: Double) -> [Float] {
        for channel in 0..<channels {
            history[channel].append(
                contentsOf: stride(from: channel, to: input.count, by: channels).lazy.map { input[$0] })
        }
        // A hair less than there is, so that rounding never asks for a sample that is not there.
        let ready = Double(history[0].count - Self.taps / 2) - 1e-6
        let frames = max(0, Int(((ready - place) / inputPerOutput).rounded(.up)))
        guard frames > 0 else { return [] }
        let output = [Float](unsafeUninitializedCapacity: frames * channels) { output, count in
            for channel in 0..<channels {
                history[channel].withUnsafeBytes { samples in
                    Self.table.withUnsafeBytes { table in
                        for frame in 0..<frames {
                            let exact = place + Double(frame) * inputPerOutput
                            output[frame * channels + channel] = Self.sample(samples, at: exact, table)
                        }
                    }
                }
            }
            count = frames * channels
        }
        place += Double(frames) * inputPerOutput
        let used = max(0, Int(place) - (Self.taps / 2 - 1))
        for channel in 0..<channels { history[channel].removeFirst(used) }
        place -= Double(used)
        return output
    }

    private typealias Lane = SIMD8<Float>

    private static func sample(_ samples: UnsafeRawBufferPointer, at place: Double, _ table: UnsafeRawBufferPointer)
        -> Float
    {
        let whole = Int(place)
        let row = Int(((place - Double(whole)) * Double(phases)).rounded())
        let size = MemoryLayout<Float>.size
        let first = (whole - (taps / 2 - 1)) * size
        var sum = Lane.zero
        for tap in stride(from: 0, to: taps, by: Lane.scalarCount) {
            sum +=
                samples.loadUnaligned(fromByteOffset: first + tap * size, as: Lane.self)
                * table.loadUnaligned(fromByteOffset: (row * taps + tap) * size, as: Lane.self)
        }
        return sum.sum()
    }

    /// The filter for each fraction of a sample, from none to a whole one.
    private static let table: [Float] = (0...phases).flatMap { phase in
        let fraction = Double(phase) / Double(phases)
        let row = (0..<taps).map { tap in filter(Double(tap - (taps / 2 - 1)) - fraction) }
        // Silence must stay silence and a level its level, whatever the fraction.
        let sum = row.reduce(0, +)
        return row.map { Float($0 / sum) }
    }

    /// A sinc cut off at 22 of 24 kHz under a Blackman-Harris window, whose side lobes lie 92 dB down.
    private static func filter(_ distance: Double) -> Double {
        let edge = 2 * distance / Double(taps)
        guard abs(edge) < 1 else { return 0 }
        let angle = Double.pi * distance * 22 / 24
        let turn = Double.pi * edge
        let window = 0.35875 + 0.48829 * cos(turn) + 0.14128 * cos(2 * turn) + 0.01168 * cos(3 * turn)
        return (angle == 0 ? 1 : sin(angle) / angle) * window
    }
}
