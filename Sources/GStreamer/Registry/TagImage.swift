import CGStreamer

/// An image among a file's tags.
struct TagImage: Sendable {
    /// A file of its kind, such as a JPEG.
    let bytes: [UInt8]
    /// Whether its tag says that it is the front cover.
    private let isFront: Bool

    /// `GST_TAG_IMAGE_TYPE_FRONT_COVER`.
    private static let frontCover: Int32 = 1

    /// The front cover first, small previews last.
    static func all(in list: UnsafePointer<GstTagList>?) -> [TagImage] {
        guard let list else { return [] }
        let images = named("image", list)
        return images.filter(\.isFront) + images.filter { !$0.isFront } + named("preview-image", list)
    }

    private static func named(_ name: String, _ list: UnsafePointer<GstTagList>) -> [TagImage] {
        (0..<gst_tag_list_get_tag_size(list, name)).compactMap { index in
            var sample: OpaquePointer?
            guard gst_tag_list_get_sample_index(list, name, index, &sample) != 0, let sample else { return nil }
            return TagImage(Sample(adopting: sample))
        }
    }

    /// - Returns: nil for what names an image that lies elsewhere, and for one without bytes.
    private init?(_ sample: Sample) {
        guard sample.caps?.first?.name != "text/uri-list", let buffer = sample.buffer,
            let bytes = try? buffer.withBytes({ Array($0) }), !bytes.isEmpty
        else { return nil }
        self.bytes = bytes
        let kind = gst_sample_get_info(sample.pointer).flatMap { gst_structure_get_value($0, "image-type") }
        isFront = kind.map { g_value_get_enum($0) == Self.frontCover } ?? false
    }
}
