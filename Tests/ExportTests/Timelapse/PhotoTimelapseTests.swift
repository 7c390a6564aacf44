import Encoding
import Errors
import Foundation
import MediaTypes
import Photos
import SystemPackage
import TestSupport
import Testing

@testable import Export

/// Timelapses of photos that show their numbers, judged by ffmpeg.
@Suite(
    .timeLimit(.minutes(10)), .requires(tool: "ffmpeg", package: "ffmpeg"),
    .requires(tool: "convert", package: "imagemagick")) struct PhotoTimelapseTests
{
    /// Photos "shot1", "shot2" and so on, without leading zeros.
    private func photos(
        _ count: Int, ending: String = "jpg", options: [String] = ["-q:v", "2"], in movie: MadeMovie
    ) async throws {
        _ = try await Tool.succeed(
            "ffmpeg",
            ["-nostdin", "-v", "error", "-i", movie.path, "-frames:v", "\(count)", "-start_number", "0"] + options
                + [movie.folder.file("shot%d.\(ending)")])
    }

    private func movie() async throws -> MadeMovie { try await MadeMovie("source.mkv", "-c:v ffv1 -an", seconds: 2) }

    @Test("a folder's photos come in the order of their numbers, gaps do not end it")
    func order() async throws {
        let movie = try await movie()
        try await photos(40, in: movie)
        for gap in [3, 17] { try FileManager.default.removeItem(atPath: movie.folder.file("shot\(gap).jpg")) }
        let result = try await movie.timelapse(of: ["."])
        let numbers = (0..<40).filter { $0 != 3 && $0 != 17 }
        #expect(try await movie.frames(of: "out.mp4") == numbers)
        #expect(result.frames == 38 && result.duration == 1520 * .millisecond)
        let probe = try await FFProbe.inspect(movie.folder.file("out.mp4"))
        #expect(probe.video.first?.avgFrameRate == "25/1" && probe.video.first?.width == 160)
        // A pattern, of which every fourth is taken.
        _ = try await movie.timelapse(of: ["shot[0-9].jpg", "shot1[0-9].jpg"]) { $0.pace = .speed(4) }
        #expect(
            try await movie.frames(of: "out.mp4")
                == stride(from: 0, to: 18, by: 4).map { numbers[$0] })
    }

    @Test("a pattern finds folders too, and no photo comes twice")
    func listing() async throws {
        let movie = try await movie()
        try await photos(6, in: movie)
        for (folder, numbers) in [("100C", 0..<3), ("101C", 3..<6), ("empty", 0..<0)] {
            try FileManager.default.createDirectory(
                atPath: movie.folder.file("dcim/\(folder)"), withIntermediateDirectories: true)
            for number in numbers {
                try FileManager.default.moveItem(
                    atPath: movie.folder.file("shot\(number).jpg"),
                    toPath: movie.folder.file("dcim/\(folder)/shot\(number).jpg"))
            }
        }
        let result = try await movie.timelapse(of: ["dcim/*", "dcim/100C/shot1.jpg", "./dcim/../dcim/101C"])
        #expect(try await movie.frames(of: "out.mp4") == Array(0..<6), "\(result.notes)")
        await #expect { try await movie.timelapse(of: ["dcim/e*"]) } throws: { "\($0)".contains("no photo in") }
    }

    @Test("damaged photos are named, skipped and counted")
    func damaged() async throws {
        let movie = try await movie()
        try await photos(12, in: movie)
        try Data("no photo".utf8).write(to: URL(filePath: movie.folder.file("shot0.jpg")))
        let whole = try Data(contentsOf: URL(filePath: movie.folder.file("shot5.jpg")))
        try whole.prefix(whole.count / 2).write(to: URL(filePath: movie.folder.file("shot5.jpg")))
        try Data().write(to: URL(filePath: movie.folder.file("shot11.jpg")))
        let result = try await movie.timelapse(of: ["."])
        #expect(try await movie.frames(of: "out.mp4") == [1, 2, 3, 4, 6, 7, 8, 9, 10])
        let note = try #require(result.notes.first { $0.contains("skipped") })
        #expect(note.hasPrefix("3 of 12 photos were skipped: ") && note.contains("shot5.jpg (it is damaged"), "\(note)")
        #expect(note.contains("shot11.jpg (it is empty)"), "\(note)")
    }

    @Test(
        "other formats are read too",
        arguments: [
            ("png", []), ("webp", ["-c:v", "libwebp", "-lossless", "1", "-f", "image2"]),
            ("dpx", ["-pix_fmt", "rgb48be"]), ("exr", ["-pix_fmt", "gbrpf32le"]),
        ])
    func formats(_ ending: String, _ options: [String]) async throws {
        let movie = try await movie()
        try await photos(4, ending: ending, options: options, in: movie)
        _ = try await movie.timelapse(of: ["."])
        #expect(try await movie.frames(of: "out.mp4") == [0, 1, 2, 3])
    }

    /// A photo whose quarters all differ.
    private func scene(_ name: String, size: String = "320x240", _ options: [String], in movie: MadeMovie) async throws
    {
        try await Fixtures.make(
            movie.folder.file("scene.png"), "ffmpeg",
            [
                "-nostdin", "-v", "error", "-f", "lavfi", "-i", "testsrc2=size=\(size)", "-vf", "gblur=1", "-frames:v",
                "1",
            ])
        _ = try await Tool.succeed(
            "convert", [movie.folder.file("scene.png"), "-quality", "95"] + options + [movie.folder.file(name)])
    }

    @Test(
        "each is turned as its camera says", .requires(tool: "exiftool", package: "libimage-exiftool-perl"),
        arguments: Cases.taken(of: Array(1...8)))
    func turned(_ orientation: Int) async throws {
        let movie = try await movie()
        for name in ["a.jpg", "b.jpg"] {
            try await scene(name, ["-sampling-factor", "2x2"], in: movie)
            _ = try await Tool.succeed(
                "exiftool", ["-q", "-overwrite_original", "-Orientation#=\(orientation)", movie.folder.file(name)])
        }
        _ = try await Tool.succeed("convert", [movie.folder.file("a.jpg"), "-auto-orient", movie.folder.file("c.png")])
        let result = try await movie.timelapse(of: ["a.jpg", "b.jpg"])
        let similarity = try await FFmpeg.psnr(of: movie.folder.file("out.mp4"), reference: movie.folder.file("c.png"))
        #expect(result.frames == 2 && similarity > 32, "\(similarity)")
    }

    @Test(
        "whatever way colors are kept, they look the same",
        arguments: [
            ["-sampling-factor", "1x1"], ["-sampling-factor", "2x1"], ["-sampling-factor", "1x2"],
            ["-sampling-factor", "4x1"], ["-colorspace", "Gray"], ["-interlace", "JPEG"],
            ["-define", "jpeg:colorspace=RGB"],
        ])
    func colors(_ options: [String]) async throws {
        let movie = try await movie()
        for name in ["a.jpg", "b.jpg"] { try await scene(name, size: "322x242", options, in: movie) }
        _ = try await Tool.succeed("convert", [movie.folder.file("a.jpg"), movie.folder.file("c.png")])
        _ = try await movie.timelapse(of: ["a.jpg", "b.jpg"])
        let similarity = try await FFmpeg.psnr(of: movie.folder.file("out.mp4"), reference: movie.folder.file("c.png"))
        #expect(similarity > 30, "\(similarity)")
    }

    @Test("photos of another shape are cut, or have black beside them", arguments: PhotoFit.allCases)
    func shapes(_ fit: PhotoFit) async throws {
        let movie = try await movie()
        for name in ["a.jpg", "b.jpg"] { try await scene(name, [], in: movie) }
        let result = try await movie.timelapse(of: ["a.jpg", "b.jpg"], size: VideoSize(320, 120)) {
            $0.padsPhotos = fit == .pad
        }
        #expect(
            result.notes.contains { $0.hasPrefix("2 of 2 photos have another shape than 320×120") } == (fit == .crop))
        let filter =
            fit == .crop
            ? ["-gravity", "center", "-crop", "320x120+0+0"]
            : ["-resize", "160x120", "-background", "black", "-gravity", "center", "-extent", "320x120"]
        _ = try await Tool.succeed(
            "convert", [movie.folder.file("a.jpg")] + filter + ["+repage", movie.folder.file("c.png")])
        let similarity = try await FFmpeg.psnr(of: movie.folder.file("out.mp4"), reference: movie.folder.file("c.png"))
        #expect(similarity > 28, "\(similarity)")
    }

    @Test("one photo, or none, is refused, and nothing is written")
    func refused() async throws {
        let movie = try await movie()
        await #expect { try await movie.timelapse(of: ["."]) } throws: { "\($0)".contains("There is no photo in") }
        await #expect { try await movie.timelapse(of: ["gone/*.jpg"]) } throws: { "\($0)".contains("does not exist") }
        try await photos(1, in: movie)
        await #expect { try await movie.timelapse(of: ["."]) } throws: { "\($0)".contains("one photo only") }
        #expect(!FileManager.default.fileExists(atPath: movie.folder.file("out.mp4")))
        #expect(FileManager.default.fileExists(atPath: movie.folder.file("shot0.jpg")))
    }
}
