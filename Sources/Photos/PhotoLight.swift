import Foundation
package import Imaging
import MediaTypes

/// How light frames of photos are, and how that is changed: 8 bits, all values, by a power of 2.2, which photos nearly have.
///
/// With a power a factor on light is a factor on values, of luma and of chroma alike.
package enum PhotoLight {
    private static let gamma = 2.2
    /// Above this part of all values those are brought together that would else be lost, and white stays white.
    private static let knee = 0.85

    /// The mean of the light of all pixels, from 0 to 1.
    package static func mean(of frame: FrameView) -> Double {
        let (plane, size) = (frame.planes[0], frame.format.size)
        var counts = [Int](repeating: 0, count: 256)
        for row in 0..<size.height {
            let samples = UnsafeRawBufferPointer(start: plane.base + row * plane.bytesPerRow, count: size.width)
            for sample in samples { counts[Int(sample)] += 1 }
        }
        let sum = counts.indices.reduce(0.0) { $0 + Double(counts[$1]) * pow(Double($1) / 255, gamma) }
        return sum / Double(max(1, size.width * size.height))
    }

    /// Multiplies the light of all pixels, but for the brightest.
    ///
    /// - Parameter frame: of three planes of 8 bits.
    package static func multiply(_ frame: MutableFrameView, by gain: Double) {
        guard abs(gain - 1) > 1e-4 else { return }
        let factor = pow(gain, 1 / gamma)
        let luma = (0..<256).map { fixed(curve(Double($0) / 255, factor) * 255) }
        let chroma = (0..<256).map { fixed(Double($0 - 128) * factor + 128) }
        for (index, plane) in frame.planes.enumerated() {
            let table = index == 0 ? luma : chroma
            let width = index == 0 ? frame.format.size.width : (frame.format.size.width + 1) / 2
            let rows = index == 0 ? frame.format.size.height : (frame.format.size.height + 1) / 2
            let dither = dither
            table.withUnsafeBufferPointer { table in
                for row in 0..<rows {
                    let samples = (plane.base + row * plane.bytesPerRow).assumingMemoryBound(to: UInt8.self)
                    let first = row % 4 * 4
                    for x in 0..<width {
                        samples[x] = UInt8(truncatingIfNeeded: (table[Int(samples[x])] + dither[first + x % 4]) >> 8)
                    }
                }
            }
        }
    }

    /// In 256ths, within what 8 bits hold.
    private static func fixed(_ value: Double) -> UInt16 { UInt16(min(max(value * 256, 0), 255 * 256).rounded()) }

    /// What is added before cutting, so that an even sky keeps its mean and gets no bands (Bayer's matrix).
    private static let dither: [UInt16] = [0, 8, 2, 10, 12, 4, 14, 6, 3, 11, 1, 9, 15, 7, 13, 5].map { $0 * 16 + 8 }

    /// A line, and from the knee on another one up to white.
    private static func curve(_ value: Double, _ factor: Double) -> Double {
        let begin = factor > 1 ? knee / factor : knee
        guard value > begin else { return value * factor }
        return begin * factor + (value - begin) / (1 - begin) * (1 - begin * factor)
    }
}
