import CGStreamer

/// Changes the rate of interleaved 32-bit float sound by a ratio that may change from call to call, without a seam.
///
/// GStreamer's own resampler (a Kaiser-windowed sinc), as a function: its element cannot change the ratio while it runs.
public final class AudioResampler {
    private let resampler: OpaquePointer
    public let channels: Int
    private var rates: (in: Int32, out: Int32)

    /// - Throws: ``GStreamerError`` if the library refuses the rates.
    public init(channels: Int, inputRate: Int, outputRate: Int) throws(GStreamerError) {
        GStreamerLibrary.start()
        rates = (Int32(clamping: inputRate), Int32(clamping: outputRate))
        guard channels > 0, rates.in > 0, rates.out > 0,
            let resampler = rushes_resampler_new(Int32(clamping: channels), rates.in, rates.out)
        else {
            throw GStreamerError(
                element: "resampler", message: "cannot change \(inputRate) to \(outputRate) samples a second")
        }
        self.resampler = resampler
        self.channels = channels
    }

    deinit { gst_audio_resampler_free(resampler) }

    /// The delay of the filter, in input frames.
    public var latency: Int { Int(clamping: gst_audio_resampler_get_max_latency(resampler)) }

    /// Changes the ratio for what follows; the filter keeps its history.
    public func setRates(input: Int, output: Int) {
        let new = (in: Int32(clamping: input), out: Int32(clamping: output))
        guard new != rates, new.in > 0, new.out > 0 else { return }
        rates = new
        gst_audio_resampler_update(resampler, new.in, new.out, nil)
    }

    /// Resamples whole frames (one value for each channel) and returns the frames that are ready.
    public func process(_ input: UnsafeBufferPointer<Float>) -> [Float] {
        let frames = input.count / channels
        let ready = Int(clamping: gst_audio_resampler_get_out_frames(resampler, gsize(frames)))
        return [Float](unsafeUninitializedCapacity: ready * channels) { output, count in
            var source: gpointer? = UnsafeMutableRawPointer(mutating: input.baseAddress)
            var target: gpointer? = UnsafeMutableRawPointer(output.baseAddress)
            gst_audio_resampler_resample(resampler, &source, gsize(frames), &target, gsize(ready))
            count = ready * channels
        }
    }
}
