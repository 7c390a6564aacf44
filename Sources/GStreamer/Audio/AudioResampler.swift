import CGStreamer

/// Changes the rate of interleaved 32-bit float audio by a fixed ratio, piece by piece and without a seam.
///
/// GStreamer's own resampler (a Kaiser-windowed sinc), as a function.
/// Output frame n is the input at n · input / output, to an eighth of a frame: the audio is not shifted. It is only held
/// back: the last ``latency`` input frames come out when more go in, so that many frames of silence bring out an end.
package final class AudioResampler {
    private let resampler: OpaquePointer
    /// How many values make a frame.
    package let channels: Int

    /// Only the ratio of the rates matters, so that large numbers state it finely.
    ///
    /// - Throws: ``GStreamerError`` if there is no channel, or a rate is not between 1 and 100 million.
    package init(channels: Int, inputRate: Int, outputRate: Int) throws(GStreamerError) {
        GStreamerLibrary.start()
        guard channels > 0, let rates = Rates(input: inputRate, output: outputRate),
            let resampler = rushes_resampler_new(Int32(clamping: channels), rates.input, rates.output)
        else {
            throw GStreamerError(
                element: "resampler", message: "cannot change \(inputRate) to \(outputRate) samples a second")
        }
        (self.resampler, self.channels) = (resampler, channels)
    }

    deinit { gst_audio_resampler_free(resampler) }

    /// The delay of the filter, in input frames.
    package var latency: Int { Int(clamping: gst_audio_resampler_get_max_latency(resampler)) }

    /// Resamples whole frames (one value for each channel) and returns the frames that are ready.
    package func process(_ input: UnsafeBufferPointer<Float>) -> [Float] {
        let frames = input.count / channels
        let ready = Int(clamping: gst_audio_resampler_get_out_frames(resampler, gsize(frames)))
        // Never of no capacity: all empty arrays are one, and this initializer would write to it.
        return [Float](unsafeUninitializedCapacity: max(ready, 1) * channels) { output, count in
            var source: gpointer? = UnsafeMutableRawPointer(mutating: input.baseAddress)
            var target: gpointer? = UnsafeMutableRawPointer(output.baseAddress)
            gst_audio_resampler_resample(resampler, &source, gsize(frames), &target, gsize(ready))
            count = ready * channels
        }
    }
}

/// Two rates as the resampler can use them.
private struct Rates {
    var input: Int32
    var output: Int32

    init?(input: Int, output: Int) {
        // Above, the interpolated filter's arithmetic in 32 bits runs over (a phase times eight).
        guard (1...100_000_000).contains(input), (1...100_000_000).contains(output) else { return nil }
        (self.input, self.output) = (Int32(input), Int32(output))
        guard input == output else { return }
        // For equal rates GStreamer (1.22) takes the oldest frame of the filter's window, not the middle one: all audio
        // would come half a window late. So they differ a little, by at most two frames in 100 million.
        let factor = max(2, 100_000_000 / output)
        (self.input, self.output) = (Int32(input * factor - 1), Int32(output * factor))
    }
}
