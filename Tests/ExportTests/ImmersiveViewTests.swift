import Encoding
import Export
import Foundation
import MediaTypes
import SystemPackage
import TestSupport
import Testing

/// Frames around the viewer and with an image for each eye, and what lies beside frames: kept by encodes, or told.
@Suite(.timeLimit(.minutes(5)), .requires(tool: "ffmpeg", package: "ffmpeg")) struct ImmersiveViewTests {
    /// A box of QuickTime and MP4.
    private static func box(_ type: String, _ payload: [UInt8]) -> [UInt8] {
        number(payload.count + 8) + Array(type.utf8) + payload
    }

    private static func number(_ value: Int) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
    }

    /// Puts boxes at the end of the first box that a path of types leads to.
    private static func insert(_ new: [UInt8], into path: [String], of file: String) throws {
        var bytes = [UInt8](try Data(contentsOf: URL(filePath: file)))
        var (range, parents) = (0..<bytes.count, [Int]())
        for type in path {
            var place = range.lowerBound
            while !bytes[place + 4..<place + 8].elementsEqual(type.utf8) {
                place += bytes[place..<place + 4].reduce(0) { $0 << 8 | Int($1) }
                try #require(place < range.upperBound)
            }
            parents.append(place)
            let size = bytes[place..<place + 4].reduce(0) { $0 << 8 | Int($1) }
            range = place + (type == "stsd" ? 16 : 8)..<place + size
        }
        bytes.insert(contentsOf: new, at: range.upperBound)
        for parent in parents {
            let size = bytes[parent..<parent + 4].reduce(0) { $0 << 8 | Int($1) } + new.count
            bytes.replaceSubrange(parent..<parent + 4, with: number(size))
        }
        try Data(bytes).write(to: URL(filePath: file))
    }

    private static let entry = ["moov", "trak", "mdia", "minf", "stbl", "stsd", "avc1"]
    /// A whole sphere, looked at 30° to the left and 10° upwards.
    private static let sphere: [UInt8] = box(
        "sv3d",
        box("svhd", [0, 0, 0, 0, 0])
            + box(
                "proj",
                box("prhd", [0, 0, 0, 0] + number(30 << 16) + number(10 << 16) + number(0))
                    + box("equi", [UInt8](repeating: 0, count: 20))))

    private func movie(_ boxes: [UInt8], into path: [String] = entry) async throws -> MadeMovie {
        let movie = try await MadeMovie(
            "take.mp4", "-c:v libx264 -preset ultrafast -pix_fmt yuv420p -c:a aac", seconds: 1, size: "320x160")
        // The fixture is shared.
        let own = movie.folder.file("own.mp4")
        try FileManager.default.copyItem(atPath: movie.path, toPath: own)
        try Self.insert(boxes, into: path, of: own)
        return movie
    }

    private func export(_ movie: MadeMovie, _ settings: ExportSettings, to name: String, from input: String = "own.mp4")
        async throws -> [String]
    {
        try await ExportSession(input: FilePath(movie.folder.file(input)), settings: settings)
            .export(to: MovieDestination(FilePath(movie.folder.file(name)))).notes
    }

    /// What ffprobe says of the frames.
    private func told(_ movie: MadeMovie, _ name: String) async throws -> String {
        try await Tool.succeed(
            "ffprobe",
            ["-v", "error", "-select_streams", "v", "-of", "csv=p=0", "-show_entries"]
                + ["stream=sample_aspect_ratio:stream_side_data=projection,yaw,pitch,type", movie.folder.file(name)]
        ).text.trimmingCharacters(in: .whitespacesAndNewlines)
    }

    private static let words = "The frames lie all around the viewer (360°)"

    @Test func `360° video for both eyes stays that when it is encoded, scaled or not, in every container`()
        async throws
    {
        let movie = try await movie(Self.sphere + Self.box("st3d", [0, 0, 0, 0, 1]))
        let wanted = try await told(movie, "own.mp4")
        #expect(wanted.contains("equirectangular") && wanted.contains("top and bottom") && wanted.contains("30"))
        var small = MadeMovie.settings()
        small.size = VideoSize(160, 120)
        for (name, settings) in [
            ("out.mp4", MadeMovie.settings()), ("out.mov", MadeMovie.settings()), ("out.mkv", MadeMovie.settings()),
            ("small.mp4", small), ("small.mkv", small),
        ] {
            let notes = try await export(movie, settings, to: name)
            #expect(!notes.contains { $0.contains("viewer") || $0.contains("eye") }, "\(notes)")
            let result = try await told(movie, name)
            if !name.hasPrefix("small") { #expect(result == wanted, "\(name)") }
            #expect(
                result.contains("equirectangular") && result.contains("top and bottom") && result.contains("30"),
                "\(name): \(result)")
            #expect(try await movie.frames(of: name) == Array(0..<25), "\(name)")
        }
        // And from Matroska.
        for name in ["back.mp4", "back.mkv", "copy.mp4", "copy.mkv", "back.webm"] {
            var settings = MadeMovie.settings()
            if name.hasPrefix("copy") { settings = ExportSettings(preset: "copy") }
            if name.hasSuffix("webm") { settings = ExportSettings(preset: "webm") }
            let notes = try await export(movie, settings, to: name, from: "out.mkv")
            #expect(!notes.contains { $0.contains("viewer") || $0.contains("eye") }, "\(notes)")
            #expect(try await told(movie, name) == wanted, "\(name)")
        }
    }

    @Test func `frames that are no sphere any more are not called one, and that is told`() async throws {
        let movie = try await movie(Self.sphere)
        var cut = MadeMovie.settings()
        cut.crop = CropArea(x: 0, y: 0, size: VideoSize(160, 120))
        for name in ["cut.mp4", "cut.mkv"] {
            let notes = try await export(movie, cut, to: name)
            #expect(notes.count { $0.hasPrefix(Self.words) } == 1, "\(notes)")
            #expect(try await !told(movie, name).contains("equirectangular"))
        }
    }

    @Test func `the first version of it is kept too`() async throws {
        let text =
            "<rdf:SphericalVideo xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#' "
            + "xmlns:GSpherical='http://ns.google.com/videos/1.0/spherical/'>"
            + "<GSpherical:Spherical>true</GSpherical:Spherical><GSpherical:Stitched>true</GSpherical:Stitched>"
            + "<GSpherical:StitchingSoftware>Test</GSpherical:StitchingSoftware>"
            + "<GSpherical:ProjectionType>equirectangular</GSpherical:ProjectionType></rdf:SphericalVideo>"
        let uuid: [UInt8] = [
            0xFF, 0xCC, 0x82, 0x63, 0xF8, 0x55, 0x4A, 0x93, 0x88, 0x14, 0x58, 0x7A, 0x02, 0x52, 0x1F, 0xDD,
        ]
        let movie = try await movie(Self.box("uuid", uuid + Array(text.utf8)), into: ["moov", "trak"])
        #expect(try await told(movie, "own.mp4").contains("equirectangular"))
        for name in ["out.mov", "out.mkv"] {
            let notes = try await export(movie, MadeMovie.settings(), to: name)
            #expect(!notes.contains { $0.hasPrefix(Self.words) }, "\(notes)")
            #expect(try await told(movie, name).contains("equirectangular"), "\(name)")
        }
    }

    @Test func `what lies beside frames of Matroska is told by encodes`() async throws {
        let movie = try await MadeMovie("take.mkv", "-c:v libx264 -preset ultrafast -c:a aac", seconds: 1)
        let own = movie.folder.file("own.mkv")
        var bytes = [UInt8](try Data(contentsOf: URL(filePath: movie.path)))
        // MaxBlockAdditionID (RFC 9559, 5.1.4.1.16) in the place of what the first track says of lacing.
        let tracks = try #require(bytes.firstRange(of: [0x16, 0x54, 0xAE, 0x6B])).upperBound
        let place = try #require(bytes[tracks...].firstRange(of: [0x22, 0xB5, 0x9C, 0x83]))
        bytes.replaceSubrange(place.lowerBound..<place.lowerBound + 7, with: [0x55, 0xEE, 0x81, 4, 0xEC, 0x81, 0])
        try Data(bytes).write(to: URL(filePath: own))
        let words = "What lies beside the frames of track 1, such as HDR10+ metadata, is left out."
        #expect(try await export(movie, MadeMovie.settings(), to: "out.mp4", from: "own.mkv").contains(words))
        #expect(try await !movie.export(MadeMovie.settings(), to: "plain.mp4").notes.contains(words))
        #expect(try await movie.frames(of: "out.mp4") == Array(0..<25))
    }
}
