import CGStreamer

/// A buffer together with its caps and the segment that says what its timestamps mean.
package struct Sample: Sendable {
    let reference: MiniObjectReference

    // GstSample's fields are private, so Swift imports it as an opaque pointer.
    init(adopting sample: OpaquePointer) { reference = MiniObjectReference(adopting: UnsafeMutableRawPointer(sample)) }

    var pointer: OpaquePointer { OpaquePointer(reference.pointer) }

    /// The data; `nil` where the sample has none.
    package var buffer: Buffer? { gst_sample_get_buffer(pointer).map { Buffer(retaining: $0) } }
    /// What the data is.
    package var caps: Caps? { gst_sample_get_caps(pointer).map { Caps(retaining: $0) } }

    /// Data of a stream that begins with the movie: its timestamps are the movie's times.
    package init(_ buffer: Buffer, _ caps: Caps) {
        var segment = GstSegment()
        gst_segment_init(&segment, GST_FORMAT_TIME)
        self.init(adopting: gst_sample_new(buffer.pointer, caps.pointer, &segment, nil))
    }

    /// The same moment of the same stream with other data.
    package func with(_ buffer: Buffer, _ caps: Caps) -> Sample {
        Sample(adopting: gst_sample_new(buffer.pointer, caps.pointer, gst_sample_get_segment(pointer), nil))
    }

    /// The same moment without its data, so that whoever has those as well holds them alone.
    package var withoutData: Sample {
        Sample(adopting: gst_sample_new(nil, gst_sample_get_caps(pointer), gst_sample_get_segment(pointer), nil))
    }

    /// The same that much later in the movie, or earlier if below zero, with ``movieTime`` below zero where it lies before the beginning.
    package func shifted(by time: MediaTime) -> Sample {
        guard let own = gst_sample_get_segment(pointer), own.pointee.format == GST_FORMAT_TIME else { return self }
        var segment = own.pointee
        if time >= .zero {
            segment.time += guint64(time.nanoseconds)
        } else {
            segment.start += guint64(-time.nanoseconds)
        }
        return Sample(
            adopting: gst_sample_new(
                gst_sample_get_buffer(pointer), gst_sample_get_caps(pointer), &segment, nil))
    }

    /// The buffer's presentation timestamp as running time of its pipeline; `nil` outside the segment.
    ///
    /// Not the bare timestamp: some encoders shift theirs by 1000 hours together with the segment.
    package var runningTime: MediaTime? {
        guard let segment = gst_sample_get_segment(pointer), segment.pointee.format == GST_FORMAT_TIME,
            let buffer = gst_sample_get_buffer(pointer)
        else { return nil }
        // Of a buffer without a time it is none.
        return MediaTime(clockTime: gst_segment_to_running_time(segment, GST_FORMAT_TIME, buffer.pointee.pts))
    }

    /// When the buffer is presented, from the movie's beginning: stream time, so edit lists are obeyed and a
    /// seek changes nothing. Negative before the beginning, as for what only primes a decoder; `nil` without a timestamp.
    package var movieTime: MediaTime? { buffer?.presentationTime.flatMap(movieTime) }

    /// The timestamp that its segment calls the stream's beginning.
    package var streamBeginning: MediaTime? {
        guard let segment = gst_sample_get_segment(pointer), segment.pointee.format == GST_FORMAT_TIME else {
            return nil
        }
        return MediaTime(clamping: segment.pointee.start) - MediaTime(clamping: segment.pointee.time)
    }

    /// When the buffer is to be decoded, likewise.
    package var decodeTime: MediaTime? { buffer?.decodeTime.flatMap(movieTime) }

    private func movieTime(of time: MediaTime) -> MediaTime? {
        gst_sample_get_segment(pointer).flatMap { Self.movieTime(of: time, in: $0) }
    }

    static func movieTime(of time: MediaTime, in segment: UnsafePointer<GstSegment>) -> MediaTime? {
        guard segment.pointee.format == GST_FORMAT_TIME else { return nil }
        var result: guint64 = 0
        let sign = gst_segment_to_stream_time_full(segment, GST_FORMAT_TIME, GstClockTime(clamping: time), &result)
        return sign == 0 ? nil : min(MediaTime(clamping: result), .longest) * Int(sign)
    }
}
