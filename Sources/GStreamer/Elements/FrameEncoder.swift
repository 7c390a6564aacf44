import CGStreamer

/// An encoder written in Swift, for ``EncoderElement``: frames in, each coded by itself and without delay.
package protocol FrameEncoder: AnyObject {
    /// What leaves the encoder, such as "video/x-prores,variant=hq"; size and rate are added.
    var output: Caps { get }

    /// Codes one frame; on the pipeline's streaming thread, never two at a time.
    ///
    /// - Throws: what ends the pipeline, as the element's error.
    func encode(_ frame: borrowing RawFrame) throws -> [UInt8]
}

/// A raw frame, lent for as long as it is being coded.
package struct RawFrame: ~Copyable {
    /// Bytes of a plane, from its first row on.
    package struct Plane {
        /// Where they begin; lent as long as the frame is.
        package let bytes: UnsafeRawPointer
        /// Bytes from one row to the next.
        package let stride: Int
        /// Samples.
        package let width: Int
        /// Rows.
        package let height: Int
    }

    /// In the format's order: luma first, or the colours.
    package let planes: [Plane]
    private var frame: GstVideoFrame

    /// Whether it is two fields, of two moments, and which of them is shown first; nil: it is one image.
    package var isTopFieldFirst: Bool? {
        let flags = frame.flags.rawValue
        guard flags & GST_VIDEO_FRAME_FLAG_INTERLACED.rawValue != 0 else { return nil }
        return flags & GST_VIDEO_FRAME_FLAG_TFF.rawValue != 0
    }

    /// - Returns: `nil` if the memory cannot be read.
    init?(_ buffer: UnsafeMutablePointer<GstBuffer>, _ info: UnsafePointer<GstVideoInfo>) {
        var frame = GstVideoFrame()
        guard gst_video_frame_map(&frame, info, buffer, GST_MAP_READ) != 0 else { return nil }
        self.frame = frame
        planes = GStreamer.planes(of: &frame)
    }

    deinit {
        var frame = frame
        gst_video_frame_unmap(&frame)
    }
}

/// The planes of a planar format, where each component has one of its own.
private func planes(of frame: inout GstVideoFrame) -> [RawFrame.Plane] {
    (0..<rushes_frame_planes(&frame)).compactMap { index in
        guard let bytes = rushes_frame_plane(&frame, index) else { return nil }
        return RawFrame.Plane(
            bytes: UnsafeRawPointer(bytes), stride: Int(rushes_frame_stride(&frame, index)),
            width: Int(rushes_frame_width(&frame, index)), height: Int(rushes_frame_height(&frame, index)))
    }
}
