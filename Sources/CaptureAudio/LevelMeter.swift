import Foundation
package import MediaTypes

/// The loudness of each channel since it was last read, as a meter shows it.
package struct LevelMeter: Sendable {
    /// Decibels relative to full scale for silence; a meter's lower end.
    package static let floor = -100.0

    private let channels: Int
    private var squares: [Double]
    private var peaks: [Float]
    private var frames = 0

    package init(channels: Int) {
        self.channels = channels
        squares = Array(repeating: 0, count: channels)
        peaks = Array(repeating: 0, count: channels)
    }

    package mutating func add(_ samples: [Float]) {
        samples.withUnsafeBufferPointer { samples in
            for channel in 0..<channels {
                var (sum, peak): (Float, Float) = (0, 0)
                for index in stride(from: channel, to: samples.count, by: channels) {
                    sum += samples[index] * samples[index]
                    peak = max(peak, abs(samples[index]))
                }
                squares[channel] += Double(sum)
                peaks[channel] = max(peaks[channel], peak)
            }
        }
        frames += samples.count / channels
    }

    package mutating func addSilence(frames silent: Int) { frames += silent }

    /// Root mean square and peak of each channel in decibels relative to full scale; begins anew. `nil` if nothing came.
    package mutating func read() -> AudioLevel? {
        guard frames > 0 else { return nil }
        defer { self = LevelMeter(channels: channels) }
        return AudioLevel(
            average: squares.map { decibels(($0 / Double(frames)).squareRoot()) },
            peak: peaks.map { decibels(Double($0)) })
    }

    private func decibels(_ amplitude: Double) -> Double {
        // The square of a very large sample is no number any more.
        amplitude > 0 ? min(max(Self.floor, 20 * log10(amplitude)), -Self.floor) : Self.floor
    }
}
