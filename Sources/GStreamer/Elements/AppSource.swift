import CGStreamer
import Synchronization

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

    /// Lets what follows fetch bytes from any place, as of a file, in place of buffers that are pushed. To be called before the pipeline
    /// starts.
    ///
    /// - Parameters:
    ///   - size: In bytes.
    ///   - read: The bytes from a place on, as many as it is told, fewer only at the end; nil where they cannot be read, which ends the
    ///     stream. Called on one streaming thread at a time. It must not hold the element, which keeps it as long as it lives.
    package func serve(size: UInt64, _ read: @escaping @Sendable (UInt64, Int) -> Buffer?) {
        gst_app_src_set_stream_type(pointer, GST_APP_STREAM_TYPE_RANDOM_ACCESS)
        gst_app_src_set_size(pointer, gint64(clamping: size))
        var callbacks = GstAppSrcCallbacks()
        callbacks.seek_data = { _, place, data in
            ClosureBox<ServedBytes>.body(data)?.place.store(UInt64(place), ordering: .relaxed)
            return 1
        }
        callbacks.need_data = { source, count, data in
            guard let source, let bytes = ClosureBox<ServedBytes>.body(data) else { return }
            let place = bytes.place.load(ordering: .relaxed)
            // No number at all is one that does not fit.
            let wanted = count == .max ? ServedBytes.usualCount : Int(count)
            guard let buffer = bytes.read(place, wanted), buffer.byteCount > 0 else {
                gst_app_src_end_of_stream(source)
                return
            }
            bytes.place.store(place + UInt64(buffer.byteCount), ordering: .relaxed)
            gst_app_src_push_buffer(source, buffer.reference.retained())
        }
        let box = ClosureBox(ServedBytes(read))
        gst_app_src_set_callbacks(pointer, &callbacks, box.retained(), releaseClosureBox)
    }

    /// Ends the stream after what has been pushed. May be called at any time, from any thread.
    package func endOfStream() { gst_app_src_end_of_stream(pointer) }

    /// Buffers that wait to be taken.
    package var waitingBuffers: Int { Int(clamping: gst_app_src_get_current_level_buffers(pointer)) }
    /// The span of time that waits to be taken.
    package var waitingTime: MediaTime { MediaTime(clamping: gst_app_src_get_current_level_time(pointer)) }
}

/// What an ``AppSource`` serves, and the place that is fetched next.
private final class ServedBytes: Sendable {
    let read: @Sendable (UInt64, Int) -> Buffer?
    let place = Atomic<UInt64>(0)

    static let usualCount = 1 << 16

    init(_ read: @escaping @Sendable (UInt64, Int) -> Buffer?) { self.read = read }
}
