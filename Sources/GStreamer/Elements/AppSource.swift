import CGStreamer

/// The beginning of a pipeline in Swift: buffers are pushed from any thread.
package struct AppSource: Sendable {
    /// The appsrc itself.
    package let element: Element

    /// Takes over an element made by the factory "appsrc".
    ///
    /// - Throws: ``GStreamerError`` if it is another element.
    package init(_ element: Element) throws(GStreamerError) {
        guard element.factoryName == "appsrc" else {
            throw GStreamerError(element: element.path, message: "it is not an appsrc")
        }
        self.element = element
    }

    private var pointer: UnsafeMutablePointer<GstAppSrc> { element.reference.cast() }

    /// What the following buffers are. Setting the caps in force again costs nothing.
    package func setCaps(_ caps: Caps) { gst_app_src_set_caps(pointer, caps.pointer) }

    /// Hands a buffer over. False if the pipeline takes no more: it is stopping, ended or failed.
    @discardableResult
    package func push(_ buffer: Buffer) -> Bool {
        // The call takes a reference over, also when it refuses; the struct keeps its own.
        gst_app_src_push_buffer(pointer, buffer.reference.retained()) == GST_FLOW_OK
    }

    /// Hands a buffer over with its caps and, where the element handles changes of it, its segment. False as for a buffer.
    package func push(_ sample: Sample) -> Bool { gst_app_src_push_sample(pointer, sample.pointer) == GST_FLOW_OK }

    /// Ends the stream after what has been pushed. May be called at any time, from any thread.
    package func endOfStream() { gst_app_src_end_of_stream(pointer) }

    /// Buffers that wait to be taken.
    package var waitingBuffers: Int { Int(clamping: gst_app_src_get_current_level_buffers(pointer)) }
    /// The span of time that waits to be taken, in nanoseconds.
    package var waitingTime: MediaTime { MediaTime(clamping: gst_app_src_get_current_level_time(pointer)) }
}
