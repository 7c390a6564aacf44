package import GStreamer
import Imaging
import Logging
import MediaTypes

/// Scales the middle of frames to their size.
///
/// It keeps its memory, so one serves one camera; one thread at a time may use it.
package final class FrameZoomer {
    private let converter = FrameConverter()
    private var target: (source: Caps, from: ComposedFormat, to: ComposedFormat, pool: FramePool)?

    package init() {}

    /// Whether frames can be zoomed into: raw ones of the formats that can be composed.
    package static func takes(_ caps: Caps) -> Bool { ComposedFormat(caps) != nil }

    /// - Parameter factor: above 1; 2 shows half of the width and of the height.
    /// - Returns: the same frame for what can be zoomed into no further, and without memory.
    package func zoom(_ frame: Buffer, _ caps: Caps, by factor: Double) -> (buffer: Buffer, caps: Caps) {
        guard let time = frame.presentationTime, let (from, to, pool) = target(caps), var buffer = pool.buffer() else {
            return (frame, caps)
        }
        let (width, height) = (Double(from.layout.size.width), Double(from.layout.size.height))
        let crop = CropRectangle(
            x: width * (1 - 1 / factor) / 2, y: height * (1 - 1 / factor) / 2, width: width / factor,
            height: height / factor)
        do {
            try buffer.withMutableView(to) { view in
                try frame.withView(from) { try converter.convert($0, crop: crop, to: view) }
            }
        } catch {
            log.warning("a frame cannot be zoomed into", metadata: ["error": "\(error)"])
            return (frame, caps)
        }
        return (buffer.retimed(presentationTime: time, duration: frame.duration), to.caps)
    }

    private func target(_ caps: Caps) -> (ComposedFormat, ComposedFormat, FramePool)? {
        if let target, target.source == caps { return (target.from, target.to, target.pool) }
        guard let from = ComposedFormat(caps), let to = from.writable(keepsChroma: true),
            let pool = try? FramePool(to.caps, to.layout)
        else { return nil }
        target = (caps, from, to, pool)
        return (from, to, pool)
    }
}
