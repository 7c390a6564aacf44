import Foundation
import FoundationXML
import Imaging
import MediaTypes
import Testing

@testable import EditProjects

/// When MLT is asked for which of a camera's frames; melt itself judges what comes of it in the command's tests.
struct FrameRequestTests {
    private func camera(_ rate: Int, second: Double?) -> EditProject.Movie {
        var movie = EditProject.Movie(
            fileName: "inset.mov", displayName: "inset", size: VideoSize(640, 360), rate: Fraction(rate))
        movie.secondFrame = second.map { MediaTime(seconds: $0) }
        return movie
    }

    @Test(arguments: [nil, 0.003, 0.016, 0.033])
    func `of a camera of the composed movie's rate half a frame makes the newest of the nearest`(second: Double?) {
        let request = FrameRequest(of: camera(30, second: second), at: Fraction(30), frameCount: 900)
        #expect(request.offset == 0 && request.delay == "0.016333")
    }

    /// Where its second frame is shown, in frames of its own, and the offset of which a model of MLT finds no frame wrong, or the first.
    @Test(arguments: [(0.1, 3), (0.3, 4), (0.5, 0), (0.7, 1), (0.9, 2)])
    func `24 in 30 have one of five offsets, and the delay is as much longer`(second: Double, offset: Int) {
        let request = FrameRequest(of: camera(24, second: second / 24), at: Fraction(30), frameCount: 900)
        #expect(request.offset == offset)
        #expect(abs(request.seconds - Double(offset) / 30 - 0.49 / 24) < 0.000_001)
    }

    @Test func `no offset is longer than half a second, also of rates that nearly agree`() {
        for second in stride(from: 0.05, to: 1, by: 0.1) {
            let request = FrameRequest(of: camera(29, second: second / 29), at: Fraction(30), frameCount: 1 << 40)
            #expect(request.offset <= 15)
        }
    }

    @Test func `a clip of another rate begins as much later in its source, its filters and the source's length too`()
        throws
    {
        var project = EditProject(
            movie: camera(30, second: nil), cameras: [camera(30, second: nil), camera(24, second: 0.3 / 24)],
            duration: MediaTime(seconds: 2))
        let places = (0...1).map { feed in
            FeedPlacement(
                feed: feed, rectangle: .init(x: 0, y: 0, width: 320, height: 180),
                crop: .init(x: 0, y: 0, width: 640, height: 360))
        }
        project.steps = [.init(start: .zero, placements: places, isCut: true)]
        let root = try #require(XMLDocument(data: project.mlt(name: "take")).rootElement())
        func span(_ element: FoundationXML.XMLElement?) -> String {
            ["in", "out"].map { element?.attribute(forName: $0)?.stringValue ?? "" }.joined(separator: "–")
        }
        let producers = root.elements(forName: "producer")
        let inset = try #require(producers.first { $0.attribute(forName: "id")?.stringValue == "camera2" })
        #expect(span(inset) == "0–63")
        let properties = inset.elements(forName: "property")
        #expect(properties.first { $0.attribute(forName: "name")?.stringValue == "length" }?.stringValue == "64")
        let clips = root.elements(forName: "playlist").suffix(2).compactMap { $0.elements(forName: "entry").first }
        #expect(clips.map(span) == ["0–59", "4–63"])
        #expect(clips.map { span($0.elements(forName: "filter").first) } == ["0–59", "4–63"])
    }
}
