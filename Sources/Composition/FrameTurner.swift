import GStreamer
import Imaging
import Logging
package import MediaTypes

/// Brings the frames of a camera or a movie upright, for who composes them.
///
/// It keeps its memory, so one serves one camera; one thread at a time may use it.
package final class FrameTurner {
    private let orientation: MovieOrientation
    private let converter = FrameConverter()
    private var target: (source: Caps, format: ComposedFormat, pool: FramePool)?

    /// `nil` for frames that are upright as they are.
    package init?(_ orientation: MovieOrientation) {
        guard orientation != .upright else { return nil }
        self.orientation = orientation
    }

    /// Of the upright frames; `nil` where there is not enough memory for such.
    package func format(of source: ComposedFormat) -> ComposedFormat? { target(source)?.0 }

    /// `nil` without memory.
    package func turn(_ frame: ComposableFrame) -> ComposableFrame? {
        guard let (format, pool) = target(frame.format), var buffer = pool.buffer() else { return nil }
        do {
            try buffer.withMutableView(format) { view in
                try frame.buffer.withView(frame.format) {
                    try converter.convert(
                        $0, rotation: orientation.rotation, isMirrored: orientation.isMirrored, to: view)
                }
            }
        } catch {
            log.warning("a frame cannot be turned", metadata: ["error": "\(error)"])
            return nil
        }
        return ComposableFrame(buffer, format)
    }

    private func target(_ source: ComposedFormat) -> (ComposedFormat, FramePool)? {
        if let target, target.source == source.caps { return (target.format, target.pool) }
        guard let format = source.turned(by: orientation), let pool = try? FramePool(format.caps, format.layout) else {
            return nil
        }
        target = (source.caps, format, pool)
        return (format, pool)
    }
}

extension ComposedFormat {
    /// Of frames as they are shown, which can be drawn into.
    fileprivate func turned(by orientation: MovieOrientation) -> ComposedFormat? {
        // Of chroma that has half the columns, a quarter turn leaves half the rows.
        let swaps = orientation.swapsWidthAndHeight
        guard let writable = writable(keepsChroma: !swaps), let first = writable.caps.first else { return nil }
        guard swaps else { return writable }
        var fields = first.fields
        (fields["width"], fields["height"]) = (first["height"], first["width"])
        if let shape = first["pixel-aspect-ratio"]?.fractionValue {
            fields["pixel-aspect-ratio"] = .fraction(Fraction(shape.denominator, shape.numerator))
        }
        return ComposedFormat(Caps(first.name, fields))
    }
}
