import CGStreamer

/// The time code of a frame, as a camera wrote it into the stream.
package struct FrameTimeCode: Hashable, Sendable {
    /// Since midnight, as the camera counts.
    package var hours: UInt32
    /// Below 60.
    package var minutes: UInt32
    /// Below 60.
    package var seconds: UInt32
    /// Below the rate.
    package var frames: UInt32
    /// Frames a second.
    package var rate: Fraction
    /// Whether numbers are left out so that the count keeps up with the clock.
    package var isDropFrame: Bool
}

extension Pad {
    /// Takes the time codes off all buffers that pass, on the streaming thread, and hands them to the closure, those of key frames with
    /// their time in the stream.
    package func takeTimeCodes(_ body: @escaping @Sendable (FrameTimeCode, MediaTime?) -> Void) {
        _ = editBuffers { buffer, pad in
            if let code = buffer.takeTimeCode() {
                body(code, buffer.isKeyFrame ? Self.movieTime(of: buffer, at: pad) : nil)
            }
        }
    }
}

extension Buffer {
    /// - Returns: nil where there is none.
    fileprivate mutating func takeTimeCode() -> FrameTimeCode? {
        guard gst_buffer_get_meta(pointer, gst_video_time_code_meta_api_get_type()) != nil else { return nil }
        var copy: UnsafeMutablePointer<GstBuffer>? = gst_buffer_copy(pointer)
        var code = GstVideoTimeCode()
        guard rushes_take_time_code(&copy, &code) != 0, let copy else { return nil }
        self = Buffer(adopting: copy)
        return FrameTimeCode(
            hours: code.hours, minutes: code.minutes, seconds: code.seconds, frames: code.frames,
            rate: Fraction(Int(code.config.fps_n), Int(max(1, code.config.fps_d))),
            isDropFrame: code.config.flags.rawValue & GST_VIDEO_TIME_CODE_FLAGS_DROP_FRAME.rawValue != 0)
    }
}
