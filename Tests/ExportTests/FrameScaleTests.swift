import Encoding
import Export
import Foundation
import MediaTypes
import MovieFiles
import SystemPackage
import TestSupport
import Testing

/// Frames that become smaller and keep their proportions and the shape of their pixels.
@Suite(.timeLimit(.minutes(5)), .requires(tool: "ffmpeg", package: "ffmpeg"))
struct FrameScaleTests: MakesInputs {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test(arguments: [
        ("720p", FrameScale.atMost(720)), ("480P", .atMost(480)), ("1280x", .width(1280)), ("x720", .height(720)),
        ("1280×", .width(1280)),
    ])
    func `what people type`(text: String, scale: FrameScale) { #expect(FrameScale(text) == scale) }

    @Test(arguments: ["", "p", "x", "720", "p720", "1p", "70000x", "1280x720", "-2x", "7 20p", "x-1"])
    func `what it is not`(text: String) { #expect(FrameScale(text) == nil) }

    /// - Returns: the result, and size and pixel shape by ffprobe: "90x160 1:1".
    private func scaled(
        _ input: String, _ scale: FrameScale?, to name: String = "out.mp4",
        _ change: (inout ExportSettings) -> Void = { _ in }
    ) async throws -> (result: ExportResult, shape: String) {
        var settings = ExportSettings(preset: name.hasSuffix("gif") ? "gif" : "h264")
        settings.scale = scale
        change(&settings)
        let result = try await ExportSession(input: FilePath(folder.file(input)), settings: settings)
            .export(to: MovieDestination(FilePath(folder.file(name)), replacesExisting: true))
        let video = try #require(try await FFProbe.inspect(folder.file(name)).video.first)
        let shape = try await Tool.succeed(
            "ffprobe",
            ["-v", "error", "-select_streams", "v", "-show_entries", "stream=sample_aspect_ratio", "-of", "csv=p=0"]
                + [folder.file(name)]
        ).text.trimmingCharacters(in: .whitespacesAndNewlines).trimmingCharacters(in: [","])
        return (result, "\(video.width ?? 0)x\(video.height ?? 0) \(shape == "N/A" ? "1:1" : shape)")
    }

    @Test(arguments: [
        ("320x180", FrameScale.atMost(90), "160x90 1:1"), ("180x320", .atMost(90), "90x160 1:1"),
        ("320x180", .atMost(720), "320x180 1:1"), ("320x180", .width(160), "160x90 1:1"),
        ("180x320", .height(160), "90x160 1:1"), ("160x90", .width(320), "320x180 1:1"),
        // 816 lines of 1920 columns are 271 and a half of 640.
        ("240x102", .width(80), "80x34 1:1"),
    ])
    func `landscape and portrait keep their shape`(size: String, scale: FrameScale, shape: String) async throws {
        try await make("in.mov", size: size, rate: 10, "\(Self.fast) -an")
        let (result, found) = try await scaled("in.mov", scale)
        #expect(found == shape)
        #expect(!result.notes.contains { $0.contains("as wide as high") }, "\(result.notes)")
    }

    @Test func `wide pixels stay as wide, and a rotated movie is as wide as it is shown`() async throws {
        try await make("wide.mov", size: "320x240", rate: 10, "\(Self.fast) -an -vf setsar=4/3")
        #expect(try await scaled("wide.mov", .atMost(120)).shape == "160x120 4:3")
        #expect(try await scaled("wide.mov", .height(120)).shape == "160x120 4:3")
        #expect(try await scaled("wide.mov", .width(160), to: "out.gif").shape == "160x90 1:1")
        try await make("stored.mov", size: "320x180", rate: 10, "\(Self.fast) -an")
        try MovieEditing.setOrientation(
            MovieOrientation(rotation: .quarter), ofMovieAt: FilePath(folder.file("stored.mov")))
        #expect(try await scaled("stored.mov", .width(90)).shape == "160x90 1:1")
        #expect(try await scaled("stored.mov", .width(90), to: "out.mkv").shape == "90x160 1:1")
        #expect(try await scaled("stored.mov", .atMost(90)) { $0.rotation = .apply }.shape == "90x160 1:1")
    }

    @Test func `pixels that get another shape are told`() async throws {
        try await make("in.mov", size: "180x320", rate: 10, "\(Self.fast) -an")
        let (result, shape) = try await scaled("in.mov", nil) { $0.size = VideoSize(160, 90) }
        #expect(shape == "160x90 81:256")
        #expect(result.notes.contains { $0.contains("are 0.32 times as wide as high") }, "\(result.notes)")
        // DV becomes square pixels so.
        try await make("dv.mov", size: "360x288", rate: 10, "\(Self.fast) -an -vf setsar=64/45")
        let square = try await scaled("dv.mov", nil) { $0.size = VideoSize(512, 288) }
        #expect(square.shape == "512x288 1:1")
        #expect(!square.result.notes.contains { $0.contains("as wide as high") }, "\(square.result.notes)")
    }
}
