import Encoding
import Errors
import Export
import Foundation
import MediaTypes
import SystemPackage
import TestSupport
import Testing

/// Frames of a movie as images, as ffmpeg and exiftool read them.
@Suite(.timeLimit(.minutes(5)), .requires(tool: "ffmpeg", package: "ffmpeg")) struct ImageGeneratorTests {
    private static let frames = "-c:v libx264 -preset ultrafast -g 30 -bf 2 -an"

    private func write(
        _ movie: MadeMovie, _ images: [(time: Double, name: String)], _ input: String? = nil
    ) async throws -> [ImageGenerator.Image] {
        let generator = try ImageGenerator(of: FilePath(input ?? movie.path))
        let all = images.map { image in
            (MediaTime(seconds: image.time), MovieDestination(FilePath(movie.folder.file(image.name))))
        }
        try generator.check(all)
        var written: [ImageGenerator.Image] = []
        try await generator.write(all) { written.append($0) }
        return written
    }

    @Test(arguments: ["movie.mp4", "movie.mkv", "movie.ts"])
    func `are those that are shown at a time`(name: String) async throws {
        let movie = try await MadeMovie(name, Self.frames, seconds: 8)
        // Behind the last but one there is a seek.
        let times = [0, 0.039, 0.04, 1.0, 1.039, 7.2, 7.99]
        _ = try await write(
            movie, times.enumerated().map { ($0.element, "\($0.offset).\($0.offset % 2 == 0 ? "png" : "jpg")") })
        for (index, expected) in [0, 0, 1, 25, 25, 180, 199].enumerated() {
            let image = movie.folder.file("\(index).\(index % 2 == 0 ? "png" : "jpg")")
            #expect(try await MadeMovie.frames(at: image) == [expected], "at \(times[index]) s")
        }
    }

    @Test func `are upright, in square pixels, and know when they were taken`() async throws {
        let movie = try await MadeMovie(
            "wide.mp4", Self.frames + " -vf setsar=4/3 -metadata creation_time=2026-03-01T12:00:00Z", seconds: 2)
        let turned = movie.folder.file("turned.mp4")
        _ = try await Tool.succeed(
            "ffmpeg",
            ["-nostdin", "-v", "error", "-i", movie.path, "-c", "copy", "-metadata:s:v", "rotate=90"]
                + ["-metadata", "creation_time=2026-03-01T12:00:00Z", turned])
        let wide = try await write(movie, [(1, "wide.jpg")])
        #expect(wide.map(\.size) == [VideoSize(214, 120)] || wide.map(\.size) == [VideoSize(213, 120)])
        let upright = try await write(movie, [(1, "upright.png"), (1.5, "upright.jpg")], turned)
        for image in upright {
            #expect(image.size.width == 120 && abs(image.size.height - 213) <= 1)
            let stream = try await FFProbe.inspect(image.path.string).streams.first
            #expect(stream?.width == image.size.width && stream?.height == image.size.height)
        }
        let tags = try await ExifTool.inspect(movie.folder.file("upright.jpg"))
        #expect(tags["DateTimeOriginal"]?.hasPrefix("2026:03:01 12:00:01") == true, "\(tags)")
    }

    @Test(arguments: [("64", "64x48"), ("200x30", "40x30"), ("x60", "80x60"), ("320x", "320x240")])
    func `are as large as is asked for, in their proportions`(limits: String, size: String) async throws {
        let movie = try await MadeMovie("movie.mp4", Self.frames + " -vf scale=160:120", seconds: 1)
        for name in ["a.jpg", "a.png", "a.webp"] {
            let destination = MovieDestination(FilePath(movie.folder.file(name)))
            try await ImageGenerator(of: FilePath(movie.path)).write(
                [(.zero, destination)], within: ImageLimits(limits)
            ) { #expect("\($0.size.width)x\($0.size.height)" == size) }
            let stream = try await FFProbe.inspect(movie.folder.file(name)).streams.first
            #expect("\(stream?.width ?? 0)x\(stream?.height ?? 0)" == size, "\(name)")
        }
        #expect(["", "x", "0", "9x9x9", "-4", "99999"].allSatisfy { ImageLimits($0) == nil })
    }

    @Test func `of WebP know when they were taken`() async throws {
        let movie = try await MadeMovie(
            "movie.mp4", Self.frames + " -metadata creation_time=2026-03-01T12:00:00Z", seconds: 2)
        _ = try await write(movie, [(1, "a.webp")])
        let tags = try await ExifTool.inspect(movie.folder.file("a.webp"))
        #expect(tags["DateTimeOriginal"]?.hasPrefix("2026:03:01 12:00:01") == true, "\(tags)")
        #expect(try await MadeMovie.frames(at: movie.folder.file("a.webp")) == [25])
    }

    @Test func `are side by side on a sheet, at even distances`() async throws {
        let movie = try await MadeMovie("movie.mp4", Self.frames, seconds: 8)
        let generator = try ImageGenerator(of: FilePath(movie.path))
        let destination = MovieDestination(FilePath(movie.folder.file("sheet.png")))
        let sheet = try await generator.writeSheet(VideoSize(2, 2), ImageLimits(width: 160), to: destination)
        #expect(sheet.size == VideoSize(324, 244))
        for (index, expected) in [25, 75, 125, 175].enumerated() {
            let cell = movie.folder.file("cell-\(index).png")
            _ = try await Tool.succeed(
                "ffmpeg",
                ["-nostdin", "-v", "error", "-i", sheet.path.string, "-vf"]
                    + ["crop=160:120:\(index % 2 * 164):\(index / 2 * 124)", cell])
            #expect(try await MadeMovie.frames(at: cell) == [expected])
        }
    }

    @Test func `that lie behind the end of a stream without an index are told`() async throws {
        let movie = try await MadeMovie("movie.ts", Self.frames, seconds: 2)
        let error = await #expect(throws: RushesError.self) { try await write(movie, [(60, "late.png")]) }
        #expect(error?.description.contains("lasts 2.00 s") == true, "\(String(describing: error))")
        #expect(!FileManager.default.fileExists(atPath: movie.folder.file("late.png")))
    }

    @Test(
        arguments: [
            (8, "a.jpg", "lasts 2.00 s; choose an earlier"), (1, "a.gif", "let its name end in .jpg"),
            (1, "movie.mp4", "let its name end"), (1, "there.png", "already exists"),
        ] as [(Double, String, String)])
    func `that cannot be are told, before anything is written`(time: Double, name: String, words: String) async throws {
        let movie = try await MadeMovie("movie.mp4", Self.frames, seconds: 2)
        try Data("here".utf8).write(to: URL(filePath: movie.folder.file("there.png")))
        let error = await #expect(throws: RushesError.self) {
            try await write(movie, [(0, "first.png"), (time, name)])
        }
        #expect(error?.description.contains(words) == true, "\(String(describing: error))")
        #expect(!FileManager.default.fileExists(atPath: movie.folder.file("first.png")))
    }
}
