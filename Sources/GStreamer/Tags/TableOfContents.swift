import CGStreamer

/// A named part of a file, as its table of contents tells it (`GstToc`); times in nanoseconds.
public struct Chapter: Sendable, Hashable {
    /// From the beginning of the file.
    public var start: Nanoseconds
    /// From the beginning of the file.
    public var end: Nanoseconds
    /// For people.
    public var title: String

    /// Times in nanoseconds from the beginning of the file.
    public init(start: Nanoseconds, end: Nanoseconds, title: String) {
        (self.start, self.end, self.title) = (start, end, title)
    }
}

extension Element {
    /// Gives an element that writes chapters, such as matroskamux, those of the file.
    ///
    /// - Throws: ``GStreamerError`` if the element writes none.
    public func setChapters(_ chapters: [Chapter]) throws(GStreamerError) {
        guard rushes_is_toc_setter(reference.pointer) != 0 else {
            throw GStreamerError(element: path, message: "it writes no chapters")
        }
        let contents = gst_toc_new(GST_TOC_SCOPE_GLOBAL)
        defer { gst_mini_object_unref(UnsafeMutableRawPointer(contents)?.assumingMemoryBound(to: GstMiniObject.self)) }
        let edition = gst_toc_entry_new(GST_TOC_ENTRY_TYPE_EDITION, "1")
        for (index, chapter) in chapters.enumerated() {
            let entry = gst_toc_entry_new(GST_TOC_ENTRY_TYPE_CHAPTER, String(index + 1))
            gst_toc_entry_set_start_stop_times(entry, gint64(chapter.start), gint64(chapter.end))
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

extension [Chapter] {
    /// The chapters of a file's first edition, or those that lie beside each other without any.
    init(_ contents: OpaquePointer?) {
        self = []
        guard let contents else { return }
        append(gst_toc_get_entries(contents))
    }

    private mutating func append(_ list: UnsafeMutablePointer<GList>?) {
        var node = list
        while let entry = node {
            node = entry.pointee.next
            guard let data = entry.pointee.data.map({ OpaquePointer($0) }) else { continue }
            switch gst_toc_entry_get_entry_type(data) {
            case GST_TOC_ENTRY_TYPE_EDITION where isEmpty: append(gst_toc_entry_get_sub_entries(data))
            case GST_TOC_ENTRY_TYPE_CHAPTER:
                var (start, end) = (gint64(0), gint64(0))
                guard gst_toc_entry_get_start_stop_times(data, &start, &end) != 0, start >= 0 else { continue }
                var text: UnsafeMutablePointer<gchar>?
                if let tags = gst_toc_entry_get_tags(data) { gst_tag_list_get_string(tags, GST_TAG_TITLE, &text) }
                append(Chapter(start: Int64(start), end: Int64(Swift.max(start, end)), title: takenString(text) ?? ""))
            default: continue
            }
        }
    }
}
