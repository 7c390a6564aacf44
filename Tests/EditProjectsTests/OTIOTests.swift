import EditProjects
import Foundation
import Imaging
import MediaTypes
import TestSupport
import Testing

/// Where scripts/setup puts OpenTimelineIO's library.
private let python = Checkout.folder.appending(path: ".build/opentimelineio/bin/python3").path

/// OpenTimelineIO's own library reads the projects.
@Suite(
    .requirement("needs OpenTimelineIO's Python library; run scripts/setup tests") {
        Tool.path(of: python) != nil
    })
struct OTIOTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private struct Read: Decodable {
        struct Clip: Decodable {
            var name, file: String
            var start, count, rate, available: Double
            /// By the time code; and in seconds from the media's beginning.
            var source, media: Double
            var enabled: Bool
            var cameras: [Int]
        }
        struct Track: Decodable {
            var name, kind: String
            var clips: [Clip]
        }
        struct Marker: Decodable {
            var name: String
            var start, rate: Double
        }
        var tracks: [Track]
        var markers: [Marker]
        var duration: Double
    }

    private static let program = """
        import json, sys, urllib.parse
        import opentimelineio as otio
        timeline = otio.adapters.read_from_file(sys.argv[1])
        def clip(item):
            place = item.range_in_parent()
            reference = item.media_reference
            return {"name": item.name, "file": urllib.parse.unquote(reference.target_url), "enabled": item.enabled,
                "start": place.start_time.value, "source": item.trimmed_range().start_time.value,
                "media": item.trimmed_range().start_time.to_seconds() - reference.available_range.start_time.to_seconds(), "count": place.duration.value, "rate": place.duration.rate,
                "available": reference.available_range.duration.value,
                "cameras": [each["camera"] for each in item.metadata.get("rushes", {}).get("placements", [])]}
        print(json.dumps({"tracks": [{"name": each.name, "kind": each.kind, "clips": [clip(item) for item in each]}
                for each in timeline.tracks],
            "markers": [{"name": each.name, "start": each.marked_range.start_time.value,
                "rate": each.marked_range.start_time.rate} for each in timeline.tracks.markers],
            "duration": timeline.duration().to_seconds()}))
        """

    private func read(_ project: EditProject) async throws -> Read {
        let file = folder.file("take.otio")
        try project.otio(name: "take").write(to: URL(filePath: file))
        let text = try await Tool.succeed(python, ["-c", Self.program, file]).output
        return try JSONDecoder().decode(Read.self, from: text)
    }

    private func place(_ camera: Int) -> FeedPlacement {
        FeedPlacement(
            feed: camera, rectangle: .init(x: 0, y: 0, width: 640, height: 360),
            crop: .init(x: 0, y: 0, width: 640, height: 360))
    }

    @Test(arguments: [
        "talk", "it's \"said\" & <done>", "Ärger über Öl", "100%", "%41%20", "-talk", "12:30 http:", "#1?",
        "a\u{7}b\nc",
    ])
    func `its library reads every cut and marker where it was, and every name`(_ stem: String) async throws {
        let rate = Fraction(30000, 1001)
        func time(_ frame: Int) -> MediaTime { MediaTime(seconds: Double(frame) * 1001 / 30000) }
        func movie(_ name: String, _ rate: Fraction) -> EditProject.Movie {
            .init(fileName: "\(name).mov", displayName: name, size: VideoSize(640, 360), rate: rate)
        }
        var project = EditProject(
            movie: movie(stem, rate), cameras: [movie("\(stem) – a", rate), movie("\(stem) – b", Fraction(24))],
            duration: time(300))
        project.steps = [
            .init(start: .zero, placements: [place(0), place(1)], isCut: true),
            .init(start: time(100), placements: [place(0)], isCut: true),
            .init(start: time(101), placements: [place(1)], isCut: false),
            .init(start: time(250), placements: [place(1), place(0)], isCut: true),
        ]
        project.chapters = [.init(start: .zero, title: "One"), .init(start: time(123), title: "“Two” & \"3\"")]
        let read = try await read(project)
        #expect(read.tracks.map(\.name) == ["V1", "V2", "V3", "A1"])
        #expect(read.tracks.map(\.kind) == ["Video", "Video", "Video", "Audio"])
        let cuts = read.tracks[2].clips
        #expect(cuts.map(\.start) == [0, 100, 250] && cuts.map(\.count) == [100, 150, 50])
        #expect(cuts.map(\.cameras) == [[0, 1], [1], [1, 0]])
        #expect(cuts.allSatisfy { $0.file == "\(stem).mov" && $0.name == $0.file && $0.enabled })
        #expect(cuts.allSatisfy { abs($0.rate - rate.doubleValue) < 1e-9 && $0.available == 300 })
        // They lie below the composed movie, and do not hide it even where somebody switches them on.
        let cameras = read.tracks[0...1].flatMap(\.clips)
        #expect(cameras.map(\.file) == ["\(stem) – a.mov", "\(stem) – b.mov"])
        #expect(cameras.allSatisfy { $0.start == 0 && $0.count == 300 && !$0.enabled })
        #expect(cameras.map(\.available) == [300, 240])
        #expect(read.tracks[3].clips.map(\.file) == ["\(stem).mov"])
        #expect(read.markers.map(\.start) == [0, 123])
        #expect(read.markers.map(\.name) == ["One", "“Two” & \"3\""])
        #expect(abs(read.duration - 10.01) < 1e-6)
    }

    @Test func `frames are counted from the movies' time codes, and it is read back what was asked for`() async throws {
        func movie(_ name: String, _ rate: Int, _ first: Int) -> EditProject.Movie {
            var movie = EditProject.Movie(
                fileName: "\(name) 1.mov", displayName: name, size: VideoSize(640, 360), rate: Fraction(rate))
            movie.firstFrame = first
            return movie
        }
        var project = EditProject(
            movie: movie("talk", 30, 504_522), cameras: [movie("a", 30, 504_522), movie("b", 25, 420_435)],
            duration: MediaTime(seconds: 10))
        let choices = try [("top-left,size=30%", [0, 1]), ("side-by-side", [1, 0])].map { text, order in
            EditProject.LayoutChoice(
                layout: try Layout(text), order: order, transition: MediaTime(seconds: 0.5),
                elapsed: MediaTime(seconds: 0.02))
        }
        project.steps = [
            .init(start: .zero, placements: [place(0), place(1)], isCut: true, choice: choices[0]),
            .init(start: MediaTime(seconds: 4), placements: [place(0)], isCut: true, choice: choices[1]),
        ]
        project.chapters = [.init(start: MediaTime(seconds: 4), title: "Four")]
        let read = try await read(project)
        #expect(
            read.tracks[2].clips.map(\.source) == [504_522, 504_642] && read.tracks[2].clips.map(\.media) == [0, 4])
        // The second camera's first frame was taken at the same time of day, by its own count of 25.
        #expect(read.tracks[0...1].flatMap(\.clips).allSatisfy { $0.source == 504_522 && abs($0.media) < 1e-6 })
        #expect(read.markers.map(\.start) == [120] && abs(read.duration - 10) < 1e-6)
        let timeline = try ComposedTimeline(otio: project.otio(name: "talk"))
        #expect(timeline.movie == "talk 1.mov" && timeline.cameras == ["a 1.mov", "b 1.mov"].map { Array($0.utf8) })
        #expect(timeline.duration == MediaTime(seconds: 10))
        #expect(timeline.steps.map(\.start.seconds) == [0, 4] && timeline.steps.map(\.choice) == choices)
        #expect(timeline.chapters == project.chapters)
    }

    @Test func `the same project is the same bytes, and without audio there is no track for it`() async throws {
        var project = EditProject(
            movie: .init(fileName: "a.mov", displayName: "a", size: VideoSize(64, 36), rate: Fraction(25)), cameras: [],
            duration: MediaTime(nanoseconds: 1_000_000_000))
        project.audioTracks = []
        #expect(try project.otio(name: "a") == project.otio(name: "a"))
        let read = try await read(project)
        #expect(read.tracks.map(\.name) == ["V1"] && read.tracks[0].clips.map(\.count) == [25])
    }
}
