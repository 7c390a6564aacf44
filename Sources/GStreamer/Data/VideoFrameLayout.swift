import CGStreamer
package import MediaTypes

/// How the planes of raw frames lie in their buffers.
///
/// `@unchecked Sendable` because the C structure points only to GStreamer's constant tables of formats.
package struct VideoFrameLayout: @unchecked Sendable {
    private(set) var info = GstVideoInfo()

    /// What caps say of their frames; `nil` if they are not fixed raw video.
    package init?(_ caps: Caps) {
        GStreamerLibrary.start()
        guard caps.isFixed, gst_video_info_from_caps(&info, caps.pointer) != 0 else { return nil }
    }

    /// Whether frames of a raw format say how opaque they are, by GStreamer's name of it.
    package static func hasAlpha(_ format: String) -> Bool {
        let info = gst_video_format_get_info(gst_video_format_from_string(format))
        return info.map { $0.pointee.flags.rawValue & GST_VIDEO_FORMAT_FLAG_ALPHA.rawValue != 0 } ?? false
    }

    /// Bits of a sample of a raw format, by GStreamer's name of it; 0 where there is none of that name.
    package static func bitDepth(_ format: String) -> Int {
        gst_video_format_get_info(gst_video_format_from_string(format)).map { Int($0.pointee.depth.0) } ?? 0
    }

    /// The format's name in GStreamer, such as "I420".
    package var format: String { info.finfo?.pointee.name.map { String(cString: $0) } ?? "" }
    package var size: VideoSize { VideoSize(Int(info.width), Int(info.height)) }
    /// Of a frame without padding of its own.
    package var byteCount: Int { Int(info.size) }
}

/// The rows of one plane of a frame.
package struct FramePlane {
    package let base: UnsafeMutableRawPointer
    /// Bytes from one row to the next.
    package let bytesPerRow: Int
}

extension Buffer {
    /// Lends the planes of a raw frame to be read, as the buffer's own description has them where there is one.
    ///
    /// - Throws: ``GStreamerError`` if the memory cannot be mapped or is too small, and what the closure throws.
    package func withPlanes<Result>(
        _ layout: VideoFrameLayout, _ body: ([FramePlane]) throws -> Result
    ) throws -> Result {
        try map(layout, GST_MAP_READ.rawValue, body)
    }

    /// Lends them to be written; a buffer that others hold too is copied first, so that they never see the change.
    ///
    /// - Throws: ``GStreamerError`` if the memory cannot be mapped or copied, and what the closure throws.
    package mutating func withMutablePlanes<Result>(
        _ layout: VideoFrameLayout, _ body: ([FramePlane]) throws -> Result
    ) throws -> Result {
        try makeWritable()
        return try map(layout, GST_MAP_READ.rawValue | GST_MAP_WRITE.rawValue, body)
    }

    private func map<Result>(
        _ layout: VideoFrameLayout, _ flags: UInt32, _ body: ([FramePlane]) throws -> Result
    ) throws -> Result {
        var (frame, info) = (GstVideoFrame(), layout.info)
        let flags = GstMapFlags(flags | GST_VIDEO_FRAME_MAP_FLAG_NO_REF.rawValue)
        guard gst_video_frame_map(&frame, &info, pointer, flags) != 0 else {
            throw GStreamerError(element: "buffer", message: "it is not a frame of \(layout.size) as \(layout.format)")
        }
        defer { gst_video_frame_unmap(&frame) }
        let (data, strides) = (frame.data, frame.info.stride)
        let planes = zip(
            [data.0, data.1, data.2, data.3], [strides.0, strides.1, strides.2, strides.3])
        return try body(
            planes.prefix(Int(layout.info.finfo?.pointee.n_planes ?? 0)).compactMap { base, stride in
                base.map { FramePlane(base: $0, bytesPerRow: Int(stride)) }
            })
    }
}
