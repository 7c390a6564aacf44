import CGStreamer

/// One counted reference to a GObject: the single place where this target promises the compiler what it cannot see.
///
/// `@unchecked Sendable` because GObject counts atomically and GStreamer's elements, pads and buses lock themselves.
final class ObjectReference: @unchecked Sendable {
    let pointer: UnsafeMutableRawPointer

    /// Takes over a reference that the caller owns ("transfer full").
    init(adopting pointer: UnsafeMutableRawPointer) { self.pointer = pointer }

    /// Adds a reference to one that the caller only borrows ("transfer none").
    init(retaining pointer: UnsafeMutableRawPointer) {
        self.pointer = pointer
        g_object_ref(pointer)
    }

    /// Takes over a floating reference, as GStreamer's constructors return it.
    init(sinking pointer: UnsafeMutableRawPointer) {
        self.pointer = pointer
        g_object_ref_sink(pointer)
    }

    deinit { g_object_unref(pointer) }

    /// The object as the C type; which type it has is the owner's knowledge.
    func cast<CType>(to type: CType.Type = CType.self) -> UnsafeMutablePointer<CType> {
        pointer.assumingMemoryBound(to: type)
    }
}

/// One counted reference to a GstMiniObject (caps, buffer, sample, event), which counts atomically too.
final class MiniObjectReference: @unchecked Sendable {
    let pointer: UnsafeMutableRawPointer

    init(adopting pointer: UnsafeMutableRawPointer) { self.pointer = pointer }

    init(retaining pointer: UnsafeMutableRawPointer) {
        self.pointer = pointer
        gst_mini_object_ref(pointer.assumingMemoryBound(to: GstMiniObject.self))
    }

    deinit { gst_mini_object_unref(pointer.assumingMemoryBound(to: GstMiniObject.self)) }

    func cast<CType>(to type: CType.Type = CType.self) -> UnsafeMutablePointer<CType> {
        pointer.assumingMemoryBound(to: type)
    }
}

/// Takes over a string that the caller must free.
func takenString(_ pointer: UnsafeMutablePointer<gchar>?) -> String? {
    guard let pointer else { return nil }
    defer { g_free(pointer) }
    return String(cString: pointer)
}

/// Copies a string that someone else owns.
func copiedString(_ pointer: UnsafePointer<gchar>?) -> String? {
    pointer.map { String(cString: $0) }
}
