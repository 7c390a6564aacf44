import CGStreamer
import MediaTypes

/// Buffers for frames that are made, which come back when nobody holds them any more.
package final class FramePool: @unchecked Sendable {
    // @unchecked Sendable: pools lock for themselves.
    private let pool: UnsafeMutablePointer<GstBufferPool>
    private let layout: VideoFrameLayout

    /// - Throws: ``GStreamerError`` if there is no such frame.
    package init(_ caps: Caps, _ layout: VideoFrameLayout) throws(GStreamerError) {
        let refusal = GStreamerError(
            element: "pool", message: "there is not enough memory for frames of \(layout.size)")
        guard let pool = gst_video_buffer_pool_new() else { throw refusal }
        (self.pool, self.layout) = (pool, layout)
        guard let configuration = gst_buffer_pool_get_config(pool) else { throw refusal }
        gst_buffer_pool_config_set_params(configuration, caps.pointer, guint(layout.byteCount), 0, 0)
        guard gst_buffer_pool_set_config(pool, configuration) != 0, gst_buffer_pool_set_active(pool, 1) != 0 else {
            throw refusal
        }
    }

    deinit {
        // Buffers that are out are freed as they come back.
        gst_buffer_pool_set_active(pool, 0)
        gst_object_unref(pool)
    }

    /// A buffer with undefined bytes; `nil` where there is no memory.
    package func buffer() -> Buffer? {
        var buffer: UnsafeMutablePointer<GstBuffer>?
        guard gst_buffer_pool_acquire_buffer(pool, &buffer, nil) == GST_FLOW_OK else { return nil }
        return buffer.map { Buffer(adopting: $0) }
    }

    /// Makes a frame one that can be drawn into: where others hold it too, a copy in a buffer of this pool, so that they never see the change.
    /// New memory would have to be cleared by the system first, which takes longer than the copy.
    ///
    /// - Parameter frame: of this pool's size and format, however its rows are padded.
    /// - Throws: ``GStreamerError`` without memory, or where the frame is another one.
    package func makeWritable(_ frame: inout Buffer) throws(GStreamerError) {
        guard !frame.isAlone else { return }
        guard let copy = buffer() else { throw GStreamerError(element: "pool", message: "out of memory") }
        let kept = GST_BUFFER_COPY_FLAGS.rawValue | GST_BUFFER_COPY_META.rawValue | GST_BUFFER_COPY_TIMESTAMPS.rawValue
        gst_buffer_copy_into(copy.pointer, frame.pointer, GstBufferCopyFlags(kept), 0, gsize.max)
        // How the other frame's rows lie came with it; here they lie as the caps say.
        while let rows = gst_buffer_get_video_meta(copy.pointer) {
            gst_buffer_remove_meta(copy.pointer, UnsafeMutableRawPointer(rows).assumingMemoryBound(to: GstMeta.self))
        }
        guard copy.copyRows(of: frame, layout) else {
            throw GStreamerError(element: "pool", message: "it is not a frame of \(layout.size) as \(layout.format)")
        }
        frame = copy
    }
}

extension Buffer {
    /// False where one of both is another frame, or cannot be mapped.
    fileprivate func copyRows(of frame: Buffer, _ layout: VideoFrameLayout) -> Bool {
        var (source, target, info) = (GstVideoFrame(), GstVideoFrame(), layout.info)
        guard gst_video_frame_map(&source, &info, frame.pointer, GST_MAP_READ) != 0 else { return false }
        defer { gst_video_frame_unmap(&source) }
        guard gst_video_frame_map(&target, &info, pointer, GST_MAP_WRITE) != 0 else { return false }
        defer { gst_video_frame_unmap(&target) }
        return gst_video_frame_copy(&target, &source) != 0
    }
}
