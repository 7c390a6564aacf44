import GStreamer

/// Carries out what ``SoundTimeline`` decides: resamples, puts silence in, leaves samples out; then gain and metering.
///
/// Used by one streaming thread at a time.
final class SoundCorrector {
    private var timeline: SoundTimeline
    private let resampler: AudioResampler?
    private let channels: Int
    private let rate: Int
    private var held: [[Float]] = []
    private var written = 0

    /// Ratios are handed to the resampler as whole numbers this many times the rate: steps of 0.1 parts in a million.
    private static let fineness = 10_000_000

    /// - Throws: ``GStreamerError`` if the resampler cannot be made.
    init(rate: Int, channels: Int, isOnSystemClock: Bool) throws {
        timeline = SoundTimeline(rate: rate, isOnSystemClock: isOnSystemClock)
        self.rate = rate
        self.channels = channels
        resampler = isOnSystemClock
            ? nil : try AudioResampler(channels: channels, inputRate: Self.fineness, outputRate: Self.fineness)
    }

    /// How much faster than promised the microphone runs, as a ratio.
    var drift: Double { timeline.drift }

    /// Takes a buffer's samples and returns the chunk of the row that they complete, or `nil` while the row has not begun.
    func receive(_ samples: [Float], stamp: Nanoseconds) -> SoundChunk? {
        let action = timeline.receive(frames: samples.count / channels, stamp: stamp.seconds, written: written)
        guard action != .hold, let start = timeline.start else {
            held.append(samples)
            return nil
        }
        let position = written
        var output: [Float] = []
        for early in held { output += change(early, by: 1) }
        held = []
        switch action {
        case .hold: break
        case .write(let silence, let ratio):
            output += [Float](repeating: 0, count: silence * channels)
            output += change(samples, by: ratio)
        case .skip(let frames, let ratio):
            output += change(Array(samples.dropFirst(frames * channels)), by: ratio)
        }
        written += output.count / channels
        return SoundChunk(
            rowStart: Nanoseconds(seconds: start), position: position, samples: output, channels: channels, rate: rate)
    }

    private func change(_ samples: [Float], by inputPerOutput: Double) -> [Float] {
        guard let resampler else { return samples }
        resampler.setRates(input: Int((Double(Self.fineness) * inputPerOutput).rounded()), output: Self.fineness)
        return samples.withUnsafeBufferPointer { resampler.process($0) }
    }
}
