import GStreamer
import Testing

@Suite("Tags") struct TagSetterTests {
    @Test(
        "A muxer takes text, numbers and dates",
        arguments: [
            ("title", "a \"b\""), ("datetime", "2026-08-01T12:00:00Z"), ("geo-location-latitude", "48.1"),
            ("track-number", "3"),
        ])
    func taken(tag: String, value: String) throws { try Element("qtmux").addTag(tag, value) }

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
