import GStreamer
import MediaTypes

/// How bright a frame is: the mean of its luma, 0 for black to 100 for white.
enum MeanLuma {
    /// Of every so many pixels and rows one is looked at: ten thousand of a 1080p frame tell it to a few tenths.
    private static let step = 14

    /// - Returns: `nil` for a format that has no luma in 8 or 10 bits.
    static func percent(of frame: Buffer, _ caps: Caps) -> Double? {
        guard let layout = VideoFrameLayout(caps), let place = Place(layout.format) else { return nil }
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

    /// Where a pixel's luma lies in a row of the first plane.
    private struct Place {
        let bytesPerPixel: Int
        let offset: Int
        /// Of 16-bit samples, how far they are moved to 8 bits; 0 for 8-bit ones.
        let shift: Int

        init?(_ format: String) {
            switch format {
            case "I420", "YV12", "NV12", "NV21", "Y42B", "Y444", "GRAY8", "Y41B":
                (bytesPerPixel, offset, shift) = (1, 0, 0)
            case "YUY2", "YVYU": (bytesPerPixel, offset, shift) = (2, 0, 0)
            case "UYVY": (bytesPerPixel, offset, shift) = (2, 1, 0)
            case "I420_10LE", "I422_10LE", "Y444_10LE": (bytesPerPixel, offset, shift) = (2, 0, 2)
            case "P010_10LE": (bytesPerPixel, offset, shift) = (2, 0, 8)
            default: return nil
            }
        }

        func value(_ line: UnsafeMutableRawPointer, _ column: Int) -> Int {
            let place = line + column * bytesPerPixel + offset
            guard shift > 0 else { return Int(place.load(as: UInt8.self)) }
            return Int(UInt16(littleEndian: place.load(as: UInt16.self)) >> UInt16(shift))
        }
    }
}
