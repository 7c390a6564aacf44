import CLibAV
import Foundation

/// The planes of a frame whose samples are linear light as floating point, as those of OpenEXR: handed out as BT.709 encodes light. What is
/// brighter than 1 becomes 1. Color is stored multiplied by how opaque it is, as OpenEXR has it ("Technical Introduction to OpenEXR",
/// section "Alpha"), and handed out by itself.
struct LinearPlanes {
    private let frame: AVFrame
    private let width: Int

    init(_ frame: AVFrame) { (self.frame, width) = (frame, Int(frame.width)) }

    /// - Parameters:
    ///   - targets: as many planes as the frame has: green, blue, red and how opaque they are, or gray.
    ///   - bits: of a sample.
    func write(to targets: [RawPlanes.Target], bits: Int) {
        let planes = zip(
            [frame.data.0, frame.data.1, frame.data.2, frame.data.3],
            [frame.linesize.0, frame.linesize.1, frame.linesize.2, frame.linesize.3])
        let sources = zip(targets, planes).compactMap { target, plane in plane.0.map { (target, $0, Int(plane.1)) } }
        let most = Float((1 << bits) - 1)
        for row in 0..<Int(frame.height) {
            let opacity = sources.count > 3 ? samples(sources[3].1, sources[3].2, row) : nil
            for (index, (target, base, stride)) in sources.enumerated() {
                let line = samples(base, stride, row)
                let place = target.base + row * target.bytesPerRow
                for column in 0..<width {
                    var value = line[column]
                    if index < 3 {
                        if let alpha = opacity?[column], alpha > 0, alpha < 1 { value /= alpha }
                        value = Self.encoded(value)
                    }
                    // What is no number is black.
                    let share = value > 0 ? min(value, 1) : 0
                    place.storeBytes(of: UInt16(share * most + 0.5), toByteOffset: column * 2, as: UInt16.self)
                }
            }
        }
    }

    private func samples(_ base: UnsafeMutablePointer<UInt8>, _ stride: Int, _ row: Int) -> UnsafePointer<Float> {
        UnsafeRawPointer(base + row * stride).assumingMemoryBound(to: Float.self)
    }

    /// Light as a camera encodes it (ITU-R BT.709-6, item 1.2).
    private static func encoded(_ light: Float) -> Float {
        light < 0.018 ? 4.5 * light : light < 1 ? 1.099 * powf(light, 0.45) - 0.099 : 1
    }
}
