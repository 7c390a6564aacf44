import Foundation
import MediaTypes

/// How light frames are, and how that is changed: by a power of 2.2, which photos and videos nearly have.
///
/// With a power a factor on light is a factor on values, of luma and of chroma alike.
package enum FrameLight {
    private static let gamma = 2.2
    /// Above this part of all values those are brought together that would else be lost, and white stays white.
    private static let knee = 0.85
    /// More rows and columns than these tell nothing more.
    private static let enough = 360

    /// The mean of the light of all pixels, from 0 to 1; of large frames of some of them, evenly spread.
    ///
    /// - Parameters:
    ///   - frame: whose luma has a plane of its own, in the lower bits.
    ///   - part: what of it; left out: all.
    package static func mean(of frame: FrameView, in part: CropRectangle? = nil) -> Double {
        let (plane, size, depth) = (frame.planes[0], frame.format.size, frame.format.pixelFormat.bitDepth)
        let whole = CropRectangle(x: 0, y: 0, width: Double(size.width), height: Double(size.height))
        let cut = (part ?? whole).cut(to: size)
        let rows = samples(from: cut.y, length: cut.height, of: size.height)
        let columns = samples(from: cut.x, length: cut.width, of: size.width)
        var counts = [Int](repeating: 0, count: 1 << depth)
        counts.withUnsafeMutableBufferPointer { counts in
            for row in rows {
                let base = plane.base + row * plane.bytesPerRow
                if depth == 8 {
                    for column in columns { counts[Int(base.load(fromByteOffset: column, as: UInt8.self))] += 1 }
                } else {
                    for column in columns {
                        let sample = base.load(fromByteOffset: 2 * column, as: UInt16.self)
                        counts[min(Int(sample), counts.count - 1)] += 1
                    }
                }
            }
        }
        let scale = SampleScale(frame.format.color.range, bitDepth: depth).luma
        let sum = counts.indices.reduce(0.0) {
            $0 + Double(counts[$1]) * pow(max(0, (Double($1) - scale.offset) / scale.scale), gamma)
        }
        return sum / Double(max(1, counts.reduce(0, +)))
    }

    /// At least one, at even distances.
    private static func samples(from begin: Double, length: Double, of count: Int) -> StrideTo<Int> {
        let first = min(max(Int(begin), 0), count - 1)
        let end = min(count, max(first + 1, Int((begin + length).rounded())))
        return stride(from: first, to: end, by: max(1, (end - first) / enough))
    }

    /// Multiplies the light of all pixels, but for the brightest.
    ///
    /// - Parameter frame: of three planes, 4:2:0.
    package static func multiply(_ frame: MutableFrameView, by gain: Double) {
        guard abs(gain - 1) > 1e-4 else { return }
        let format = frame.format
        let (factor, depth) = (pow(gain, 1 / gamma), format.pixelFormat.bitDepth)
        let scale = SampleScale(format.color.range, bitDepth: depth)
        func table(_ change: (Double) -> Double, _ scale: (scale: Double, offset: Double), _ largest: Int) -> [UInt32] {
            (0...largest).map { sample in
                let value = change((Double(sample) - scale.offset) / scale.scale) * scale.scale + scale.offset
                // In 256ths, within what the bits hold.
                return UInt32(min(max(value * 256, 0), Double(largest) * 256).rounded())
            }
        }
        let luma = table({ curve($0, factor) }, scale.luma, scale.largest)
        let chroma = table({ $0 * factor }, scale.chroma, scale.largest)
        for (index, plane) in frame.planes.enumerated() {
            let width = index == 0 ? format.size.width : (format.size.width + 1) / 2
            let rows = index == 0 ? format.size.height : (format.size.height + 1) / 2
            (index == 0 ? luma : chroma).withUnsafeBufferPointer { table in
                for row in 0..<rows {
                    let samples = plane.base + row * plane.bytesPerRow
                    if depth == 8 {
                        change(samples.assumingMemoryBound(to: UInt8.self), width, row, table)
                    } else {
                        change(samples.assumingMemoryBound(to: UInt16.self), width, row, table)
                    }
                }
            }
        }
    }

    private static func change<Sample: FixedWidthInteger>(
        _ samples: UnsafeMutablePointer<Sample>, _ width: Int, _ row: Int, _ table: UnsafeBufferPointer<UInt32>
    ) {
        let (dither, first) = (dither, row % 4 * 4)
        dither.withUnsafeBufferPointer { dither in
            for x in 0..<width {
                let value = table[min(Int(samples[x]), table.count - 1)] + dither[first + x % 4]
                samples[x] = Sample(truncatingIfNeeded: value >> 8)
            }
        }
    }

    /// What is added before cutting, so that an even sky keeps its mean and gets no bands (Bayer's matrix).
    private static let dither: [UInt32] = [0, 8, 2, 10, 12, 4, 14, 6, 3, 11, 1, 9, 15, 7, 13, 5].map { $0 * 16 + 8 }

    /// A line, and from the knee on another one up to white; what is above white stays.
    private static func curve(_ value: Double, _ factor: Double) -> Double {
        let begin = factor > 1 ? knee / factor : knee
        guard value > begin else { return value * factor }
        guard value < 1 else { return value }
        return begin * factor + (value - begin) / (1 - begin) * (1 - begin * factor)
    }
}
