import CGStreamer
import Threads

/// Hands frames to an element that copies each before its call returns, but keeps the buffer for long after.
///
/// GStreamer's software encoders do so: x264enc with a long look-ahead keeps sixty frames of which the library has its own
/// copies, 190 MB at 1080p and 750 MB at 4K. Here all of them share the room of one: a frame's bytes are there until the
/// call that hands it over returns, which is before the next one is put in their place.
package final class SharedFrameBuffer: Sendable {
    private let room = Locked<Room?>(nil)

    /// For the frames of one pad, which come one after another.
    package init() {}

    /// Puts the frame's bytes into the shared room. One that cannot be read stays as it is.
    package func replace(_ frame: inout Buffer) {
        let size = frame.byteCount
        guard size > 0 else { return }
        room.withLock { room in
            let place = room.flatMap { $0.bytes.count == size ? $0 : nil } ?? Room(size)
            guard let lent = place.lend(frame) else { return }
            room = place
            frame = lent
        }
    }
}

/// Memory that lives as long as a buffer borrows it. `@unchecked Sendable` because the loan's lock keeps writers apart, and
/// who reads has ended before.
private final class Room: @unchecked Sendable {
    let bytes: UnsafeMutableRawBufferPointer

    /// Aligned as encoders' vector instructions like it.
    init(_ size: Int) { bytes = .allocate(byteCount: size, alignment: 64) }
    deinit { bytes.deallocate() }

    /// The frame with its times and its layout, its bytes in here; `nil` if they cannot be read.
    func lend(_ frame: Buffer) -> Buffer? {
        guard gst_buffer_extract(frame.pointer, 0, bytes.baseAddress, gsize(bytes.count)) == bytes.count,
            let lent = gst_buffer_new_wrapped_full(
                GST_MEMORY_FLAG_READONLY, bytes.baseAddress, gsize(bytes.count), 0, gsize(bytes.count),
                Unmanaged.passRetained(self).toOpaque(), { $0.map { Unmanaged<Room>.fromOpaque($0).release() } })
        else { return nil }
        let kept = GST_BUFFER_COPY_FLAGS.rawValue | GST_BUFFER_COPY_META.rawValue | GST_BUFFER_COPY_TIMESTAMPS.rawValue
        gst_buffer_copy_into(lent, frame.pointer, GstBufferCopyFlags(kept), 0, gsize.max)
        // It belongs to the memory, so it is not copied without that; the bytes lie as they lay.
        if let layout = gst_buffer_get_video_meta(frame.pointer)?.pointee, gst_buffer_get_video_meta(lent) == nil {
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
        return Buffer(adopting: lent)
    }
}
