import Encoding
import Export
import Foundation
import MovieFiles
import SystemPackage
import TestSupport
import Testing

/// Movies that list chapters behind their own end, as other programs write them.
@Suite(.timeLimit(.minutes(10)), .requires(tool: "ffmpeg", package: "ffmpeg")) struct LateChapterTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// Two seconds with chapters from these seconds on, each up to the next.
    private func make(_ starts: [Double], end: Double) async throws {
        var text = ";FFMETADATA1\n"
        for (index, start) in starts.enumerated() {
            let until = index + 1 < starts.count ? starts[index + 1] : end
            text += "[CHAPTER]\nTIMEBASE=1/1000\nSTART=\(Int(start * 1000))\nEND=\(Int(until * 1000))\n"
            text += "title=From \(start)\n"
        }
        try text.write(toFile: folder.file("chapters"), atomically: true, encoding: .utf8)
        _ = try await Tool.succeed(
            "ffmpeg",
            [
                "-nostdin", "-v", "error", "-f", "lavfi", "-i", "testsrc2=size=160x90:rate=25:duration=2", "-f",
                "lavfi",
                "-i", "sine=duration=2", "-i", folder.file("chapters"), "-map", "0", "-map", "1", "-map_chapters", "2",
                "-c:v", "libx264", "-preset", "ultrafast", "-pix_fmt", "yuv420p", "-c:a", "aac",
                folder.file("in.mp4"),
            ])
        // Its header counts video and audio, as most programs' do; ffmpeg's the chapters as well.
        var bytes = try Data(contentsOf: URL(filePath: folder.file("in.mp4")))
        let place = try #require(bytes.firstRange(of: Data("mvhd".utf8))).lowerBound + 20
        withUnsafeBytes(of: UInt32(2000).bigEndian) { bytes.replaceSubrange(place..<place + 4, with: $0) }
        try bytes.write(to: URL(filePath: folder.file("in.mp4")))
    }

    private func copy(to name: String) async throws -> ExportResult {
        try await ExportSession(input: FilePath(folder.file("in.mp4")), settings: ExportSettings(preset: "copy"))
            .export(to: MovieDestination(FilePath(folder.file(name))))
    }

    @Test func `chapters that begin together are all kept`() async throws {
        try await make([0, 0, 1], end: 2)
        var settings = ExportSettings(preset: "h264")
        settings.reencodes = true
        _ = try await ExportSession(input: FilePath(folder.file("in.mp4")), settings: settings)
            .export(to: MovieDestination(FilePath(folder.file("out.mp4"))))
        #expect(try await FFProbe.inspect(folder.file("out.mp4")).chapters?.count == 3)
    }

    @Test(arguments: ["out.mp4", "out.mov"]) func `one that begins there is left out, and that is said`(name: String)
        async throws
    {
        try await make([0, 1, 5], end: 8)
        let result = try await copy(to: name)
        #expect(
            result.notes.contains { $0.contains("“From 5.0” is left out: it begins after the movie's end") },
            "\(result)")
        #expect(result.notes.count == 2)
        let report = try await FFProbe.inspect(folder.file(name))
        #expect(abs((report.format.duration?.value ?? 0) - 2) < 0.1)
        #expect(report.chapters?.count == 2)
        try await FFmpeg.decode(folder.file(name))
    }

    @Test(arguments: ["out.mp4", "out.mkv"]) func `titles in UTF-16 are those that ffprobe reads`(name: String)
        async throws
    {
        try "\(Self.head)0\nEND=1000\ntitle=ABCDEFGH\n\(Self.chapter)1000\nEND=2000\ntitle=Zwei\n"
            .write(toFile: folder.file("chapters"), atomically: true, encoding: .utf8)
        _ = try await Tool.succeed(
            "ffmpeg",
            ["-nostdin", "-v", "error", "-f", "lavfi", "-i", "testsrc2=size=160x90:rate=25:duration=2", "-i"]
                + [
                    folder.file("chapters"), "-map", "0", "-map_chapters", "1", "-c:v", "libx264", "-pix_fmt",
                    "yuv420p",
                ]
                + [folder.file("in.mov")])
        var bytes = try Data(contentsOf: URL(filePath: folder.file("in.mov")))
        let utf16: [UInt8] = [0xFE, 0xFF, 0, 0xE4, 0x65, 0xE5, 0, 0x21]
        while let place = bytes.firstRange(of: Data("ABCDEFGH".utf8)) { bytes.replaceSubrange(place, with: utf16) }
        try bytes.write(to: URL(filePath: folder.file("in.mov")))
        let wanted = ["ä日!", "Zwei"]
        let told = try await FFProbe.inspect(folder.file("in.mov")).chapters?.map { $0.tags?["title"] }
        #expect(told == wanted)
        #expect(try MovieInfo(contentsOf: FilePath(folder.file("in.mov"))).chapters.map(\.title) == wanted)
        _ = try await ExportSession(input: FilePath(folder.file("in.mov")), settings: ExportSettings(preset: "copy"))
            .export(to: MovieDestination(FilePath(folder.file(name))))
        #expect(try await FFProbe.inspect(folder.file(name)).chapters?.map { $0.tags?["title"] } == wanted)
    }

    private static let chapter = "[CHAPTER]\nTIMEBASE=1/1000\nSTART="
    private static let head = ";FFMETADATA1\n" + chapter

    @Test func `one that only ends there ends with the movie`() async throws {
        try await make([0, 1], end: 8)
        let result = try await copy(to: "out.mp4")
        #expect(result.notes == ["All tracks are copied as they are."])
        let report = try await FFProbe.inspect(folder.file("out.mp4"))
        #expect(abs((report.format.duration?.value ?? 0) - 2) < 0.1)
        #expect(
            try MovieInfo(contentsOf: FilePath(folder.file("out.mp4"))).chapters.map(\.title) == [
                "From 0.0", "From 1.0",
            ])
    }

    @Test(arguments: [[0.0, 1, 5], [0, 1, 5, 6]]) func `those of audio by itself are told too`(
        starts: [Double]
    ) async throws {
        try await make(starts, end: 8)
        _ = try await Tool.succeed(
            "ffmpeg",
            ["-nostdin", "-v", "error", "-i", folder.file("in.mp4"), "-i", folder.file("chapters")]
                + ["-map", "0:a", "-map_chapters", "1", folder.file("in.mp3")])
        let result = try await ExportSession(
            input: FilePath(folder.file("in.mp3")), settings: ExportSettings(preset: "h264")
        ).export(to: MovieDestination(FilePath(folder.file("out.m4a"))))
        let wanted =
            starts.count == 3
            ? "The chapter “From 5.0” is left out: it begins after the movie's end."
            : "2 chapters are left out: they begin after the movie's end."
        #expect(result.notes.contains(wanted), "\(result.notes)")
        #expect(try await FFProbe.inspect(folder.file("out.m4a")).chapters?.count == 2)
    }
}
