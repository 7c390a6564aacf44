import GStreamer
import MediaTypes

/// How bright a frame is: the mean of its luma, 0 for black to 100 for white.
enum MeanLuma {
    /// Of every so many pixels and rows one is looked at: ten thousand of a 1080p frame tell it to a few tenths.
    private static let step = 14

    /// - Returns: `nil` for a format that has no luma in 8 or 10 bits.
    static func percent(of frame: Buffer, _ caps: Caps) -> Double? {
        guard let layout = VideoFrameLayout(caps), let place = LumaSamples(layout.format) else { return nil }
        let isFullRange = Colorimetry(caps)?.isFullRange ?? false
        let mean = try? frame.withPlanes(layout) { planes -> Double? in
            guard let plane = planes.first else { return nil }
            var (sum, count) = (0, 0)
            for row in stride(from: 0, to: layout.size.height, by: step) {
                let line = plane.base + row * plane.bytesPerRow
                for column in stride(from: 0, to: layout.size.width, by: step) {
                    sum += place.value(line, column)
                    count += 1
                }
            }
            return count > 0 ? Double(sum) / Double(count) : nil
        }
        guard let mean else { return nil }
        return min(100, max(0, isFullRange ? mean / 2.55 : (mean - 16) / 2.19))
    }
}
