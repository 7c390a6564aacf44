import GStreamer
import MediaTypes

/// One movie's audio at the pace of the main movie's clock: resampled to the sample, without the steps in which time stamps alone would let
/// silence in or leave audio out. Used from one thread at a time.
final class PacedSamples {
    private let scale: Double
    private let channels: Int
    private let rate: Int
    private var run: Run?

    /// What comes without a gap.
    private struct Run {
        let resampler: AudioResampler
        /// Of its first sample in the main movie.
        let begin: MediaTime
        /// Frames that went in and came out.
        var taken = 0
        var given = 0
    }

    /// Stamps that are off by no more than that are a container's rounding.
    private static let tolerance = 10 * MediaTime.millisecond
    /// How finely the ratio is stated: the largest rate that the resampler takes.
    private static let unit = 50_000_000

    /// - Parameter scale: how long a second of the audio is in the main movie.
    init(scale: Double, channels: Int, rate: Int) { (self.scale, self.channels, self.rate) = (scale, channels, rate) }

    typealias Piece = (samples: [Float], time: MediaTime)

    /// - Parameters:
    ///   - samples: interleaved.
    ///   - time: of the first one in the main movie.
    /// - Returns: what is ready, each with its time there.
    /// - Throws: ``GStreamerError`` if there is no resampler for that.
    func take(_ samples: [Float], at time: MediaTime) throws -> [Piece] {
        var pieces: [Piece] = []
        if let run, (time - run.begin - span(run.taken)).length > Self.tolerance { pieces = finish() }
        var run =
            try self.run
            ?? Run(
                resampler: AudioResampler(
                    channels: channels, inputRate: Self.unit,
                    outputRate: Int((Double(Self.unit) * scale).rounded())),
                begin: time)
        let output = samples.withUnsafeBufferPointer { run.resampler.process($0) }
        run.taken += samples.count / channels
        pieces.append((output, run.begin + MediaTime(samples: run.given, rate: rate)))
        run.given += output.count / channels
        self.run = run
        return pieces.filter { !$0.samples.isEmpty }
    }

    /// What is still held back of what came.
    func finish() -> [Piece] {
        guard let run else { return [] }
        self.run = nil
        let silence = [Float](repeating: 0, count: run.resampler.latency * channels)
        let rest = silence.withUnsafeBufferPointer { run.resampler.process($0) }
        let left = max(0, Int((Double(run.taken) * scale).rounded()) - run.given) * channels
        let samples = Array(rest.prefix(left))
        return samples.isEmpty ? [] : [(samples, run.begin + MediaTime(samples: run.given, rate: rate))]
    }

    /// How long so many frames are in the main movie.
    private func span(_ frames: Int) -> MediaTime { MediaTime(seconds: Double(frames) / Double(rate) * scale) }
}
