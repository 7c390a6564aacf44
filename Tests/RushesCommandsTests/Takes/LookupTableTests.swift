import Foundation
import TestSupport
import Testing

/// `--lut` while frames come from a camera.
@Suite(.timeLimit(.minutes(25)), .turn, .requires(tool: "ffmpeg", package: "ffmpeg")) struct LookupTableTests {
    private let folder: TemporaryFolder
    private static let camera = "test:pattern=smpte100,size=320x240,rate=30"

    /// A table that exchanges red and blue.
    init() throws {
        folder = try TemporaryFolder()
        let points = (0..<8).map { "\($0 >> 2 & 1) \($0 >> 1 & 1) \($0 & 1)" }
        let text = "LUT_3D_SIZE 2\n" + points.joined(separator: "\n") + "\n"
        try Data(text.utf8).write(to: URL(filePath: folder.file("swap.cube")))
    }

    private func run(_ arguments: [String]) async throws {
        let result = try await BuiltCommand.rushes.run(arguments + ["--progress", "none"], folder: folder.path)
        #expect(result.status == 0, "\(result)")
    }

    /// How like the first frame of a movie is to that of another, changed by a filter.
    private func likeness(_ movie: String, _ other: String, _ filter: String = "null") async throws -> Double {
        let image = folder.file("\(UUID()).png")
        _ = try await Tool.succeed(
            "ffmpeg",
            ["-nostdin", "-v", "error", "-i", folder.file(other), "-vf", filter, "-frames:v", "1", image],
            folder: folder.path)
        return try await FFmpeg.psnr(of: folder.file(movie), reference: image)
    }

    @Test func `a recording and a timelapse have the table's colors, a camera's own movie its own`() async throws {
        let record = ["record", "--microphone", "none", "--codec", "mjpeg", "--quality", "95", "--duration", "0.5"]
        try await run(record + ["--camera", Self.camera, "plain.mov"])
        try await run(
            record + [
                "--camera", Self.camera, "--inset", "test:pattern=white,size=160x120,rate=30", "--layout", "main-only",
            ]
                + ["--also-separate", "--lut", "swap.cube", "graded.mov"])
        try await run(
            ["timelapse", "day.mov", "--camera", Self.camera, "--every", "1s", "--duration", "3s"]
                + ["--codec", "mjpeg", "--quality", "95", "--lut", "swap.cube"])
        for movie in ["graded.mov", "day.mov"] {
            let graded = try await likeness(movie, "plain.mov", "lut3d=swap.cube:interp=tetrahedral")
            let plain = try await likeness(movie, "plain.mov")
            #expect(graded > 32 && plain < 20, "\(movie): \(graded) and \(plain)")
        }
        let own = try #require(
            folder.contents.first { $0.hasPrefix("graded – ") && $0.contains("320") || $0.contains("Test pattern.mov") }
        )
        #expect(try await likeness(own, "plain.mov") > 32, "\(folder.contents)")
    }

    @Test func `what is copied, and what is no table, is refused before there is a file`() async throws {
        let camera = ["record", "--camera", Self.camera, "--microphone", "none"]
        try await Refusal.expect(
            camera + ["--lut", "gone.cube", "take.mov"], status: 64, saying: ["gone.cube cannot be read"], in: folder)
        try await Refusal.expect(
            camera + ["--lut", "swap.cube", "--print-pipeline", "take.mov"], status: 64, saying: ["--print-pipeline"],
            in: folder)
    }
}
