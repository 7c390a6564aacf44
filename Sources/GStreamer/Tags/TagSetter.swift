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

extension Element {
    /// Gives an element that writes chapters, such as matroskamux, those of the file.
    ///
    /// - Throws: ``GStreamerError`` if the element writes none.
    package func setChapters(_ chapters: [Chapter]) throws(GStreamerError) {
        guard rushes_is_toc_setter(reference.pointer) != 0 else {
            throw GStreamerError(element: path, message: "it writes no chapters")
        }
        let contents = gst_toc_new(GST_TOC_SCOPE_GLOBAL)
        defer { gst_mini_object_unref(UnsafeMutableRawPointer(contents)?.assumingMemoryBound(to: GstMiniObject.self)) }
        let edition = gst_toc_entry_new(GST_TOC_ENTRY_TYPE_EDITION, "1")
        for (index, chapter) in chapters.enumerated() {
            let entry = gst_toc_entry_new(GST_TOC_ENTRY_TYPE_CHAPTER, String(index + 1))
            gst_toc_entry_set_start_stop_times(
                entry, gint64(chapter.start.nanoseconds), gint64(chapter.end.nanoseconds))
            gst_toc_entry_set_tags(entry, titled(chapter.title))
            gst_toc_entry_append_sub_entry(edition, entry)
        }
        gst_toc_append_entry(contents, edition)
        gst_toc_setter_set_toc(OpaquePointer(reference.pointer), contents)
    }

    private func titled(_ title: String) -> UnsafeMutablePointer<GstTagList>? {
        let tags = gst_tag_list_new_empty()
        var holder = GValue()
        g_value_init(&holder, gst_tag_get_type(GST_TAG_TITLE))
        defer { g_value_unset(&holder) }
        g_value_set_string(&holder, title)
        // GStreamer warns of empty ones.
        if !title.isEmpty { gst_tag_list_add_value(tags, GST_TAG_MERGE_REPLACE, GST_TAG_TITLE, &holder) }
        return tags
    }
}
