import CGStreamer

/// A GStreamer element of this process that codes frames in Swift: a `GstVideoEncoder`, so timestamps, negotiation and the
/// end of the stream are GStreamer's own.
package struct EncoderElement: Sendable {
    /// The factory's name.
    package var name: String
    /// The name for people.
    package var longName: String
    /// The raw frames it takes.
    package var input: Caps
    /// What may leave it.
    package var output: Caps
    /// Makes the encoder for frames of the first caps; the second are what may follow the element. Again whenever the
    /// frames change. What it throws ends the pipeline, as the element's error.
    package var make: @Sendable (Caps, Caps) throws -> any FrameEncoder

    /// A description of the element. Nothing is registered yet.
    package init(
        name: String, longName: String, input: Caps, output: Caps,
        make: @escaping @Sendable (Caps, Caps) throws -> any FrameEncoder
    ) {
        (self.name, self.longName, self.input, self.output, self.make) = (name, longName, input, output, make)
    }

    /// Makes the factory known to this process. Once for each name.
    ///
    /// - Returns: whether there is such an element now.
    @discardableResult
    package func register() -> Bool {
        GStreamerLibrary.start()
        guard !ElementFactory.exists(name) else { return true }
        // A class lives as long as the process, and so does what it was made from.
        var info = GTypeInfo()
        info.class_size = guint16(MemoryLayout<GstVideoEncoderClass>.size)
        info.instance_size = guint16(MemoryLayout<GstVideoEncoder>.size)
        info.class_data = UnsafeRawPointer(ClosureBox(self).retained())
        info.class_init = { type, data in
            guard let type, let element = ClosureBox<EncoderElement>.body(data) else { return }
            element.initialize(type.assumingMemoryBound(to: GstVideoEncoderClass.self), data)
        }
        let type = g_type_register_static(gst_video_encoder_get_type(), "Rushes-\(name)", &info, GTypeFlags(0))
        return type != 0 && gst_element_register(nil, name, GST_RANK_NONE.rawValue, type) != 0
    }

    private func initialize(_ type: UnsafeMutablePointer<GstVideoEncoderClass>, _ data: gpointer?) {
        g_type_set_qdata(rushes_class_type(type), Self.definition, data)
        let element = UnsafeMutableRawPointer(type).assumingMemoryBound(to: GstElementClass.self)
        gst_element_class_set_metadata(element, longName, "Codec/Encoder/Video", longName, "Rushes")
        for (name, direction, caps) in [("sink", GST_PAD_SINK, input), ("src", GST_PAD_SRC, output)] {
            gst_element_class_add_pad_template(
                element, gst_pad_template_new(name, direction, GST_PAD_ALWAYS, caps.pointer))
        }
        type.pointee.set_format = { encoder, state in
            guard let encoder, let state else { return 0 }
            return EncoderElement.setFormat(encoder, state) ? 1 : 0
        }
        type.pointee.handle_frame = { encoder, frame in
            guard let encoder, let frame else { return GST_FLOW_ERROR }
            return EncoderElement.handle(frame, encoder)
        }
    }

    private static let definition = g_quark_from_string("rushes-encoder-element")
    private static let running = "rushes-encoder"

    /// What one element is doing, until the frames change or the element goes.
    private typealias Running = (encoder: any FrameEncoder, info: GstVideoInfo)

    private static func setFormat(
        _ element: UnsafeMutablePointer<GstVideoEncoder>, _ state: UnsafeMutablePointer<GstVideoCodecState>
    ) -> Bool {
        let data = g_type_get_qdata(rushes_instance_type(element), definition)
        guard let made = ClosureBox<EncoderElement>.body(data), let caps = state.pointee.caps else { return false }
        do {
            let allowed = gst_pad_get_allowed_caps(element.pointee.srcpad).map { Caps(adopting: $0) } ?? made.output
            let encoder = try made.make(Caps(retaining: caps), allowed)
            let box = ClosureBox<Running>((encoder, state.pointee.info)).retained()
            g_object_set_data_full(object(element), running, box, releaseClosureBox)
            // The call takes the caps over.
            gst_mini_object_ref(
                UnsafeMutableRawPointer(encoder.output.pointer).assumingMemoryBound(to: GstMiniObject.self))
            guard let output = gst_video_encoder_set_output_state(element, encoder.output.pointer, state) else {
                return false
            }
            gst_video_codec_state_unref(output)
            return true
        } catch {
            rushes_encoder_failed(element, "\(error)")
            return false
        }
    }

    private static func handle(
        _ frame: UnsafeMutablePointer<GstVideoCodecFrame>, _ element: UnsafeMutablePointer<GstVideoEncoder>
    ) -> GstFlowReturn {
        guard case (let encoder, var info)? = ClosureBox<Running>.body(g_object_get_data(object(element), running)),
            let input = frame.pointee.input_buffer, let raw = RawFrame(input, &info)
        else {
            gst_video_codec_frame_unref(frame)
            rushes_encoder_failed(element, "A frame cannot be read.")
            return GST_FLOW_ERROR
        }
        do {
            let bytes = try encoder.encode(raw)
            frame.pointee.output_buffer = gst_buffer_new_memdup(bytes, gsize(bytes.count))
            rushes_frame_set_key(frame)
            return gst_video_encoder_finish_frame(element, frame)
        } catch {
            gst_video_codec_frame_unref(frame)
            rushes_encoder_failed(element, "\(error)")
            return GST_FLOW_ERROR
        }
    }

    private static func object(_ element: UnsafeMutablePointer<GstVideoEncoder>) -> UnsafeMutablePointer<GObject> {
        UnsafeMutableRawPointer(element).assumingMemoryBound(to: GObject.self)
    }
}
