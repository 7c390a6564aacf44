import CGStreamer
import GStreamer

/// Decoders that say they are hardware and fail: one at its fifth frame, one at its first, one when it is opened. Each is known to this
/// process and comes before all others, but takes H.264 of one size only, which no other test has.
enum FailingDecoder {
    static let failing = "rushesfailingdecoder"
    static let failingSize = "208x112"
    static let muted = "rushesmuteddecoder"
    static let mutedSize = "208x80"
    static let closed = "rushescloseddecoder"
    static let closedSize = "208x96"

    /// Once in a process.
    static let areRegistered =
        register(failing) { type, _ in
            describe(type, "video/x-h264,width=208,height=112")
        } instance: { bin, _ in
            // Decodes as any other, until it fails as hardware does.
            decode(bin, errorAfter: 5)
        }
        && register(muted) { type, _ in
            describe(type, "video/x-h264,width=208,height=80")
        } instance: { bin, _ in
            decode(bin, errorAfter: 1)
        }
        && register(closed) { type, _ in
            describe(type, "video/x-h264,width=208,height=96")
        } instance: { bin, _ in
            decode(bin, errorAfter: -1)
            let file = gst_element_factory_make("filesrc", nil)
            gst_util_set_object_arg(object(file), "location", "/nowhere/at/all")
            guard let bin else { return }
            gst_bin_add(UnsafeMutableRawPointer(bin).assumingMemoryBound(to: GstBin.self), file)
        }

    private typealias Instance = @convention(c) (UnsafeMutablePointer<GTypeInstance>?, gpointer?) -> Void

    private static func register(_ name: String, type body: GClassInitFunc, instance: Instance) -> Bool {
        GStreamerLibrary.start()
        var info = GTypeInfo()
        info.class_size = guint16(MemoryLayout<GstBinClass>.size)
        info.instance_size = guint16(MemoryLayout<GstBin>.size)
        info.class_init = body
        info.instance_init = instance
        let type = g_type_register_static(gst_bin_get_type(), "Rushes-\(name)", &info, GTypeFlags(rawValue: 0))
        return type != 0 && gst_element_register(nil, name, guint(GST_RANK_PRIMARY.rawValue) + 1000, type) != 0
    }

    private static func describe(_ type: gpointer?, _ caps: String) {
        let element = type?.assumingMemoryBound(to: GstElementClass.self)
        gst_element_class_set_metadata(element, "Fails", "Codec/Decoder/Video/Hardware", "Fails", "Rushes")
        for (name, direction, caps) in [("sink", GST_PAD_SINK, caps), ("src", GST_PAD_SRC, "video/x-raw")] {
            let template = gst_caps_from_string(caps)
            gst_element_class_add_pad_template(
                element, gst_pad_template_new(name, direction, GST_PAD_ALWAYS, template))
            gst_caps_unref(template)
        }
    }

    private static func decode(_ instance: UnsafeMutablePointer<GTypeInstance>?, errorAfter count: Int) {
        guard let instance else { return }
        let bin = UnsafeMutableRawPointer(instance).assumingMemoryBound(to: GstBin.self)
        let element = UnsafeMutableRawPointer(instance).assumingMemoryBound(to: GstElement.self)
        let decoder = gst_element_factory_make("avdec_h264", nil)
        let end = gst_element_factory_make("identity", nil)
        gst_util_set_object_arg(object(end), "error-after", "\(count)")
        gst_bin_add(bin, decoder)
        gst_bin_add(bin, end)
        gst_element_link(decoder, end)
        for (name, owner) in [("sink", decoder), ("src", end)] {
            let pad = gst_element_get_static_pad(owner, name)
            gst_element_add_pad(element, gst_ghost_pad_new(name, pad))
            gst_object_unref(pad)
        }
    }

    private static func object(_ element: UnsafeMutablePointer<GstElement>?) -> UnsafeMutablePointer<GObject>? {
        element.map { UnsafeMutableRawPointer($0).assumingMemoryBound(to: GObject.self) }
    }
}
