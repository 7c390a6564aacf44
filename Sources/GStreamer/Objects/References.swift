import CGStreamer

/// One counted reference to a GObject: with ``MiniObjectReference`` the only place where this target promises the
/// compiler what it cannot see.
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

    /// Takes over a reference that is floating, as GStreamer's constructors return it, or already the caller's own.
    ///
    /// Sinking one that does not float would add a second reference, which nobody would ever give back.
    init(sinking pointer: UnsafeMutableRawPointer) {
        self.pointer = pointer
        if g_object_is_floating(pointer) != 0 { g_object_ref_sink(pointer) }
    }

    deinit { g_object_unref(pointer) }

    /// The object as the C type; which type it has is the owner's knowledge.
    func cast<CType>(to type: CType.Type = CType.self) -> UnsafeMutablePointer<CType> {
        pointer.assumingMemoryBound(to: type)
    }
}

/// One counted reference to a GstMiniObject: caps, buffer, sample.
///
/// `@unchecked Sendable` because mini objects count atomically, and one that several hold is never written to.
final class MiniObjectReference: @unchecked Sendable {
    let pointer: UnsafeMutableRawPointer

    /// Takes over a reference that the caller owns ("transfer full").
    init(adopting pointer: UnsafeMutableRawPointer) { self.pointer = pointer }

    /// Adds a reference to one that the caller only borrows ("transfer none").
    init(retaining pointer: UnsafeMutableRawPointer) {
        self.pointer = pointer
        gst_mini_object_ref(cast())
    }

    deinit { gst_mini_object_unref(cast()) }

    /// The object as the C type; which type it has is the owner's knowledge.
    func cast<CType>(to type: CType.Type = CType.self) -> UnsafeMutablePointer<CType> {
        pointer.assumingMemoryBound(to: type)
    }

    /// The object with one more reference, for a call that takes one over.
    func retained<CType>(as type: CType.Type = CType.self) -> UnsafeMutablePointer<CType> {
        gst_mini_object_ref(cast())
        return cast()
    }

    /// Whether nobody else in C holds it. Whoever asks must know that it is alone with this Swift object, too.
    var isWritable: Bool { gst_mini_object_is_writable(cast()) != 0 }
}
