import CGStreamer

/// Sums of products at all places at once, by the discrete Fourier transform of GStreamer's own library (Kiss FFT).
package enum FourierTransform {
    /// How one row of numbers goes with another one, wherever that is laid.
    ///
    /// - Returns: the sum of `one[n + lag] * other[n]` over all `n`, for each lag from 0 on, and behind them, from the end
    ///   back, for those below zero; none without memory.
    package static func correlation(of one: [Float], with other: [Float]) -> [Float] {
        let length = Int(gst_fft_next_fast_length(gint(clamping: max(2, one.count + other.count))))
        guard let forward = gst_fft_f32_new(gint(length), 0), let back = gst_fft_f32_new(gint(length), 1) else {
            return []
        }
        defer {
            gst_fft_f32_free(forward)
            gst_fft_f32_free(back)
        }
        func transformed(_ numbers: [Float]) -> [GstFFTF32Complex] {
            var result = [GstFFTF32Complex](repeating: .init(r: 0, i: 0), count: length / 2 + 1)
            gst_fft_f32_fft(forward, numbers + [Float](repeating: 0, count: length - numbers.count), &result)
            return result
        }
        // One of them conjugated: the convolution with the row turned round.
        let products = zip(transformed(one), transformed(other)).map { a, b in
            GstFFTF32Complex(r: a.r * b.r + a.i * b.i, i: a.i * b.r - a.r * b.i)
        }
        var sums = [Float](repeating: 0, count: length)
        gst_fft_f32_inverse_fft(back, products, &sums)
        // The way there and back multiplies by the length.
        return sums.map { $0 / Float(length) }
    }
}
