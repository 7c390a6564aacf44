import Encoding
import Export
import Foundation
import MediaTypes
import SystemPackage
import TestSupport
import Testing

/// Frames that get larger on the way, as those of calls do whose connection gets better: encoders take all as large as the first one.
@Suite(.timeLimit(.minutes(5)), .requires(tool: "ffmpeg", package: "ffmpeg")) struct ResizedFramesTests: MakesInputs {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func make(sizes: [String]) async throws {
        for (place, size) in sizes.enumerated() {
            try await make("\(place).webm", size: size, "-map 0:v -t 0.5 -c:v libvpx -deadline realtime")
        }
        let list = sizes.indices.map { "file '\(folder.file("\($0).webm"))'" }.joined(separator: "\n")
        try Data(list.utf8).write(to: URL(filePath: folder.file("list.txt")))
        _ = try await Tool.succeed(
            "ffmpeg",
            ["-nostdin", "-v", "error", "-f", "concat", "-safe", "0", "-i", folder.file("list.txt"), "-c", "copy"]
                + [folder.file("in.webm")])
    }

    @Test func `are told, and all there`() async throws {
        try await make(sizes: ["160x96", "320x192", "240x144"])
        let result = try await export("in.webm")
        let told = result.notes.filter { $0.contains("change their size") }
        #expect(told.count == 1 && told[0].contains("160×96") && told[0].contains("320×192"), "\(result.notes)")
        let video = try #require(try await FFProbe.inspect(folder.file("out.mov")).video.first)
        #expect(video.width == 160 && video.height == 96 && video.nbFrames?.value == 45, "\(video)")
    }

    @Test func `are as large as is asked for, without a word`() async throws {
        try await make(sizes: ["160x96", "320x192"])
        var settings = ExportSettings(preset: "h264")
        settings.size = VideoSize(320, 192)
        let result = try await ExportSession(input: FilePath(folder.file("in.webm")), settings: settings)
            .export(to: MovieDestination(FilePath(folder.file("out.mov"))))
        #expect(!result.notes.contains { $0.contains("change their size") }, "\(result.notes)")
        let video = try #require(try await FFProbe.inspect(folder.file("out.mov")).video.first)
        #expect(video.width == 320 && video.height == 192 && video.nbFrames?.value == 30, "\(video)")
    }
}
