import CEBUR128
import Errors
import Foundation

/// Measures floating-point audio, by libebur128 (EBU R 128, ITU-R BS.1770).
final class LoudnessMeter {
    private var state: UnsafeMutablePointer<ebur128_state>?
    private let channels: Int

    /// - Throws: ``RushesError`` for audio that nothing measures.
    init(channels: Int, rate: Int) throws(RushesError) {
        self.channels = channels
        // The number of channels and rates are checked by the library.
        let modes = EBUR128_MODE_I.rawValue | EBUR128_MODE_TRUE_PEAK.rawValue
        state = ebur128_init(UInt32(clamping: channels), UInt(clamping: rate), Int32(modes))
        guard state != nil else {
            throw RushesError(.badInput, "The loudness of \(channels) channels at \(rate) Hz cannot be measured.")
        }
        // The library leaves out those of 7.1 that it has no word for.
        if channels == 8 {
            ebur128_set_channel(state, 6, Int32(EBUR128_LEFT_SURROUND.rawValue))
            ebur128_set_channel(state, 7, Int32(EBUR128_RIGHT_SURROUND.rawValue))
        }
    }

    deinit { ebur128_destroy(&state) }

    /// - Parameter samples: of all channels in turn.
    func add(_ samples: UnsafeBufferPointer<Float>) {
        guard let base = samples.baseAddress else { return }
        ebur128_add_frames_float(state, base, samples.count / channels)
    }

    func addSilence(frames: Int) {
        var left = frames
        let silence = [Float](repeating: 0, count: min(left, Self.piece) * channels)
        while left > 0 {
            let count = min(left, Self.piece)
            silence.withUnsafeBufferPointer { add(.init(rebasing: $0[..<(count * channels)])) }
            left -= count
        }
    }

    /// In frames.
    private static let piece = 4096

    var result: MeasuredLoudness {
        var loudness = 0.0
        let isMeasured = ebur128_loudness_global(state, &loudness) == 0 && loudness.isFinite
        let peak = (0..<channels).reduce(0.0) { highest, channel in
            var peak = 0.0
            return ebur128_true_peak(state, UInt32(channel), &peak) == 0 ? max(highest, peak) : highest
        }
        return MeasuredLoudness(integrated: isMeasured ? loudness : nil, truePeak: 20 * log10(peak))
    }
}
