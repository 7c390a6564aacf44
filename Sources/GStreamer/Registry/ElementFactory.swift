import CGStreamer

/// What an installed plugin can make, read from the registry without making it.
public struct ElementFactory: Sendable {
    let reference: ObjectReference

    /// - Returns: `nil` if no installed plugin has an element of this name.
    public init?(_ name: String) {
        GStreamerLibrary.start()
        guard let factory = gst_element_factory_find(name) else { return nil }
        reference = ObjectReference(adopting: UnsafeMutableRawPointer(factory))
    }

    private var pointer: OpaquePointer { OpaquePointer(reference.pointer) }

    public static func exists(_ name: String) -> Bool { ElementFactory(name) != nil }

    /// The name for people, such as "x264 H.264 Encoder".
    public var longName: String { metadata("long-name") }
    /// Such as "Codec/Encoder/Video/Hardware".
    public var classification: String { metadata("klass") }
    /// GStreamer's own preference, 0 (never by itself) to 256 (primary) and above.
    public var rank: Int { Int(gst_plugin_feature_get_rank(pointer)) }

    /// All caps that its pads of the stated direction could carry.
    public func templateCaps(source: Bool) -> [Caps] {
        let wanted = source ? GST_PAD_SRC : GST_PAD_SINK
        var templates: [Caps] = []
        var node = gst_element_factory_get_static_pad_templates(pointer)
        while let entry = node {
            if let template = entry.pointee.data?.assumingMemoryBound(to: GstStaticPadTemplate.self),
                template.pointee.direction == wanted, let caps = gst_static_pad_template_get_caps(template)
            {
                templates.append(Caps(adopting: caps))
            }
            node = UnsafePointer(entry.pointee.next)
        }
        return templates
    }

    private func metadata(_ key: String) -> String {
        copiedString(gst_element_factory_get_metadata(pointer, key)) ?? ""
    }
}
