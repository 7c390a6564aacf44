import GStreamer
import Testing

@Suite("Caps") struct CapsTests {
    @Test("Fields are read by their types, and what is absent is nil") func fields() throws {
        let caps = try Caps("video/x-raw,format=I420,width=640,framerate=30000/1001,interlaced=false")
        let first = try #require(caps.first)
        #expect(first.name == "video/x-raw")
        #expect(first["format"]?.stringValue == "I420")
        #expect(first["width"]?.intValue == 640)
        #expect(first["height"] == nil)
        #expect(first["framerate"]?.fractionValue == Fraction(30000, 1001))
        #expect(first["interlaced"]?.boolValue == false)
        #expect(caps.isFixed)
    }

    @Test("What stands in a string is no field") func strings() throws {
        let caps = try Caps(#"video/x-raw,note=(string)"width=640, height=480; {x}""#)
        #expect(caps.first?.fields == ["note": .string("width=640, height=480; {x}")])
    }

    @Test("What GStreamer has no name for has that of people") func names() throws {
        #expect(try Caps("image/gst-libav-gif").codecName == "GIF")
        #expect(try Caps("application/x-nothing").codecName == "application/x-nothing")
    }

    /// Made anew each time: what a global held would look like a leak.
    static var values: [FieldValue] {
        [
            .bool(true), .bool(false), .int(0), .int(-640), .int(Int64(Int32.max)), .int(9_000_000_000), .double(1.5),
            .double(-0.25),
            .string(""), .string("NULL"), .string("a b"), .string("ä \"q\" ; , {} [] ! \\ \n x"),
            .fraction(Fraction(30000, 1001)),
            .bitmask(0), .bitmask(0x3f), .bitmask(.max), .intRange(1, 4096, step: 1), .intRange(16, 4096, step: 16),
            .fractionRange(Fraction(1, 1), Fraction(60000, 1001)),
            .list([.string("I420"), .string("NV12")]), .list([.int(1), .int(4)]),
            .array([.int(1), .int(2)]), .array([.fraction(Fraction(1, 2)), .fraction(Fraction(3))]), .array([]),
            .structure(Structure(name: "inner", fields: ["a": .int(1), "b": .list([.bool(true), .bool(false)])])),
            .caps(Caps("video/x-raw", ["width": .list([.int(1), .int(2)])])),
            .other(type: "GstFlagSet", text: "5:7"),
        ]
    }

    @Test("Each kind of value is written and read back the same", arguments: values) func roundTrip(value: FieldValue) {
        let caps = Caps("application/x-test", ["field": value])
        #expect(caps.first?["field"] == value)
    }

    @Test("Each kind of value survives being text", arguments: values) func textRoundTrip(value: FieldValue) throws {
        let caps = Caps("application/x-test", ["field": value])
        #expect(try Caps(caps.description) == caps)
    }

    @Test(
        "Ranges that GStreamer lacks become the nearest it has",
        arguments: [
            (.intRange(5, 5, step: 1), .int(5)), (.intRange(9, 2, step: 1), .int(9)),
            (.intRange(1, 10, step: 4), .intRange(4, 8, step: 4)), (.intRange(1, 3, step: 0), .intRange(1, 3, step: 1)),
            (.fractionRange(Fraction(30), Fraction(30)), .fraction(Fraction(30))),
            (.list([.int(1), .string("x"), .int(2)]), .list([.int(1), .int(2)])),
        ] as [(FieldValue, FieldValue)])
    func ranges(written: FieldValue, read: FieldValue) {
        #expect(Caps("application/x-test", ["field": written]).first?["field"] == read)
    }

    @Test(
        "Values that GStreamer cannot hold are left out",
        arguments: [
            .fraction(Fraction(30, 0)), .fraction(Fraction(1 << 40, 1)), .structure(Structure(name: "9 bad")),
            .other(type: "NoSuchType", text: "x"), .other(type: "GstCaps", text: "\"("),
        ] as [FieldValue])
    func impossible(value: FieldValue) {
        #expect(Caps("application/x-test", ["field": value, "other": 1]).first?.fields == ["other": .int(1)])
    }

    @Test("The text is the same each time, whatever the order of the dictionary") func stable() {
        let caps = Caps("video/x-raw", ["width": 1, "height": 2, "format": "I420", "a": true, "z": 0.5])
        #expect(
            caps.description
                == "video/x-raw, a=(boolean)true, format=(string)I420, height=(int)2, width=(int)1, z=(double)0.5")
    }

    @Test(
        "Text that is no caps is refused", arguments: ["video/x-raw,width=", "video/x-raw width=3", ";;"])
    func refused(text: String) { #expect(throws: GStreamerError.self) { try Caps(text) } }

    @Test("A name that is no media type makes empty caps without a warning") func badName() {
        #expect(Caps("", [:]).isEmpty)
        #expect(Caps("9 x", [:]).isEmpty)
    }

    @Test("Caps meet and equal each other") func algebra() throws {
        let wide = try Caps("video/x-raw,width=[1,100]; image/jpeg")
        let narrow = try Caps("video/x-raw,width=50")
        #expect(wide.canIntersect(narrow))
        #expect(try !wide.canIntersect(Caps("audio/x-raw")))
        #expect(wide != narrow)
        #expect(wide.structures.map(\.name) == ["video/x-raw", "image/jpeg"])
        #expect(try Caps("ANY").isAny)
    }

    @Test("Where the data lies is told") func features() throws {
        let caps = try Caps("video/x-raw(memory:DMABuf),width=1; video/x-raw")
        #expect(caps.features == [["memory:DMABuf"], ["memory:SystemMemory"]])
    }
}
