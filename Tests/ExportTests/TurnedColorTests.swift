import Encoding
import Export
import Foundation
import MediaTypes
import MovieFiles
import SystemPackage
import TestSupport
import Testing

/// Frames that say nothing of their colors and get another height: what players take for granted depends on that.
@Suite(.timeLimit(.minutes(5)), .requires(tool: "ffmpeg", package: "ffmpeg")) struct TurnedColorTests {
    private let folder: TemporaryFolder
    init() throws { folder = try TemporaryFolder() }

    private func make() async throws {
        _ = try await Tool.succeed(
            "ffmpeg",
            ["-nostdin", "-v", "error", "-f", "lavfi", "-i", "color=0x00c000:size=640x480:rate=10:duration=0.5"]
                + Tool.words("-c:v libx264 -pix_fmt yuv420p") + [folder.file("in.mp4")])
        try MovieEditing.setOrientation(
            MovieOrientation(rotation: .quarter), ofMovieAt: FilePath(folder.file("in.mp4")))
    }

    /// The first pixel as a player shows it.
    private func color(_ name: String) async throws -> [UInt8] {
        Array(
            try await Tool.succeed(
                "ffmpeg",
                ["-nostdin", "-v", "error", "-i", folder.file(name), "-frames:v", "1", "-vf"]
                    + ["scale=out_range=full,format=rgb24,crop=2:2", "-f", "rawvideo", "-"]
            ).output.prefix(3))
    }

    @Test(arguments: ["apply", "filter", "scale"], ["h264", "hevc"])
    func `they keep their colors`(change: String, preset: String) async throws {
        try await make()
        var settings = ExportSettings(preset: preset)
        switch change {
        case "apply": settings.rotation = .apply
        case "filter": settings.videoFilter = "null"
        default: settings.videoFilter = "scale=960:1280"
        }
        settings.reencodes = true
        _ = try await ExportSession(input: FilePath(folder.file("in.mp4")), settings: settings)
            .export(to: MovieDestination(FilePath(folder.file("out.mp4"))))
        let video = try #require(try await FFProbe.inspect(folder.file("out.mp4")).video.first)
        #expect((video.height ?? 0) > (video.width ?? 0))
        #expect(video.colorSpace == "smpte170m", "\(video)")
        let (own, new) = (try await color("in.mp4"), try await color("out.mp4"))
        #expect(zip(own, new).allSatisfy { abs(Int($0) - Int($1)) <= 4 }, "\(own) \(new)")
    }

    @Test func `so does an image of them`() async throws {
        try await make()
        let image = MovieDestination(FilePath(folder.file("out.png")))
        try await ImageGenerator(of: FilePath(folder.file("in.mp4"))).write([(.zero, image)]) { _ in }
        let (own, new) = (try await color("in.mp4"), try await color("out.png"))
        #expect(zip(own, new).allSatisfy { abs(Int($0) - Int($1)) <= 4 }, "\(own) \(new)")
    }
}
