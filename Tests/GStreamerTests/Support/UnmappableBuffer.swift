import CGStreamer

@testable import GStreamer

/// A buffer whose memory cannot be mapped, as a graphics card's may be.
enum UnmappableBuffer {
    static func make() -> Buffer? {
        GStreamerLibrary.start()
        guard let buffer = gst_buffer_new(), let allocator = g_object_new_with_properties(type, 0, nil, nil) else {
            return nil
        }
        gst_object_ref_sink(allocator)
        defer { gst_object_unref(allocator) }
        gst_buffer_append_memory(
            buffer,
            gst_allocator_alloc(UnsafeMutableRawPointer(allocator).assumingMemoryBound(to: GstAllocator.self), 16, nil))
        return Buffer(adopting: buffer)
    }

    private static let type = g_type_register_static_simple(
        gst_allocator_get_type(), "RushesTestAllocator", guint(MemoryLayout<GstAllocatorClass>.size),
        { type, _ in
            let allocator = type?.assumingMemoryBound(to: GstAllocatorClass.self)
            allocator?.pointee.alloc = { allocator, size, _ in
                let memory = g_malloc0(gsize(MemoryLayout<GstMemory>.size))?.assumingMemoryBound(to: GstMemory.self)
                gst_memory_init(memory, GstMemoryFlags(rawValue: 0), allocator, nil, size, 0, 0, size)
                return memory
            }
            allocator?.pointee.free = { _, memory in g_free(memory) }
        }, guint(MemoryLayout<GstAllocator>.size),
        { instance, _ in
            let allocator = instance.map { UnsafeMutableRawPointer($0).assumingMemoryBound(to: GstAllocator.self) }
            allocator?.pointee.mem_type = nil
            allocator?.pointee.mem_map = { _, _, _ in nil }
            allocator?.pointee.mem_unmap = { _ in }
            allocator?.pointee.mem_copy = { _, _, _ in nil }
        }, GTypeFlags(rawValue: 0))
}
