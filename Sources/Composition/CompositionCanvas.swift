import GStreamer
import Imaging
import Logging
import MediaTypes

/// Draws composed frames, of the size and colours of the first main one.
final class CompositionCanvas {
    let format: ComposedFormat
    private let pool: FramePool
    private let composer = FrameComposer()
    private var hasFailed = false

    /// `nil` where there is not enough memory for such frames.
    ///
    /// - Parameter keepsChroma: see ``ComposedFormat/writable(keepsChroma:)``.
    init?(like main: ComposedFormat, keepsChroma: Bool) {
        guard let format = main.writable(keepsChroma: keepsChroma),
            let pool = try? FramePool(format.caps, format.layout)
        else { return nil }
        (self.format, self.pool) = (format, pool)
    }

    /// - Parameters:
    ///   - frames: each feed's, `nil` where it has none; where nobody else holds the driver's, it is drawn into.
    ///   - driver: the feed whose buffer says when the frame is shown and what belongs to it.
    ///   - placements: from the back to the front.
    /// - Returns: `nil` if there is nothing to draw, or no memory.
    func draw(_ frames: consuming [ComposableFrame?], driver: Int, at placements: [FeedPlacement]) -> Buffer? {
        do {
            // What hides all behind it must be there: else what a buffer of the pool held before would show through.
            let shown = placements.filter { frames[$0.feed] != nil }
            var (buffer, rest) = try base(&frames, driver, shown[...])
            guard !rest.isEmpty else { return buffer }
            try pool.makeWritable(&buffer)
            try buffer.withMutableView(format) { view in
                while let placement = rest.popFirst() {
                    guard let frame = frames[placement.feed] else { continue }
                    try frame.buffer.withView(frame.format) {
                        try composer.draw($0, at: placement, into: view)
                    }
                }
            }
            return buffer
        } catch {
            if !hasFailed { log.warning("frames cannot be composed", metadata: ["error": "\(error)"]) }
            hasFailed = true
            return nil
        }
    }

    /// What is drawn into, and what is still to be drawn: a frame that is the whole output as it is, or a black one.
    private func base(
        _ frames: inout [ComposableFrame?], _ driver: Int, _ placements: ArraySlice<FeedPlacement>
    ) throws -> (Buffer, ArraySlice<FeedPlacement>) {
        let size = format.image.size
        // What is behind a frame that hides all need not be drawn.
        var rest = placements
        if let last = rest.lastIndex(where: { $0.hidesAll(of: size) }) { rest = rest[last...] }
        if let first = rest.first, first.feed == driver, let frame = frames[first.feed],
            frame.format.image == format.image, first.isWholeOutput(size, frame: frame.format.image.size),
            // In a swap the main frame is drawn at its new place too, before it leaves the old one.
            !rest.dropFirst().contains(where: { $0.feed == first.feed })
        {
            // Alone with its buffer, it need not be copied.
            frames[first.feed] = nil
            return (frame.buffer, rest.dropFirst())
        }
        guard var buffer = pool.buffer() else { throw GStreamerError(element: "pool", message: "out of memory") }
        if rest.first?.hidesAll(of: size) != true {
            try buffer.withMutableView(format) { try composer.fill(of: $0) }
        }
        return (buffer, rest)
    }
}
