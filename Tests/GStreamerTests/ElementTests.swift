import GStreamer
import Testing

@Suite("Elements, bins and pads") struct ElementTests {
    @Test("A factory that is not installed is named") func missing() {
        let error = #expect(throws: GStreamerError.self) { try Element("nosuchenc") }
        #expect(error?.element == "nosuchenc")
    }

    @Test("An element knows its name, factory and path") func names() throws {
        let pipeline = Pipeline(name: "p")
        let element = try Element("identity", name: "middle")
        try pipeline.bin.add(element)
        #expect(element.name == "middle")
        #expect(element.factoryName == "identity")
        #expect(element.path == "/GstPipeline:p/GstIdentity:middle")
        #expect(pipeline.bin.element(named: "middle")?.path == element.path)
        #expect(pipeline.bin.element(named: "other") == nil)
    }

    @Test("A bin refuses a second element of a name, and one that is in a bin already") func refusals() throws {
        let (one, two) = (Pipeline(), Pipeline())
        let element = try Element("identity", name: "same")
        try one.bin.add(element)
        #expect(throws: GStreamerError.self) { try one.bin.add(Element("identity", name: "same")) }
        #expect(throws: GStreamerError.self) { try two.bin.add(element) }
    }

    @Test(
        "Half a pipeline is never returned",
        arguments: [
            "videotestsrc ! nosuchelement ! fakesink", "videotestsrc pattern=nosuch ! fakesink", "videotestsrc !", "",
            "videotestsrc nosuch=1", "videotestsrc ! audioconvert ! fakesink", "( ", "\"",
        ])
    func parseErrors(line: String) {
        #expect(throws: GStreamerError.self) { try Bin(parsing: line) }
    }

    @Test("A launch line's open ends are the bin's pads") func parse() throws {
        let bin = try Bin(parsing: "videotestsrc pattern=ball ! video/x-raw,width=32 ! identity name=last")
        #expect(bin.element.pad("src") != nil)
        #expect(bin.element.pad("sink") == nil)
        #expect(bin.element(named: "last") != nil)
    }

    @Test("Pads that do not fit are refused with a reason") func links() throws {
        let pipeline = Pipeline()
        let (source, sink) = (try Element("audiotestsrc"), try Element("videoconvert"))
        try pipeline.bin.add(source)
        try pipeline.bin.add(sink)
        let (output, input) = (try #require(source.pad("src")), try #require(sink.pad("sink")))
        let error = #expect(throws: GStreamerError.self) { try output.link(to: input) }
        #expect(error?.message.contains("format") == true)
        #expect(throws: GStreamerError.self) { try input.link(to: output) }
        #expect(!output.isLinked)
        #expect(output.isSource && !input.isSource)
    }

    @Test("A pad on request is given and named") func requestPads() throws {
        let tee = try Element("tee")
        let pad = try tee.requestPad("src_%u")
        #expect(tee.pad(pad.name) != nil)
        #expect(throws: GStreamerError.self) { try tee.requestPad("video_%u") }
        #expect(throws: GStreamerError.self) { try Element("identity").requestPad("src_%u") }
    }
}
