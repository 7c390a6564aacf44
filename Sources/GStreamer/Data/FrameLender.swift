import CGStreamer
import Threads

/// Hands frames to an element that copies each before its call returns, but keeps the buffer for long after.
///
/// GStreamer's software encoders do so: x264enc with a long look-ahead keeps sixty frames of which the library has its own
/// copies, 190 MB at 1080p and 750 MB at 4K. Here each gets a buffer that only borrows the frame's bytes, until the next frame
/// comes: by then the call that handed it over has returned, and the frame itself goes back to where it came from.
package final class FrameLender: Sendable {
    private let loan = Locked<FrameLoan?>(nil)

    /// For the frames of one pad, which come one after another.
    package init() {}

    /// Puts a buffer that borrows its bytes in the place of the frame, and asks those of the frame before it back. One that cannot be
    /// read stays as it is.
    package func lend(_ frame: inout Buffer) {
        let next = FrameLoan(frame)
        loan.withLock { loan in
            loan?.end()
            loan = next
        }
        if let lent = next?.buffer() { frame = lent }
    }
}

/// A frame whose bytes are mapped for as long as they are lent.
private final class FrameLoan: Sendable {
    private let lent: Locked<(frame: Buffer, map: GstMapInfo)?>

    /// - Returns: `nil` if the frame cannot be read.
    init?(_ frame: Buffer) {
        var map = GstMapInfo()
        guard gst_buffer_map(frame.pointer, &map, GST_MAP_READ) != 0 else { return nil }
        lent = Locked((frame, map))
    }

    deinit { end() }

    /// Asks the bytes back: nobody can map them from now on. Twice is harmless.
    func end() {
        lent.withLock { lent in
            guard var ended = lent else { return }
            lent = nil
            gst_buffer_unmap(ended.frame.pointer, &ended.map)
        }
    }

    /// A buffer with the frame's times and layout, and its bytes as long as they are lent.
    func buffer() -> Buffer? {
        lent.withLock { lent in
            guard let (frame, map) = lent,
                let memory = LentMemory.make(byteCount: map.size, bytes: { [weak self] in self?.bytes }),
                let buffer = gst_buffer_new()
            else { return nil }
            gst_buffer_append_memory(buffer, memory)
            let kept =
                GST_BUFFER_COPY_FLAGS.rawValue | GST_BUFFER_COPY_META.rawValue | GST_BUFFER_COPY_TIMESTAMPS.rawValue
            gst_buffer_copy_into(buffer, frame.pointer, GstBufferCopyFlags(kept), 0, gsize.max)
            copyLayout(of: frame.pointer, to: buffer)
            return Buffer(adopting: buffer)
        }
    }

    private var bytes: UnsafeMutableRawPointer? {
        lent.withLock { lent in (lent?.map.data).map { UnsafeMutableRawPointer($0) } }
    }
}

/// How a frame's rows lie belongs to its memory, so it is not copied without that.
private func copyLayout(of frame: UnsafeMutablePointer<GstBuffer>, to lent: UnsafeMutablePointer<GstBuffer>) {
    guard let layout = gst_buffer_get_video_meta(frame)?.pointee, gst_buffer_get_video_meta(lent) == nil else { return }
    var (offset, stride) = (layout.offset, layout.stride)
    // Tuples of four to Swift, arrays to C.
    withUnsafeMutableBytes(of: &offset) { offset in
        withUnsafeMutableBytes(of: &stride) { stride in
            _ = gst_buffer_add_video_meta_full(
                lent, layout.flags, layout.format, layout.width, layout.height, layout.n_planes,
                offset.assumingMemoryBound(to: gsize.self).baseAddress,
                stride.assumingMemoryBound(to: gint.self).baseAddress)
        }
    }
}
