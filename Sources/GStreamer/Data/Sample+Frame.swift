import CGStreamer
package import MediaTypes

extension Sample {
    /// A raw frame as a JPEG of the stated width, in pixels, and the height that belongs to it. Blocks for as long as a
    /// conversion takes, at most a second.
    ///
    /// - Throws: ``GStreamerError`` if it is no frame or cannot be converted.
    package func jpeg(width: Int) throws(GStreamerError) -> Buffer {
        try image(Caps("image/jpeg", try size(width: width)), within: .seconds(1))
    }

    /// A raw frame in another format, 'I420' say, of the stated width, in pixels, and the even height that belongs to it. Blocks for as
    /// long as that takes, at most a second.
    ///
    /// - Throws: ``GStreamerError`` if it is no frame or cannot be converted.
    package func converted(to format: String, width: Int) throws(GStreamerError) -> Sample {
        var fields = try size(width: width)
        if let height = fields["height"]?.intValue { fields["height"] = .int(Int64(max(2, height & ~1))) }
        return try sample(
            Caps("video/x-raw", fields.merging(["format": .string(format)]) { $1 }), within: .seconds(1))
    }

    /// Of square pixels.
    private func size(width: Int) throws(GStreamerError) -> [String: FieldValue] {
        guard let format = caps?.first, let own = format["width"]?.intValue, own > 0,
            let height = format["height"]?.intValue
        else { throw GStreamerError(element: "thumbnail", message: "it is not a frame") }
        let shape = format["pixel-aspect-ratio"]?.fractionValue?.doubleValue ?? 1
        let scaled = max(2, Int((Double(height * width) / (Double(own) * (shape > 0 ? shape : 1))).rounded()))
        return [
            "width": .int(Int64(width)), "height": .int(Int64(scaled)), "pixel-aspect-ratio": .fraction(Fraction(1)),
        ]
    }

    /// A raw frame as a PNG of its own size. Blocks for as long as that takes, at most a minute.
    ///
    /// - Throws: ``GStreamerError`` if it is no frame or cannot be converted.
    package func png() throws(GStreamerError) -> Buffer { try image(Caps("image/png", [:]), within: .seconds(60)) }

    /// A raw frame as a WebP of its own size. Blocks for as long as that takes, at most a minute.
    ///
    /// - Throws: ``GStreamerError`` if it is no frame or cannot be converted.
    package func webp() throws(GStreamerError) -> Buffer { try image(Caps("image/webp", [:]), within: .seconds(60)) }

    /// A raw frame of another size, in square pixels. Blocks for as long as that takes, at most ten seconds.
    ///
    /// - Throws: ``GStreamerError`` if it is no frame or cannot be converted.
    package func scaled(to size: VideoSize) throws(GStreamerError) -> Sample {
        try sample(
            Caps(
                "video/x-raw",
                [
                    "width": .int(Int64(size.width)), "height": .int(Int64(size.height)),
                    "pixel-aspect-ratio": .fraction(Fraction(1)),
                ]), within: .seconds(10))
    }

    /// A raw frame in another format, 'I420' say, of its own size. Blocks for as long as that takes, at most ten seconds.
    ///
    /// - Throws: ``GStreamerError`` if it is no frame or cannot be converted.
    package func converted(to format: String) throws(GStreamerError) -> Sample {
        try sample(Caps("video/x-raw", ["format": .string(format)]), within: .seconds(10))
    }

    private func image(_ wanted: Caps, within limit: Duration) throws(GStreamerError) -> Buffer {
        guard let buffer = try sample(wanted, within: limit).buffer else {
            throw GStreamerError(element: "image", message: "it is empty")
        }
        return buffer
    }

    private func sample(_ wanted: Caps, within limit: Duration) throws(GStreamerError) -> Sample {
        var failure: UnsafeMutablePointer<GError>?
        let time = GstClockTime(waiting: limit)
        guard let sample = gst_video_convert_sample(pointer, wanted.pointer, time, &failure) else {
            throw GStreamerError(adopting: failure, element: "image")
        }
        return Sample(adopting: sample)
    }
}
