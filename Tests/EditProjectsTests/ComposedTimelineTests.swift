import EditProjects
import Foundation
import Imaging
import MediaTypes
import Testing

/// Projects that were changed by hand, or made up.
@Suite struct ComposedTimelineTests {
    /// A project of two cameras with one layout, of whose JSON the values of some keys are others.
    private func read(_ changes: [String: Any]) throws -> ComposedTimeline {
        func movie(_ name: String) -> EditProject.Movie {
            .init(fileName: name, displayName: name, size: VideoSize(640, 360), rate: Fraction(25))
        }
        let placements = [0, 1].map { feed in
            FeedPlacement(
                feed: feed, rectangle: .init(x: 0, y: 0, width: 640, height: 360),
                crop: .init(x: 0, y: 0, width: 640, height: 360))
        }
        var project = EditProject(
            movie: movie("talk.mov"), cameras: [movie("a.mov"), movie("b.mov")], duration: MediaTime(seconds: 4))
        let choice = EditProject.LayoutChoice(
            layout: try Layout("side-by-side"), order: [1, 0], transition: .zero, elapsed: .zero)
        project.steps = [.init(start: .zero, placements: placements, isCut: true, choice: choice)]
        func changed(_ value: Any) -> Any {
            if let list = value as? [Any] { return list.map(changed) }
            guard let object = value as? [String: Any] else { return value }
            return object.reduce(into: [String: Any]()) { $0[$1.key] = changes[$1.key] ?? changed($1.value) }
        }
        let json = try JSONSerialization.jsonObject(with: project.otio(name: "talk"))
        return try ComposedTimeline(otio: JSONSerialization.data(withJSONObject: changed(json)))
    }

    @Test func `the order of the cameras is read`() throws {
        let timeline = try read([:])
        #expect(timeline.movie == "talk.mov" && timeline.cameras == ["a.mov", "b.mov"])
        #expect(timeline.steps.map(\.choice.order) == [[1, 0]])
    }

    @Test(arguments: [[1e300, 0], [0.5, 1], [-1e300], [0, 1, 1], []])
    func `an order that is none is the cameras' own`(order: [Double]) throws {
        #expect(try read(["order": order]).steps.map(\.choice.order) == [[0, 1]])
    }

    @Test(arguments: ["..%2Fout%2Ff.mp4", "file:///tmp/out/f.mp4", "%2Fout%2Ff.mp4", "f.mp4"])
    func `a movie lies beside its project, whatever folder is told`(url: String) throws {
        #expect(try read(["target_url": url]).cameras == ["f.mp4", "f.mp4"])
    }

    @Test(arguments: ["..", "a/..", "%2E%2E", "a%2F.%2E", ".", "", "f%00.mp4"])
    func `what is no file's name is refused`(url: String) {
        #expect(throws: DecodingError.self) { try read(["target_url": url]) }
    }
}
