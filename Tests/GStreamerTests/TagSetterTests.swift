import CGStreamer
import Testing

@testable import GStreamer

@Suite("Tags") struct TagSetterTests {
    @Test(
        "A muxer takes text, numbers and dates",
        arguments: [
            ("title", "a \"b\""), ("datetime", "2026-08-01T12:00:00Z"), ("geo-location-latitude", "48.125"),
            ("track-number", "3"),
        ])
    func taken(tag: String, value: String) throws {
        let muxer = try Element("qtmux")
        try muxer.addTag(tag, value)
        #expect(Self.tag(tag, of: muxer) == value)
    }

    /// What the muxer would write, as text.
    private static func tag(_ name: String, of muxer: Element) -> String? {
        guard let list = gst_tag_setter_get_tag_list(OpaquePointer(muxer.reference.pointer)) else { return nil }
        var value = GValue()
        guard gst_tag_list_copy_value(&value, list, name) != 0 else { return nil }
        defer { g_value_unset(&value) }
        if let text = string(&value) { return text }
        return gst_value_serialize(&value).map { text in
            defer { g_free(text) }
            return String(cString: text)
        }
    }

    /// A string as it is, not as GStreamer would quote it.
    private static func string(_ value: inout GValue) -> String? {
        guard rushes_type_kind(value.g_type) == RUSHES_KIND_STRING else { return nil }
        return g_value_get_string(&value).map { String(cString: $0) }
    }

    @Test(
        "What is no tag or has another type is refused",
        arguments: [
            ("nosuch", "x"), ("track-number", "many"), ("datetime", "tomorrow"), ("title", ""),
        ])
    func refused(tag: String, value: String) {
        #expect(throws: GStreamerError.self) { try Element("qtmux").addTag(tag, value) }
    }

    @Test("An element that writes no tags says so") func noSetter() {
        let error = #expect(throws: GStreamerError.self) { try Element("identity").addTag("title", "x") }
        #expect(error?.message == "it writes no tags")
    }
}
