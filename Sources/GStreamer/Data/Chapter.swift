import CGStreamer

/// A named part of a file, as its table of contents tells it (`GstToc`).
package struct Chapter: Sendable, Hashable {
    /// From the beginning of the file.
    package var start: MediaTime
    /// From the beginning of the file.
    package var end: MediaTime
    /// For people.
    package var title: String

    /// Times are measured from the beginning of the file.
    package init(start: MediaTime, end: MediaTime, title: String) {
        (self.start, self.end, self.title) = (start, end, title)
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
                append(
                    Chapter(
                        start: MediaTime(nanoseconds: Int64(start)),
                        end: MediaTime(nanoseconds: Int64(Swift.max(start, end))),
                        title: takenString(text) ?? ""))
            default: continue
            }
        }
    }
}
