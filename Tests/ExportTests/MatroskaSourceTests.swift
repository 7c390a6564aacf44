import Encoding
import Export
import Foundation
import MovieFiles
import SystemPackage
import TestSupport
import Testing

@Suite("A copy of Matroska", .timeLimit(.minutes(10)), .requires(tool: "ffmpeg", package: "ffmpeg"))
struct MatroskaSourceTests {
    private static let bytes = "All tracks are copied as they are."
    private static let frames = "-c:v libx264 -preset veryfast -g 12 -bf 2"

    @Test("is made of bytes, in QuickTime and MP4", arguments: ["out.mp4", "out.mov"])
    func asBytes(_ output: String) async throws {
        let movie = try await MadeMovie("take.mkv", Self.frames + " -c:a aac", seconds: 2)
        let result = try await movie.export(ExportSettings(preset: "copy"), to: output)
        #expect(result.notes == [Self.bytes] && result.frames == 50)
        #expect(try await movie.frames(of: output) == Array(0..<50))
        try await FFmpeg.decode(movie.folder.file(output))
    }

    @Test("is made by a demuxer and a muxer where the samples are others")
    func otherwise() async throws {
        let movie = try await MadeMovie("take.mkv", Self.frames + " -c:a pcm_s16le", seconds: 2)
        let result = try await movie.export(ExportSettings(preset: "copy"), to: "out.mov")
        #expect(!result.notes.contains(Self.bytes) && result.frames == 50)
        #expect(try await movie.frames(of: "out.mov") == Array(0..<50))
        #expect(try await FFProbe.inspect(movie.folder.file("out.mov")).audio.first?.codecName == "pcm_s16le")
    }

    @Test("loses no audio that the other kind of file has no place for, but is refused with the cure")
    func noPlace() async throws {
        let movie = try await MadeMovie("take.mkv", Self.frames + " -c:a libopus", seconds: 1)
        let error = await #expect(throws: (any Error).self) {
            try await movie.export(ExportSettings(preset: "copy"), to: "out.mov")
        }
        #expect(error.map { "\($0)".contains("QuickTime cannot hold") } == true, "\(String(describing: error))")
        #expect(movie.folder.contents == ["take.mkv"])
    }

    @Test(
        "that was joined tells that its seams are not to the sample when it is encoded", arguments: ["aac", "libopus"])
    func joined(_ codec: String) async throws {
        let movie = try await MadeMovie("take.mkv", Self.frames + " -ar 48000 -c:a \(codec)", seconds: 2)
        let joined = FilePath(movie.folder.file("joined.mkv"))
        let inputs = Array(repeating: FilePath(movie.path), count: 3)
        _ = try MovieJoin.join(inputs, to: joined, as: .matroska(isWebM: false), replacing: false)
        var settings = ExportSettings(preset: "h264")
        settings.audio = .codec(.flac)
        let result = try await ExportSession(input: joined, settings: settings)
            .export(to: MovieDestination(FilePath(movie.folder.file("out.mkv"))))
        #expect(result.notes.contains { $0.contains("at each seam") }, "\(result.notes)")
        let alone = try await movie.export(settings, to: "alone.mkv")
        #expect(!alone.notes.contains { $0.contains("seam") }, "\(alone.notes)")
        let samples =
            try await Tool.succeed(
                "ffmpeg",
                [
                    "-nostdin", "-v", "error", "-i", movie.folder.file("out.mkv"), "-map", "0:a", "-ac", "1", "-f",
                    "s16le", "-",
                ]
            ).output.count / 2
        // Three movies, and what primes the decoder at the beginning.
        #expect((6 * 48_000 - 500...6 * 48_000 + 3 * 1920 + 1024).contains(samples), "\(samples)")
    }

    @Test("of a recording whose program was killed says that it ends early")
    func killed() async throws {
        let movie = try await MadeMovie("take.mkv", "-live 1 " + Self.frames + " -c:a aac", seconds: 2)
        let data = try Data(contentsOf: URL(filePath: movie.path))
        try data.prefix(data.count * 3 / 4).write(to: URL(filePath: movie.folder.file("dead.mkv")))
        let result = try await ExportSession(
            input: FilePath(movie.folder.file("dead.mkv")), settings: ExportSettings(preset: "copy")
        ).export(to: MovieDestination(FilePath(movie.folder.file("out.mp4"))))
        #expect(result.notes.contains { $0.contains("ends early") }, "\(result.notes)")
        #expect((20..<50).contains(result.frames))
        try await FFmpeg.decode(movie.folder.file("out.mp4"))
    }
}
