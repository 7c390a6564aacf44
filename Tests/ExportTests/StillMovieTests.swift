import Encoding
import Errors
import Foundation
import MediaTypes
import SystemPackage
import TestSupport
import Testing

@testable import Export

/// A movie of audio and one image; judged by ffprobe and ffmpeg's decoder.
@Suite(.timeLimit(.minutes(10)), .requires(tool: "ffmpeg", package: "ffmpeg")) struct StillMovieTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func make(_ name: String, _ arguments: [String]) async throws {
        _ = try await Tool.succeed("ffmpeg", ["-nostdin", "-v", "error"] + arguments + [folder.file(name)])
    }

    private func makeTone(_ name: String, seconds: Double, _ options: [String] = []) async throws {
        try await make(
            name, ["-f", "lavfi", "-i", "sine=440:r=44100:d=\(seconds)", "-metadata", "title=Talk"] + options)
    }

    /// A red square, of which nothing else is as wide as high.
    private func makeSquare(_ name: String) async throws {
        try await make(name, ["-f", "lavfi", "-i", "color=red:s=40x40:d=1", "-frames:v", "1"])
    }

    private func export(
        _ input: String, _ image: String, to output: String, _ change: (inout ExportSettings) -> Void = { _ in }
    ) async throws -> ExportResult {
        var settings = ExportSettings(preset: output.hasSuffix("webm") ? "webm" : "h264")
        (settings.image, settings.size) = (FilePath(folder.file(image)), VideoSize(64, 48))
        change(&settings)
        return try await ExportSession(input: FilePath(folder.file(input)), settings: settings)
            .export(to: MovieDestination(FilePath(folder.file(output))))
    }

    /// All packets of the audio as they are, as one number.
    private func packets(_ name: String) async throws -> String {
        try await Tool.succeed(
            "ffmpeg", ["-v", "error", "-i", folder.file(name), "-map", "0:a", "-c", "copy", "-f", "md5", "-"]
        ).text
    }

    private func expect(_ name: String, lasts seconds: Double, audio: String) async throws {
        let file = folder.file(name)
        let report = try await FFProbe.inspect(file)
        #expect(report.video.count == 1 && report.audio.map(\.codecName) == [audio], "\(name)")
        #expect(report.video.first?.width == 64 && report.video.first?.height == 48)
        #expect(abs((report.format.duration?.value ?? 0) - seconds) < 0.05, "\(name): \(report.format)")
        let frames = try await FFProbe.packets("v:0", of: file)
        #expect(frames.count == Int(seconds))
        let keys = frames.filter(\.isKey).compactMap { $0.ptsTime?.value }
        for (key, next) in zip(keys, keys.dropFirst() + [seconds]) { #expect(next - key < 11, "\(name): \(keys)") }
        try await FFmpeg.decode(file)
        // The square in the middle, black beside it.
        let pixels = try await Tool.succeed(
            "ffmpeg",
            ["-v", "error", "-ss", "1", "-i", file, "-frames:v", "1", "-f", "rawvideo", "-pix_fmt", "rgb24", "-"]
        ).output
        func pixel(_ x: Int, _ y: Int) -> [UInt8] { Array(pixels.dropFirst((y * 64 + x) * 3).prefix(3)) }
        let (middle, side) = (pixel(32, 24), pixel(3, 24))
        #expect(middle[0] > 230 && middle[1] < 30 && middle[2] < 30, "\(name): \(middle)")
        #expect(side.allSatisfy { $0 < 20 }, "\(name): \(side)")
    }

    @Test func `is as long as the audio, which is copied where the container holds it`() async throws {
        try await makeTone("talk.mp3", seconds: 23.4, ["-c:a", "libmp3lame"])
        try await makeSquare("cover.png")
        for output in ["talk.mp4", "talk.mkv"] {
            let result = try await export("talk.mp3", "cover.png", to: output)
            #expect(abs(result.duration.seconds - 23.4) < 0.06 && result.frames == 23, "\(result)")
            try await expect(output, lasts: 23.4, audio: "mp3")
            #expect(try await packets(output) == packets("talk.mp3"), "\(output)")
            #expect(try await FFProbe.inspect(folder.file(output)).format.tags?["title"] == "Talk")
        }
        let part = try await export("talk.mp3", "cover.png", to: "part.mov") {
            $0.range = TimeRange(start: MediaTime(seconds: 10), end: MediaTime(seconds: 13.5))
        }
        #expect(part.frames == 3)
        try await expect("part.mov", lasts: 3.5, audio: "aac")
    }

    @Test func `has audio that is encoded where it cannot be copied, and images of all kinds`() async throws {
        try await makeTone("talk.wav", seconds: 2.5)
        for (image, output, codec) in [
            ("cover.jpg", "wav.mp4", "aac"), ("cover.webp", "wav.mov", "aac"), ("cover.gif", "wav.webm", "opus"),
        ] {
            try await makeSquare(image)
            _ = try await export("talk.wav", image, to: output)
            try await expect(output, lasts: 2.5, audio: codec)
        }
    }

    @Test(arguments: ["mp4", "mov", "mkv", "webm"]) func `is no longer than audio of less than a second`(
        _ ending: String
    ) async throws {
        try await makeSquare("cover.png")
        for seconds in [0.06, 0.4, 0.97] {
            try await makeTone("\(seconds).wav", seconds: seconds)
            let output = "\(seconds).\(ending)"
            let result = try await export("\(seconds).wav", "cover.png", to: output)
            #expect(abs(result.duration.seconds - seconds) < 0.03 && result.frames == 1, "\(result)")
            let report = try await FFProbe.inspect(folder.file(output))
            #expect(abs((report.format.duration?.value ?? 0) - seconds) < 0.05, "\(output): \(report.format)")
            #expect(try await FFProbe.packets("v:0", of: folder.file(output)).count == 1)
            try await FFmpeg.decode(folder.file(output))
            let samples = try await FFmpeg.audio(of: folder.file(output), rate: 48_000).count
            #expect(Double(samples) >= seconds * 48_000 - 48, "\(output)")
        }
    }

    @Test func `is refused with one sentence where the input or the image is none`() async throws {
        try await makeTone("talk.wav", seconds: 0.5)
        try await makeSquare("cover.png")
        try await make("film.mkv", ["-f", "lavfi", "-i", "testsrc=s=64x48:d=0.4", "-f", "lavfi", "-i", "sine=d=0.4"])
        try Data("no image".utf8).write(to: URL(filePath: folder.file("notes.jpg")))
        for (input, image, output, words) in [
            ("film.mkv", "cover.png", "a.mp4", "has video already"),
            ("talk.wav", "notes.jpg", "a.mp4", "is not an image"),
            ("talk.wav", "film.mkv", "a.mp4", "is not an image"), ("talk.wav", "gone.png", "a.mp4", "does not exist"),
            ("talk.wav", "cover.png", "a.mp3", "holds audio alone"),
        ] {
            let error = await #expect(throws: RushesError.self) { try await export(input, image, to: output) }
            #expect(error?.description.contains(words) == true, "\(String(describing: error))")
            #expect(!FileManager.default.fileExists(atPath: folder.file(output)))
        }
        let crop = await #expect(throws: RushesError.self) {
            try await export("talk.wav", "cover.png", to: "a.mp4") { $0.cropsBlackBars = true }
        }
        #expect(crop?.description.contains("leave one of them out") == true, "\(String(describing: crop))")
    }
}
