import CGStreamer
import Threads

/// The end of a pipeline in Swift: each sample is handed to a closure on the streaming thread.
package struct AppSink: Sendable {
    /// The appsink itself.
    package let element: Element

    /// Takes over an element made by the factory "appsink".
    ///
    /// - Throws: ``GStreamerError`` if it is another element.
    package init(_ element: Element) throws(GStreamerError) {
        guard element.factoryName == "appsink" else {
            throw GStreamerError(element: element.path, message: "it is not an appsink")
        }
        self.element = element
    }

    private var pointer: UnsafeMutablePointer<GstAppSink> { element.reference.cast() }

    private struct Handlers: Sendable {
        var sample: @Sendable (Sample) -> Bool
        var end: @Sendable () -> Void
    }

    /// Sets what receives the samples and learns of the end. Neither may block for long, nor hold the pipeline: the
    /// element keeps both closures as long as it lives.
    ///
    /// - Parameters:
    ///   - onSample: returns whether to go on; `false` makes the stream end with an error flow upstream.
    ///   - onEnd: called once the end of the stream has come, after the last sample.
    package func receive(
        onSample: @escaping @Sendable (Sample) -> Bool, onEnd: @escaping @Sendable () -> Void
    ) {
        let box = ClosureBox(Handlers(sample: onSample, end: onEnd))
        var callbacks = GstAppSinkCallbacks()
        callbacks.new_sample = { sink, data in
            // The sample can be gone again: a flush or a stop came between.
            guard let sink, let sample = gst_app_sink_pull_sample(sink), let handlers = ClosureBox<Handlers>.body(data)
            else { return GST_FLOW_FLUSHING }
            return handlers.sample(Sample(adopting: sample)) ? GST_FLOW_OK : GST_FLOW_ERROR
        }
        callbacks.eos = { _, data in ClosureBox<Handlers>.body(data)?.end() }
        gst_app_sink_set_callbacks(pointer, &callbacks, box.retained(), releaseClosureBox)
    }

    /// Lets everything that still comes go to waste, so that nobody waits for a reader of it.
    ///
    /// - Throws: ``GStreamerError`` if the element refuses.
    package func discardSamples() throws(GStreamerError) {
        try element.set("drop", to: true)
        // Whoever waits for room looks again when something is taken out.
        _ = pull(within: .zero)
    }

    /// What ``pull(within:)`` brought.
    package enum Pulled: Sendable {
        case sample(Sample)
        /// The stream has ended, or the pipeline is stopped.
        case end
        /// Nothing came in time.
        case nothing
    }

    /// Waits for the next sample, for an element without ``receive(onSample:onEnd:)``. Blocks.
    package func pull(within limit: Duration) -> Pulled {
        if let sample = gst_app_sink_try_pull_sample(pointer, GstClockTime(waiting: limit)) {
            defer { gst_sample_unref(sample) }
            // When it is flushed, appsink (1.22) writes into the sample that it gave away last: this one is ours alone.
            if let copy = gst_sample_copy(sample) { return .sample(Sample(adopting: copy)) }
        }
        return gst_app_sink_is_eos(pointer) != 0 ? .end : .nothing
    }
}
