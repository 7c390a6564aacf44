package import GStreamer
package import MediaTypes

/// A small JPEG of a raw frame, for those who watch the work from elsewhere.
package enum FrameThumbnail {
    /// Pixels: what a phone shows beside a progress bar, doubled.
    private static let width = 320

    /// Blocks for as long as a conversion takes, at most some seconds.
    ///
    /// - Parameter orientation: how a player shows the frame, and so does the image.
    /// - Throws: ``GStreamerError`` if it is no frame or cannot be converted.
    package static func jpeg(of sample: Sample, _ orientation: MovieOrientation) throws(GStreamerError) -> Buffer {
        guard let turner = FrameTurner(orientation) else { return try sample.jpeg(width: width) }
        let small = try sample.converted(to: "I420", width: width)
        guard let buffer = small.buffer, let format = small.caps.flatMap({ ComposedFormat($0) }),
            let upright = turner.turn(ComposableFrame(buffer, format))
        else { throw GStreamerError(element: "thumbnail", message: "it cannot be turned") }
        return try Sample(upright.buffer, upright.format.caps).jpeg(width: upright.format.layout.size.width)
    }
}
