import CGStreamer

/// What an installed plugin can make, read from the registry without making it.
package struct ElementFactory: Sendable {
    let reference: ObjectReference

    /// - Returns: `nil` if no installed plugin has an element of this name.
    package init?(_ name: String) {
        GStreamerLibrary.start()
        guard let factory = gst_element_factory_find(name) else { return nil }
        reference = ObjectReference(adopting: UnsafeMutableRawPointer(factory))
    }

    /// Shares a factory that somebody else lends.
    init(retaining factory: OpaquePointer) {
        reference = ObjectReference(retaining: UnsafeMutableRawPointer(factory))
    }

    private var pointer: OpaquePointer { OpaquePointer(reference.pointer) }

    /// Whether an installed plugin has an element of this name.
    package static func exists(_ name: String) -> Bool { ElementFactory(name) != nil }

    /// Loads its plugin and all libraries that this links with, as the first element does that is made of it. Blocks. Where that fails it
    /// fails again with the element, and says why.
    package func load() {
        if let loaded = gst_plugin_feature_load(pointer) { gst_object_unref(UnsafeMutableRawPointer(loaded)) }
    }

    /// The name that elements are made by, such as "x264enc".
    package var name: String { takenString(gst_object_get_name(reference.cast())) ?? "" }
    /// The name for people, such as "x264 H.264 Encoder".
    package var longName: String { metadata("long-name") }
    /// Such as "Codec/Encoder/Video/Hardware".
    package var classification: String { metadata("klass") }
    /// GStreamer's own preference, 0 (never by itself) to 256 (primary) and above.
    package var rank: Int { Int(gst_plugin_feature_get_rank(pointer)) }

    /// Whether a special part of the machine does the work, which can fail where a processor does not.
    package var isHardware: Bool { classification.split(separator: "/").contains("Hardware") }

    /// Whether it decodes, by its class.
    package var isDecoder: Bool { classification.split(separator: "/").contains("Decoder") }

    /// Whether it takes a file's streams apart, by its class.
    package var isDemuxer: Bool { classification.split(separator: "/").contains("Demuxer") }

    /// Whether its outputs are there only once it has found them in the data.
    package var findsOutputs: Bool {
        staticTemplates.contains { $0.direction == GST_PAD_SRC && $0.presence == GST_PAD_SOMETIMES }
    }

    /// Whether an installed decoder that plugs itself in takes what these caps describe.
    package static func hasDecoder(for caps: Caps) -> Bool {
        GStreamerLibrary.start()
        let decoders = rushes_decoder_factories()
        defer { gst_plugin_feature_list_free(decoders) }
        let fitting = gst_element_factory_list_filter(decoders, caps.pointer, GST_PAD_SINK, 0)
        defer { gst_plugin_feature_list_free(fitting) }
        return fitting != nil
    }

    /// All caps that its pads of the stated direction could carry.
    package func templateCaps(source: Bool) -> [Caps] {
        let wanted = source ? GST_PAD_SRC : GST_PAD_SINK
        return staticTemplates.compactMap { template in
            var template = template
            guard template.direction == wanted, let caps = gst_static_pad_template_get_caps(&template) else {
                return nil
            }
            return Caps(adopting: caps)
        }
    }

    /// What its pads of a template take or give, such as a muxer's "video_%u"; `nil` if it has no such template.
    package func templateCaps(named name: String) -> Caps? {
        for var template in staticTemplates where copiedString(template.name_template) == name {
            return gst_static_pad_template_get_caps(&template).map { Caps(adopting: $0) }
        }
        return nil
    }

    private var staticTemplates: [GstStaticPadTemplate] {
        var templates: [GstStaticPadTemplate] = []
        var node = gst_element_factory_get_static_pad_templates(pointer)
        while let entry = node {
            if let template = entry.pointee.data?.assumingMemoryBound(to: GstStaticPadTemplate.self) {
                templates.append(template.pointee)
            }
            node = UnsafePointer(entry.pointee.next)
        }
        return templates
    }

    private func metadata(_ key: String) -> String {
        copiedString(gst_element_factory_get_metadata(pointer, key)) ?? ""
    }
}
