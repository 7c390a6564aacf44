import Encoding
import Errors
import Export
import Foundation
import MediaTypes
import SystemPackage
import TestSupport
import Testing

/// Black bars that are found, and cut off.
@Suite(.timeLimit(.minutes(5)), .requires(tool: "ffmpeg", package: "ffmpeg")) struct LetterboxTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// A pattern of 160x80 with bars, which comes out of black.
    private func make(_ name: String, seconds: Int, _ options: String = "-c:v libx264 -preset ultrafast -g 25")
        async throws
    {
        try await Fixtures.make(
            folder.file(name), "ffmpeg",
            ["-nostdin", "-v", "error", "-f", "lavfi", "-i", "testsrc2=size=160x80:rate=25:duration=\(seconds)"]
                + ["-vf", "fade=in:d=1,pad=176:128:8:24", "-pix_fmt", "yuv420p"] + Tool.words(options))
    }

    private func export(
        _ input: String, _ change: (inout ExportSettings) -> Void = { _ in }
    ) async throws -> (size: VideoSize?, notes: [String]) {
        var settings = ExportSettings(preset: "h264")
        settings.cropsBlackBars = true
        change(&settings)
        let output = folder.file("out.mp4")
        let result = try await ExportSession(input: FilePath(folder.file(input)), settings: settings)
            .export(to: MovieDestination(FilePath(output)))
        let video = try await FFProbe.inspect(output).streams.first
        return (video.flatMap { stream in stream.width.map { VideoSize($0, stream.height ?? 0) } }, result.notes)
    }

    /// Read as a whole, by key frames, and as a stream without an index.
    @Test(arguments: [("short.mp4", 2), ("long.mp4", 12), ("stream.ts", 12)])
    func `of a movie are cut off`(name: String, seconds: Int) async throws {
        try await make(name, seconds: seconds)
        let (size, notes) = try await export(name)
        #expect(size == VideoSize(160, 80), "\(notes)")
        #expect(notes.contains { $0.contains("160x80+8+24 is left") }, "\(notes)")
    }

    @Test func `of several parts are those of their frames, and all black is no bar`() async throws {
        try await make("short.mp4", seconds: 2)
        let (size, notes) = try await export("short.mp4") { settings in
            settings.parts = [TimeRange(start: .second, end: 1480 * .millisecond), TimeRange(start: 0, end: .second)]
        }
        #expect(size == VideoSize(160, 80), "\(notes)")
        try FileManager.default.removeItem(atPath: folder.file("out.mp4"))
        try await Fixtures.make(
            folder.file("black.mp4"), "ffmpeg",
            ["-nostdin", "-v", "error", "-f", "lavfi", "-i", "color=black:size=176x128:rate=25:duration=1"]
                + Tool.words("-pix_fmt yuv420p -c:v libx264 -preset ultrafast"))
        let black = try await export("black.mp4") { $0.range = TimeRange(start: 0, end: 200 * .millisecond) }
        #expect(black.size == VideoSize(176, 128))
        #expect(black.notes.contains { $0.contains("all black") }, "\(black.notes)")
    }

    @Test func `that are not there leave the frames, and copies are refused`() async throws {
        try await Fixtures.make(
            folder.file("whole.mp4"), "ffmpeg",
            ["-nostdin", "-v", "error", "-f", "lavfi", "-i", "testsrc2=size=160x80:rate=25:duration=2"]
                + Tool.words("-pix_fmt yuv420p -c:v libx264 -preset ultrafast"))
        let error = await #expect(throws: RushesError.self) { try await export("whole.mp4") { $0.preset = "copy" } }
        #expect(error?.description.contains("keeps its edges") == true, "\(String(describing: error))")
        #expect(!FileManager.default.fileExists(atPath: folder.file("out.mp4")))
        let (size, notes) = try await export("whole.mp4")
        #expect(size == VideoSize(160, 80))
        #expect(notes.contains { $0.contains("There are no black bars") }, "\(notes)")
    }
}
