import GStreamer
import Testing

@Suite("The registry") struct ElementFactoryTests {
    @Test("A factory tells what it makes without making it") func reads() throws {
        let factory = try #require(ElementFactory("videotestsrc"))
        #expect(factory.longName == "Video test source")
        #expect(factory.classification == "Source/Video")
        #expect(factory.rank == 0)
        #expect(try factory.templateCaps(source: true).first?.canIntersect(Caps("video/x-raw,format=I420")) == true)
        #expect(factory.templateCaps(source: false).isEmpty)
    }

    @Test("What is not installed is nil") func missing() {
        #expect(ElementFactory("nosuch") == nil)
        #expect(!ElementFactory.exists(""))
        #expect(ElementFactory.exists("identity"))
        #expect(GStreamerLibrary.version.split(separator: ".").count == 3)
    }
}
