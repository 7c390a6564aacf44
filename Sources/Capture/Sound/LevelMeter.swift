import Foundation

/// The loudness of each channel since it was last read, as a meter shows it.
struct LevelMeter: Sendable {
    /// Decibels relative to full scale for silence; a meter's lower end.
    static let floor = -100.0

    private var squares: [Double]
    private var peaks: [Float]
    private var count = 0

    init(channels: Int) {
        squares = Array(repeating: 0, count: channels)
        peaks = Array(repeating: 0, count: channels)
    }

    mutating func add(_ samples: UnsafeBufferPointer<Float>) {
        let channels = squares.count
        for channel in 0..<channels {
            var sum: Float = 0
            var peak: Float = 0
            var index = channel
            while index < samples.count {
                let value = samples[index]
                sum += value * value
                peak = max(peak, abs(value))
                index += channels
            }
            squares[channel] += Double(sum)
            peaks[channel] = max(peaks[channel], peak)
        }
        count += samples.count / channels
    }

    /// Root mean square and peak of each channel in decibels relative to full scale; begins anew.
    mutating func read() -> SoundLevel? {
        guard count > 0 else { return nil }
        defer { self = LevelMeter(channels: squares.count) }
        return SoundLevel(
            average: squares.map { decibels(($0 / Double(count)).squareRoot()) }, peak: peaks.map { decibels(Double($0)) })
    }

    private func decibels(_ amplitude: Double) -> Double {
        amplitude > 0 ? max(Self.floor, 20 * log10(amplitude)) : Self.floor
    }
}

/// The loudness of each channel, in decibels relative to full scale (0 is the loudest).
public struct SoundLevel: Sendable, Equatable {
    /// Root mean square.
    public var average: [Double]
    public var peak: [Double]
}
