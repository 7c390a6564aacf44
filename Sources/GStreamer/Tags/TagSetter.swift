import CGStreamer

extension Element {
    /// Adds a tag to an element that writes tags, such as a muxer.
    ///
    /// - Throws: ``GStreamerError`` if the element writes none, or the tag does not exist or has another type.
    package func addTag(_ tag: String, _ value: String) throws(GStreamerError) {
        guard rushes_is_tag_setter(reference.pointer) != 0 else {
            throw GStreamerError(element: path, message: "it writes no tags")
        }
        guard gst_tag_exists(tag) != 0 else { throw GStreamerError(element: path, message: "there is no tag “\(tag)”") }
        var holder = GValue()
        g_value_init(&holder, gst_tag_get_type(tag))
        defer { g_value_unset(&holder) }
        // A string is taken as it is; as a literal, "NULL" and quotes would mean something else. GStreamer warns of empty ones.
        let isString = rushes_type_kind(gst_tag_get_type(tag)) == RUSHES_KIND_STRING
        if isString { g_value_set_string(&holder, value) }
        guard isString ? !value.isEmpty : gst_value_deserialize(&holder, value) != 0 else {
            throw GStreamerError(element: path, message: "the tag “\(tag)” cannot be “\(value)”")
        }
        gst_tag_setter_add_tag_value(OpaquePointer(reference.pointer), GST_TAG_MERGE_REPLACE, tag, &holder)
    }
}
