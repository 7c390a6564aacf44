import EditProjects
import Foundation
import Imaging
import MediaTypes
import Testing

/// Projects that were changed by hand, or made up.
@Suite struct ComposedTimelineTests {
    /// A project of two cameras with one layout, of whose JSON the values of some keys are others.
    private func read(
        _ changes: [String: Any], origin: EditProject.LayoutChoice.Origin? = nil
    ) throws -> ComposedTimeline {
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
        var choice = EditProject.LayoutChoice(
            layout: try Layout("side-by-side"), order: [1, 0], transition: .zero, elapsed: .zero)
        choice.origin = origin
        project.steps = [.init(start: .zero, placements: placements, isCut: true, choice: choice)]
        func changed(_ value: Any) -> Any {
            if let list = value as? [Any] { return list.map(changed) }
            guard let object = value as? [String: Any] else { return value }
            return object.reduce(into: [String: Any]()) { $0[$1.key] = changes[$1.key] ?? changed($1.value) }
        }
        let json = try JSONSerialization.jsonObject(with: project.otio(name: "talk"))
        return try ComposedTimeline(otio: JSONSerialization.data(withJSONObject: changed(json)))
    }

    private func names(_ names: String...) -> [[UInt8]] { names.map { Array($0.utf8) } }

    @Test func `the order of the cameras is read`() throws {
        let timeline = try read([:])
        #expect(timeline.movie == "talk.mov" && timeline.cameras == names("a.mov", "b.mov"))
        #expect(timeline.steps.map(\.choice.order) == [[1, 0]])
    }

    @Test func `the layout that another one followed in a pause is read, and passed over where it is none`() throws {
        #expect(try read([:]).steps.map(\.choice.origin) == [nil])
        let origin = EditProject.LayoutChoice.Origin(layout: try Layout("grid"), order: [1, 0])
        #expect(try read([:], origin: origin).steps.map(\.choice.origin) == [origin])
        #expect(
            try read(["from": ["layout": "grid", "order": [7]]], origin: origin).steps.map(\.choice.origin?.order) == [
                [0, 1]
            ])
        #expect(try read(["from": ["layout": "x"]], origin: origin).steps.map(\.choice.origin) == [nil])
    }

    @Test(arguments: [[1e300, 0], [0.5, 1], [-1e300], [0, 1, 1], []])
    func `an order that is none is the cameras' own`(order: [Double]) throws {
        #expect(try read(["order": order]).steps.map(\.choice.order) == [[0, 1]])
    }

    @Test(arguments: ["..%2Fout%2Ff.mp4", "file:///tmp/out/f.mp4", "%2Fout%2Ff.mp4", "f.mp4"])
    func `a movie lies beside its project, whatever folder is told`(url: String) throws {
        #expect(try read(["target_url": url]).cameras == names("f.mp4", "f.mp4"))
    }

    @Test func `names are any bytes, and only those of text are told to MLT`() throws {
        func project(_ name: [UInt8]) -> EditProject {
            let movies = [Array("main.mov".utf8), name].map {
                EditProject.Movie(fileBytes: $0, displayName: "", size: VideoSize(640, 360), rate: Fraction(25))
            }
            return EditProject(movie: movies[0], cameras: movies, duration: .second)
        }
        for name in [[0xE9, 0x2E, 0x6D], [0x25, 0x34, 0x31, 0xFF]] as [[UInt8]] {
            let project = project(name)
            #expect(try ComposedTimeline(otio: project.otio(name: "talk")).cameras == [Array("main.mov".utf8), name])
            #expect(project.obstacleToMLT != nil)
        }
        #expect(project(Array("talk 14:03.mov".utf8)).obstacleToMLT != nil)
        #expect(project(Array("Käthe 100%.mov".utf8)).obstacleToMLT == nil)
    }

    @Test func `a composed movie that players turn stays that, and MLT has no place for it`() throws {
        let movie = EditProject.Movie(
            fileName: "a.mov", displayName: "", size: VideoSize(360, 640), rate: Fraction(25))
        var project = EditProject(movie: movie, cameras: [movie, movie], duration: .second)
        #expect(project.obstacleToMLT == nil)
        project.orientation = MovieOrientation(rotation: .quarter, isMirrored: true)
        let timeline = try ComposedTimeline(otio: project.otio(name: "talk"))
        #expect(timeline.orientation == project.orientation)
        #expect(project.obstacleToMLT?.contains("rotation") == true)
    }

    @Test(arguments: [-1e300, -5, 1e300, .greatestFiniteMagnitude]) func `no time is below zero or beyond all others`(
        value: Double
    ) throws {
        func movie(_ name: String) -> EditProject.Movie {
            .init(fileName: name, displayName: name, size: VideoSize(640, 360), rate: Fraction(25))
        }
        var project = EditProject(
            movie: movie("talk.mov"), cameras: [movie("a.mov"), movie("b.mov")], duration: .second)
        let choice = EditProject.LayoutChoice(layout: try Layout("side-by-side"), order: [1, 0], transition: .second)
        project.steps = [MediaTime.zero, .second / 2].map {
            .init(start: $0, placements: [], isCut: true, choice: choice)
        }
        project.chapters = [.init(start: .second / 2, title: "One")]
        // All but the first clip's beginning.
        var isFirst = true
        func changed(_ value: Any, _ number: Double) -> Any {
            if let list = value as? [Any] { return list.map { changed($0, number) } }
            guard let object = value as? [String: Any] else { return value }
            return object.sorted { $0.key > $1.key }.reduce(into: [String: Any]()) { result, entry in
                switch entry.key {
                case "elapsed", "transition": result[entry.key] = number
                case "start_time" where isFirst:
                    isFirst = false
                    result[entry.key] = entry.value
                case "value": result[entry.key] = number
                default: result[entry.key] = changed(entry.value, number)
                }
            }
        }
        let json = try JSONSerialization.jsonObject(with: project.otio(name: "talk"))
        let read = try ComposedTimeline(otio: JSONSerialization.data(withJSONObject: changed(json, value)))
        let times =
            read.steps.flatMap { [$0.start, $0.choice.transition] } + read.chapters.map(\.start) + [read.duration]
        #expect(read.steps.count == 2 && read.chapters.count == 1)
        #expect(times.allSatisfy { (.zero)...(.longest) ~= $0 }, "\(times)")
        // A change may be asked for before the frames of that time have come.
        let elapsed = value < -1e9 ? -MediaTime.longest : value > 1e9 ? .longest : MediaTime(seconds: value)
        #expect(read.steps.map(\.choice.elapsed) == [elapsed, elapsed])
    }

    @Test(arguments: ["..", "a/..", "%2E%2E", "a%2F.%2E", ".", "", "f%00.mp4"])
    func `what is no file's name is refused`(url: String) {
        #expect(throws: DecodingError.self) { try read(["target_url": url]) }
    }
}
