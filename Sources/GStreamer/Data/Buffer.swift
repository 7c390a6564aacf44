import CGStreamer

/// A piece of a stream: bytes with a presentation timestamp and a duration, in nanoseconds.
package struct Buffer: Sendable {
    private(set) var reference: MiniObjectReference

    init(adopting buffer: UnsafeMutablePointer<GstBuffer>) { reference = MiniObjectReference(adopting: buffer) }
    init(retaining buffer: UnsafeMutablePointer<GstBuffer>) { reference = MiniObjectReference(retaining: buffer) }

    /// A buffer with a copy of the bytes.
    package init(copying bytes: UnsafeRawBufferPointer, presentationTime: MediaTime?, duration: MediaTime?) {
        GStreamerLibrary.start()
        // No bytes make no memory: GLib copies them to a null pointer, which GStreamer refuses.
        let buffer: UnsafeMutablePointer<GstBuffer> =
            bytes.isEmpty ? gst_buffer_new() : gst_buffer_new_memdup(bytes.baseAddress, gsize(bytes.count))
        buffer.pointee.pts = presentationTime.clockTime
        buffer.pointee.duration = duration.clockTime
        self.init(adopting: buffer)
    }

    var pointer: UnsafeMutablePointer<GstBuffer> { reference.cast() }

    /// `nil` where the stream has none.
    package var presentationTime: MediaTime? { MediaTime(clockTime: pointer.pointee.pts) }
    /// `nil` where the stream has none.
    package var decodeTime: MediaTime? { MediaTime(clockTime: pointer.pointee.dts) }
    /// `nil` where the stream has none.
    package var duration: MediaTime? { MediaTime(clockTime: pointer.pointee.duration) }
    /// Where its bytes belong in a file; `nil` where the stream does not say so.
    package var offset: UInt64? { pointer.pointee.offset == .max ? nil : UInt64(pointer.pointee.offset) }
    /// Of all its memory.
    package var byteCount: Int { Int(gst_buffer_get_size(pointer)) }
    /// Whether the frame can be decoded by itself: the delta-unit flag is not set.
    package var isKeyFrame: Bool { rushes_buffer_has_flag(pointer, GST_BUFFER_FLAG_DELTA_UNIT.rawValue) == 0 }
    /// Whether it says that it is a raw frame of two fields.
    package var isInterlaced: Bool { rushes_buffer_has_flag(pointer, GST_VIDEO_BUFFER_FLAG_INTERLACED.rawValue) != 0 }
    /// Whether it says that it is a raw frame of which the upper field comes first.
    package var isTopFieldFirst: Bool { rushes_buffer_has_flag(pointer, GST_VIDEO_BUFFER_FLAG_TFF.rawValue) != 0 }
    /// Samples at the end of an encoded packet that are not presented, as demuxers tell them.
    package var samplesCutOff: Int {
        guard let meta = gst_buffer_get_meta(pointer, gst_audio_clipping_meta_api_get_type()) else { return 0 }
        let clipping = UnsafeRawPointer(meta).assumingMemoryBound(to: GstAudioClippingMeta.self).pointee
        return clipping.format == GST_FORMAT_DEFAULT ? Int(clamping: clipping.end) : 0
    }
    /// Whether data is missing before this buffer.
    package var isDiscontinuity: Bool { rushes_buffer_has_flag(pointer, GST_BUFFER_FLAG_DISCONT.rawValue) != 0 }

    /// The same frame, said to consist of two fields.
    package func interlaced(topFieldFirst: Bool) -> Buffer {
        let copy: UnsafeMutablePointer<GstBuffer> = gst_buffer_copy(pointer)
        copy.pointee.mini_object.flags |= GST_VIDEO_BUFFER_FLAG_INTERLACED.rawValue
        if topFieldFirst { copy.pointee.mini_object.flags |= GST_VIDEO_BUFFER_FLAG_TFF.rawValue }
        return Buffer(adopting: copy)
    }

    /// The same bytes, shared and not copied, at another time. A pooled buffer stays out of its pool until this one goes.
    package func retimed(presentationTime: MediaTime, duration: MediaTime?) -> Buffer {
        let copy: UnsafeMutablePointer<GstBuffer> = gst_buffer_copy(pointer)
        copy.pointee.pts = Optional(presentationTime).clockTime
        copy.pointee.dts = .max
        copy.pointee.duration = duration.clockTime
        return Buffer(adopting: copy)
    }

    /// The same with bytes of its own, so that a pooled buffer's go back to their pool; itself where they cannot be copied.
    package func copied() -> Buffer { gst_buffer_copy_deep(pointer).map { Buffer(adopting: $0) } ?? self }

    /// The same encoded bytes at other times.
    package func retimed(
        presentationTime: MediaTime?, decodeTime: MediaTime?, duration: MediaTime?
    ) -> Buffer {
        let copy: UnsafeMutablePointer<GstBuffer> = gst_buffer_copy(pointer)
        copy.pointee.pts = presentationTime.clockTime
        copy.pointee.dts = decodeTime.clockTime
        copy.pointee.duration = duration.clockTime
        return Buffer(adopting: copy)
    }

    /// The same encoded bytes, of a frame that others before it are needed for.
    package func asDeltaUnit() -> Buffer {
        let copy: UnsafeMutablePointer<GstBuffer> = gst_buffer_copy(pointer)
        copy.pointee.mini_object.flags |= GST_BUFFER_FLAG_DELTA_UNIT.rawValue
        return Buffer(adopting: copy)
    }

    /// A part of the bytes, shared and not copied, at another time.
    package func part(_ range: Range<Int>, presentationTime: MediaTime, duration: MediaTime?) -> Buffer? {
        let range = range.clamped(to: 0..<byteCount)
        let kept = GST_BUFFER_COPY_FLAGS.rawValue | GST_BUFFER_COPY_META.rawValue | GST_BUFFER_COPY_MEMORY.rawValue
        guard
            let copy = gst_buffer_copy_region(
                pointer, GstBufferCopyFlags(kept), gsize(range.lowerBound), gsize(range.count))
        else { return nil }
        copy.pointee.pts = Optional(presentationTime).clockTime
        copy.pointee.dts = .max
        copy.pointee.duration = duration.clockTime
        return Buffer(adopting: copy)
    }

    /// Other bytes with the same times and flags.
    package func replacingBytes(with bytes: [UInt8]) -> Buffer {
        let new = bytes.withUnsafeBytes { Buffer(copying: $0, presentationTime: nil, duration: nil) }
        let kept = GST_BUFFER_COPY_FLAGS.rawValue | GST_BUFFER_COPY_TIMESTAMPS.rawValue | GST_BUFFER_COPY_META.rawValue
        gst_buffer_copy_into(new.pointer, pointer, GstBufferCopyFlags(kept), 0, gsize.max)
        return new
    }

    /// Lends the bytes to the closure.
    ///
    /// - Throws: ``GStreamerError`` if the memory cannot be mapped for reading, and what the closure throws.
    package func withBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) throws -> Result {
        var map = GstMapInfo()
        guard gst_buffer_map(pointer, &map, GST_MAP_READ) != 0 else {
            throw GStreamerError(element: "buffer", message: "its memory cannot be read")
        }
        defer { gst_buffer_unmap(pointer, &map) }
        return try body(UnsafeRawBufferPointer(start: map.data, count: Int(map.size)))
    }

    /// Lends the bytes for writing; a buffer that others hold too is copied first, so that they never see the change.
    ///
    /// - Throws: ``GStreamerError`` if the memory cannot be mapped or copied, and what the closure throws.
    package mutating func withMutableBytes<Result>(
        _ body: (UnsafeMutableRawBufferPointer) throws -> Result
    ) throws -> Result {
        try makeWritable()
        var map = GstMapInfo()
        guard gst_buffer_map(pointer, &map, GST_MAP_WRITE) != 0 else { throw Self.isReadOnly }
        defer { gst_buffer_unmap(pointer, &map) }
        return try body(UnsafeMutableRawBufferPointer(start: map.data, count: Int(map.size)))
    }

    /// Copies a buffer that others hold too.
    mutating func makeWritable() throws(GStreamerError) {
        guard !isAlone else { return }
        guard let copy = gst_buffer_copy_deep(pointer) else { throw Self.isReadOnly }
        self = Buffer(adopting: copy)
    }

    private static var isReadOnly: GStreamerError {
        GStreamerError(element: "buffer", message: "its memory cannot be written")
    }

    /// Three counts matter: copies of this struct share the Swift object, GStreamer's holders share the buffer, and
    /// other buffers share its memory.
    var isAlone: Bool {
        mutating get {
            isKnownUniquelyReferenced(&reference) && reference.isWritable
                && gst_buffer_is_all_memory_writable(pointer) != 0
        }
    }
}
