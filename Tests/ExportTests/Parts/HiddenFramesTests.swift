import Encoding
import Errors
import Export
import GStreamer
import MediaTypes
import SystemPackage
import TestSupport
import Testing

/// Movies whose edit lists hide frames that those they show need, as all have that were cut without encoding.
@Suite(
    "Frames that an edit list hides", .serialized, .timeLimit(.minutes(10)),
    .requires(tool: "ffmpeg", package: "ffmpeg"))
struct HiddenFramesTests {
    private static let h264 = "-c:v libx264 -preset veryfast -g 12 -sc_threshold 0 -bf 2 -c:a aac"
    private static let hevc =
        "-c:v libx265 -preset ultrafast -x265-params log-level=none:open-gop=0:keyint=12:scenecut=0:bframes=2 -tag:v hvc1 -c:a aac"

    /// "cut.mp4" beside a movie: from its 28th frame on, four behind a key frame.
    private func cut(_ movie: MadeMovie) async throws {
        let arguments = ["-nostdin", "-v", "error", "-ss", "1.12", "-i", movie.path, "-c", "copy"]
        _ = try await Tool.succeed("ffmpeg", arguments + [movie.folder.file("cut.mp4")])
        #expect(try await movie.frames(of: "cut.mp4") == Array(28..<75))
    }

    private func export(_ movie: MadeMovie, _ input: String, _ settings: ExportSettings, to name: String) async throws {
        _ = try await ExportSession(input: FilePath(movie.folder.file(input)), settings: settings)
            .export(to: MovieDestination(FilePath(movie.folder.file(name))))
    }

    @Test("stay hidden where the movie is copied without its audio", arguments: ["out.mp4", "out.mov"])
    func withoutAudio(name: String) async throws {
        let movie = try await MadeMovie("take.mp4", Self.h264)
        try await cut(movie)
        var settings = ExportSettings(preset: "copy")
        settings.audio = .codec(.none)
        try await export(movie, "cut.mp4", settings, to: name)
        #expect(try await movie.frames(of: name) == Array(28..<75))
        let report = try await FFProbe.inspect(movie.folder.file(name))
        #expect(report.audio.isEmpty && report.video.count == 1)
        let packets = try await FFProbe.packets("v:0", of: movie.folder.file(name))
        #expect(packets.first?.isKey == true)
    }

    @Test("are encoded in a movie of several parts", arguments: [("h264", Self.h264), ("hevc", Self.hevc)])
    func parts(preset: String, options: String) async throws {
        let movie = try await MadeMovie("take.mp4", options)
        var settings = ExportSettings(preset: "copy")
        settings.parts = [
            TimeRange(start: .zero, end: 600 * .millisecond), TimeRange(start: 1120 * .millisecond, end: 2 * .second),
        ]
        try await export(movie, "take.mp4", settings, to: "parts.mp4")
        let wanted = Array(0..<15) + Array(28..<50)
        #expect(try await movie.frames(of: "parts.mp4") == wanted)
        try await export(movie, "parts.mp4", ExportSettings(preset: preset), to: "out.mp4")
        #expect(try await movie.frames(of: "out.mp4") == wanted)
        // No container but these has edits.
        let refusal = await #expect(throws: RushesError.self) {
            try await export(movie, "parts.mp4", ExportSettings(preset: "copy"), to: "out.mkv")
        }
        #expect(refusal?.description.contains("edit list") == true, "\(String(describing: refusal))")
        #expect(!movie.folder.contents.contains { $0.contains("out.mkv") })
    }
}
