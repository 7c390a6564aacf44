import CGStreamer

/// A buffer together with its caps and the segment that says what its timestamps mean.
public struct Sample: Sendable {
    let reference: MiniObjectReference

    // GstSample's fields are private, so Swift imports it as an opaque pointer.
    init(adopting sample: OpaquePointer) { reference = MiniObjectReference(adopting: UnsafeMutableRawPointer(sample)) }

    var pointer: OpaquePointer { OpaquePointer(reference.pointer) }

    public var buffer: Buffer? { gst_sample_get_buffer(pointer).map { Buffer(retaining: $0) } }
    public var caps: Caps? { gst_sample_get_caps(pointer).map { Caps(retaining: $0) } }

    /// The buffer's presentation timestamp as running time of its pipeline, in nanoseconds; `nil` outside the segment.
    ///
    /// Not the bare timestamp: some encoders shift theirs by 1000 hours together with the segment.
    public var runningTime: Nanoseconds? {
        guard let segment = gst_sample_get_segment(pointer), segment.pointee.format == GST_FORMAT_TIME,
            let time = buffer?.presentationTime
        else { return nil }
        return Nanoseconds(clockTime: gst_segment_to_running_time(segment, GST_FORMAT_TIME, Optional(time).clockTime))
    }
}
