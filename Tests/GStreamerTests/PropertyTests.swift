import GStreamer
import Testing

@Suite("Properties") struct PropertyTests {
    struct Accepted: Sendable {
        var factory: String, name: String
        var value: PropertyValue
        var read: FieldValue
    }

    @Test(
        "A value of the right type is set and read back",
        arguments: [
            // Above 2^31, in a property of 64 bits: what variadic setters get wrong.
            Accepted(factory: "queue", name: "max-size-time", value: 10_000_000_000, read: .int(10_000_000_000)),
            Accepted(factory: "queue", name: "max-size-bytes", value: 4_294_967_295, read: .int(4_294_967_295)),
            Accepted(
                factory: "identity", name: "ts-offset", value: -9_000_000_000, read: .int(-9_000_000_000)),
            Accepted(factory: "videotestsrc", name: "num-buffers", value: -1, read: .int(-1)),
            Accepted(factory: "videotestsrc", name: "is-live", value: true, read: .bool(true)),
            Accepted(factory: "videotestsrc", name: "is-live", value: "true", read: .bool(true)),
            Accepted(factory: "audiotestsrc", name: "volume", value: 0.25, read: .double(0.25)),
            Accepted(factory: "audiotestsrc", name: "volume", value: 1, read: .double(1)),
            Accepted(
                factory: "filesrc", name: "location", value: "/a b/\"c\"!;\n.mov", read: .string("/a b/\"c\"!;\n.mov")),
            Accepted(factory: "filesrc", name: "location", value: "NULL", read: .string("NULL")),
            Accepted(
                factory: "videotestsrc", name: "pattern", value: "ball",
                read: .other(type: "GstVideoTestSrcPattern", text: "ball")),
            Accepted(
                factory: "videotestsrc", name: "pattern", value: 18,
                read: .other(type: "GstVideoTestSrcPattern", text: "ball")),
            Accepted(factory: "videorate", name: "max-rate", value: 30, read: .int(30)),
        ])
    func accepted(_ expected: Accepted) throws {
        let element = try Element(expected.factory)
        try element.set(expected.name, to: expected.value)
        #expect(element.get(expected.name) == expected.read)
    }

    @Test("Caps are a property's value, too") func caps() throws {
        let filter = try Element("capsfilter")
        let caps = try Caps("video/x-raw,width=[1,100]")
        try filter.set("caps", to: .caps(caps))
        #expect(filter.get("caps") == .caps(caps))
    }

    @Test(
        "What does not fit is refused, and the old value stays",
        arguments: [
            ("queue", "no-such", 1), ("queue", "max-size-buffers", -1), ("queue", "max-size-buffers", 4_294_967_296),
            ("queue", "max-size-time", -1), ("queue", "max-size-buffers", "many"), ("queue", "max-size-buffers", 1.5),
            ("queue", "silent", "perhaps"), ("queue", "leaky", "sideways"), ("queue", "leaky", 99),
            ("queue", "current-level-time", 1), ("audiotestsrc", "volume", 2.0), ("videotestsrc", "num-buffers", -2),
            ("videotestsrc", "num-buffers", true), ("capsfilter", "caps", 1),
        ] as [(String, String, PropertyValue)])
    func refused(factory: String, name: String, value: PropertyValue) throws {
        let element = try Element(factory)
        let before = element.get(name)
        let error = #expect(throws: GStreamerError.self) { try element.set(name, to: value) }
        #expect(error?.element == factory)
        #expect(error?.message.contains("\(name)=\(value)") == true)
        #expect(element.get(name) == before)
    }

    @Test("A property that can be chosen only at the making is refused without a warning") func constructOnly() throws {
        let bus = try Element("appsrc")
        #expect(throws: GStreamerError.self) { try bus.set("parent", to: 1) }
        #expect(bus.get("nothing") == nil)
    }
}
