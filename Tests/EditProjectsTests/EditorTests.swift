import EditProjects
import Foundation
import FoundationXML
import Imaging
import MediaTypes
import Testing

/// What Kdenlive and Shotcut (22.12) take an MLT file for, as opening it in both has shown.
struct EditorTests {
    private func document() throws -> XMLElement {
        func movie(_ name: String) -> EditProject.Movie {
            .init(fileName: "\(name).mov", displayName: name, size: VideoSize(640, 360), rate: Fraction(25))
        }
        func place(_ camera: Int, _ x: Int, crop: Double, opacity: Double = 1) -> FeedPlacement {
            var place = FeedPlacement(
                feed: camera, rectangle: .init(x: x, y: 0, width: 320, height: 360),
                crop: .init(x: crop, y: 0, width: 640 - 2 * crop, height: 360))
            place.opacity = opacity
            return place
        }
        var project = EditProject(
            movie: movie("talk"), cameras: ["a", "b"].map(movie), duration: MediaTime(seconds: 10))
        project.audioTracks = ["Desk", "Guest"]
        project.steps = [
            .init(
                start: .zero, placements: [place(0, 0, crop: 160), place(1, 320, crop: 160, opacity: 0)], isCut: true),
            .init(
                start: MediaTime(seconds: 1), placements: [place(0, 0, crop: 0), place(1, 320, crop: 0)], isCut: true),
        ]
        project.chapters = [.init(start: MediaTime(seconds: 2), title: "\"Two\" & three")]
        let document = try XMLDocument(data: project.mlt(name: "talk"))
        return try #require(document.rootElement())
    }

    private func property(_ name: String, of element: XMLElement) -> String? {
        element.elements(forName: "property").first { $0.attribute(forName: "name")?.stringValue == name }?.stringValue
    }

    private func id(_ element: XMLElement) -> String? { element.attribute(forName: "id")?.stringValue }

    @Test func `Kdenlive finds its version, its clips and its guides in the first playlist`() throws {
        let root = try document()
        let bin = try #require(root.elements(forName: "playlist").first)
        #expect(id(bin) == "main_bin" && property("kdenlive:docproperties.version", of: bin) == "1.04")
        let entries = bin.elements(forName: "entry").compactMap { $0.attribute(forName: "producer")?.stringValue }
        #expect(entries == ["camera1", "camera2"])
        let guides = try #require(property("kdenlive:docproperties.guides", of: bin))
        let guide = try #require(
            (JSONSerialization.jsonObject(with: Data(guides.utf8)) as? [[String: Any]])?.first)
        #expect(guide["comment"] as? String == "\"Two\" & three" && guide["pos"] as? Int == 50)
        // Each movie is one clip to it, and its audio is that clip's.
        let producers = root.elements(forName: "producer").filter { property("mlt_service", of: $0) == "avformat" }
        #expect(producers.compactMap { property("kdenlive:id", of: $0) } == ["2", "3", "2", "2"])
    }

    @Test func `every track is a playlist, the background too, and audio is below video`() throws {
        let root = try document()
        let tractor = try #require(root.elements(forName: "tractor").first)
        let tracks = tractor.elements(forName: "track").compactMap { $0.attribute(forName: "producer")?.stringValue }
        #expect(tracks == ["black_track", "A1", "A2", "V1", "V2"])
        let playlists = root.elements(forName: "playlist").compactMap(id)
        #expect(tracks.allSatisfy(playlists.contains))
        // Both have their own ways to join tracks, and know these as such.
        let joined = tractor.elements(forName: "transition")
        #expect(joined.map { property("mlt_service", of: $0) } == ["mix", "mix", "composite"])
        #expect(joined.allSatisfy { property("internal_added", of: $0) == "237" })
        #expect(joined.map { property("a_track", of: $0) } == ["0", "0", "3"])
    }

    @Test func `what a camera has on its way is a filter of its clip that both know`() throws {
        let playlists = try document().elements(forName: "playlist")
        let clips = playlists.filter { id($0)?.hasPrefix("V") == true }.flatMap { $0.elements(forName: "entry") }
        // A camera that stays is one clip.
        #expect(clips.count == 2)
        let filters = clips.map { $0.elements(forName: "filter") }
        #expect(
            filters.map { $0.map { property("kdenlive_id", of: $0) } } == [
                ["pan_zoom", "pan_zoom"], ["pan_zoom", "pan_zoom", "fade_from_black"],
            ])
        #expect(
            filters[1].map { property("shotcut:filter", of: $0) } == [
                "affineSizePosition", "affineSizePosition", "fadeInBrightness",
            ])
        #expect(
            property("transition.rect", of: filters[0][0])
                == "0=-320 0 1280 360 1;24=-320 0 1280 360 1;25=0 0 640 360 1")
        #expect(property("transition.rect", of: filters[0][1]) == "0=0 0 320 360 1")
        #expect(property("alpha", of: filters[1][2]) == "0=0.0;24=0.0;25=1.0")
        #expect(filters[1][2].attribute(forName: "out")?.stringValue == "25")
    }

    @Test func `a border is what two edges leave, and both editors know them`() throws {
        var place = FeedPlacement(
            feed: 0, rectangle: .init(x: 100, y: 50, width: 320, height: 180),
            crop: .init(x: 0, y: 0, width: 640, height: 360))
        (place.cornerRadius, place.borderWidth) = (30, 3)
        let movie = EditProject.Movie(
            fileName: "a.mov", displayName: "a", size: VideoSize(640, 360), rate: Fraction(25))
        var project = EditProject(movie: movie, cameras: [movie], duration: MediaTime(seconds: 2))
        project.steps = [.init(start: .zero, placements: [place], isCut: true)]
        let root = try #require(XMLDocument(data: project.mlt(name: "talk")).rootElement())
        let filters = root.elements(forName: "playlist").filter { id($0)?.hasPrefix("V") == true }
            .flatMap { $0.elements(forName: "entry") }.flatMap { $0.elements(forName: "filter") }
            .filter { property("mlt_service", of: $0) == "qtcrop" }
        #expect(filters.map { property("kdenlive_id", of: $0) } == ["qtcrop", "qtcrop"])
        #expect(filters.map { property("shotcut:filter", of: $0) } == ["cropRectangle", "cropRectangle"])
        #expect(filters.map { property("rect", of: $0) } == ["0=103 53 314 174 1", "0=100 50 320 180 1"])
        #expect(filters.map { property("radius", of: $0) } == ["0=0.3103", "0=0.3333"])
        #expect(filters.map { property("color", of: $0) } == ["#ffffffff", "#00000000"])
    }
}
