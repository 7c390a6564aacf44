import CGStreamer

/// GStreamer memory whose bytes are somebody else's and may be asked back: who maps it later is refused, as where memory is short.
enum LentMemory {
    typealias Bytes = @Sendable () -> UnsafeMutableRawPointer?

    /// - Parameter bytes: where they are; `nil` once they are not lent any more.
    /// - Returns: memory to read, which is not shared and only copied as a whole; `nil` if GStreamer has no room for it.
    static func make(byteCount: gsize, bytes: @escaping Bytes) -> UnsafeMutablePointer<GstMemory>? {
        guard let allocator = allocator?.cast(to: GstAllocator.self),
            let memory = g_malloc0(gsize(MemoryLayout<GstMemory>.size))?.assumingMemoryBound(to: GstMemory.self)
        else { return nil }
        let flags = GST_MEMORY_FLAG_READONLY.rawValue | GST_MEMORY_FLAG_NO_SHARE.rawValue
        gst_memory_init(memory, GstMemoryFlags(flags), allocator, nil, byteCount, 0, 0, byteCount)
        let object = UnsafeMutableRawPointer(memory).assumingMemoryBound(to: GstMiniObject.self)
        gst_mini_object_set_qdata(object, lender, ClosureBox(bytes).retained(), releaseClosureBox)
        return memory
    }

    private static let lender = g_quark_from_string("rushes-lender")

    /// One for all: what differs is with each memory.
    private static let allocator: ObjectReference? = {
        var info = GTypeInfo()
        info.class_size = guint16(MemoryLayout<GstAllocatorClass>.size)
        info.instance_size = guint16(MemoryLayout<GstAllocator>.size)
        info.class_init = { type, _ in
            type?.assumingMemoryBound(to: GstAllocatorClass.self).pointee.free = { _, memory in g_free(memory) }
        }
        let type = g_type_register_static(gst_allocator_get_type(), "Rushes-lent-memory", &info, GTypeFlags(0))
        guard type != 0, let object = g_object_new_with_properties(type, 0, nil, nil) else { return nil }
        let reference = ObjectReference(sinking: UnsafeMutableRawPointer(object))
        let allocator = reference.cast(to: GstAllocator.self)
        // Nobody asks it for memory of a size.
        allocator.pointee.object.flags |= GST_ALLOCATOR_FLAG_CUSTOM_ALLOC.rawValue
        allocator.pointee.mem_map = { memory, _, _ in
            let object = UnsafeMutableRawPointer(memory)?.assumingMemoryBound(to: GstMiniObject.self)
            return ClosureBox<Bytes>.body(gst_mini_object_get_qdata(object, LentMemory.lender))?()
        }
        allocator.pointee.mem_unmap = { _ in }
        return reference
    }()
}
