import Encoding
import Export
import Foundation
import SystemPackage
import TestSupport
import Testing

/// DPX, in which film is scanned, and OpenEXR, in which it is rendered; judged by ffmpeg's decoder.
@Suite(.timeLimit(.minutes(5)), .requires(tool: "ffmpeg", package: "ffmpeg")) struct FilmImageTests {
    @Test(arguments: ["rgb24", "gbrp10be", "rgb48le"])
    func `a frame of DPX is read as what it is`(format: String) async throws {
        let movie = try await MadeMovie("in.mp4", "-c:v libx264 -an", seconds: 1)
        let input = movie.folder.file("in.dpx")
        _ = try await Tool.succeed(
            "ffmpeg",
            ["-nostdin", "-v", "error", "-ss", "0.28", "-i", movie.path, "-frames:v", "1", "-pix_fmt", format, input])
        let result = try await ExportSession(input: FilePath(input), settings: MadeMovie.settings()).export(
            to: MovieDestination(FilePath(movie.folder.file("out.mp4"))))
        #expect(result.frames == 1)
        #expect(try await movie.frames(of: "out.mp4") == [7])
    }

    private func make(_ source: String, _ options: [String], _ path: String) async throws {
        _ = try await Tool.succeed(
            "ffmpeg", ["-nostdin", "-v", "error", "-f", "lavfi", "-i", source, "-frames:v", "1"] + options + [path])
    }

    private func export(_ input: String, in folder: TemporaryFolder) async throws -> [String] {
        try await ExportSession(input: FilePath(folder.file(input)), settings: ExportSettings(preset: "prores-4444"))
            .export(to: MovieDestination(FilePath(folder.file("out.mov")))).notes
    }

    /// The first frame's bytes.
    private func bytes(of path: String, _ options: [String], _ filters: String) async throws -> [UInt8] {
        let arguments =
            ["-nostdin", "-v", "error"] + options + [
                "-i", path, "-vf", filters, "-frames:v", "1", "-f", "rawvideo", "-",
            ]
        return Array(try await Tool.succeed("ffmpeg", arguments).output)
    }

    @Test(arguments: ["gbrpf32le", "grayf32le"])
    func `linear light becomes what a camera makes of it`(format: String) async throws {
        let folder = try TemporaryFolder()
        // Twice as bright: half of it is brighter than a movie's white.
        try await make(
            "testsrc2=size=320x240", ["-vf", "format=gbrpf32le,exposure=1,format=\(format)"], folder.file("in.exr"))
        let notes = try await export("in.exr", in: folder)
        #expect(notes.contains { $0.hasPrefix("What is brighter than white") }, "\(notes)")
        let wanted = try await bytes(of: folder.file("in.exr"), ["-apply_trc", "bt709"], "format=gbrp,format=rgb24")
        let found = try await bytes(of: folder.file("out.mov"), [], "format=gbrp,format=rgb24")
        try #require(wanted.count == found.count)
        #expect(Pixels.squaredError(wanted, found) < 8)
    }

    @Test func `color that is stored with its opacity is handed out by itself`() async throws {
        let folder = try TemporaryFolder()
        // White, the more opaque the farther to the right.
        let ramp = "format=gbrap,geq=r=255:g=255:b=255:a=X*255/W,format=gbrapf32le,premultiply=inplace=1"
        try await make("color=white:size=256x64", ["-vf", ramp], folder.file("in.exr"))
        _ = try await export("in.exr", in: folder)
        let opacity = try await bytes(of: folder.file("out.mov"), [], "alphaextract,format=gray")
        #expect(opacity[..<256].enumerated().allSatisfy { abs(Int($0.element) - $0.offset) <= 2 })
        let color = try await bytes(of: folder.file("out.mov"), [], "format=gray")
        // Where there is any.
        #expect(color[..<256].dropFirst(8).allSatisfy { $0 > 250 })
    }

    @Test(arguments: ["rgba", "rgba64be"]) func `how opaque DPX is is kept`(format: String) async throws {
        let folder = try TemporaryFolder()
        try await make(
            "color=red:size=256x64", ["-vf", "format=gbrap,geq=r=255:g=0:b=0:a=X,format=\(format)"],
            folder.file("in.dpx"))
        _ = try await export("in.dpx", in: folder)
        let opacity = try await bytes(of: folder.file("out.mov"), [], "alphaextract,format=gray")
        #expect(opacity[..<256].enumerated().allSatisfy { abs(Int($0.element) - $0.offset) <= 2 })
    }
}
