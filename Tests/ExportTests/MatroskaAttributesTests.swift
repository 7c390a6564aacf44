import Encoding
import Export
import Foundation
import SystemPackage
import TestSupport
import Testing

/// What a movie tells about itself goes into Matroska and WebM and comes out again, judged by ffprobe.
@Suite(.timeLimit(.minutes(10)), .requires(tool: "ffmpeg", package: "ffmpeg")) struct MatroskaAttributesTests {
    private static let facts = """
        ;FFMETADATA1
        title=Tag »eins« \\\\ "zwei"
        comment=What it shows
        creation_time=2020-03-04T05:06:07Z
        [CHAPTER]
        TIMEBASE=1/1000
        START=0
        END=400
        title=First
        [CHAPTER]
        TIMEBASE=1/1000
        START=400
        END=1000
        title=Zwei & drei
        """

    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func export(_ input: String, to name: String) async throws {
        _ = try await ExportSession(input: FilePath(folder.file(input)), settings: ExportSettings(preset: "copy"))
            .export(to: MovieDestination(FilePath(folder.file(name))))
    }

    private func check(_ name: String) async throws {
        let report = try await FFProbe.inspect(folder.file(name))
        // Matroska's names are in capitals.
        let tags = Dictionary(
            (report.format.tags ?? [:]).map { ($0.key.lowercased(), $0.value) }, uniquingKeysWith: { first, _ in first }
        )
        #expect(tags["title"] == "Tag »eins« \\ \"zwei\"", "\(name): \(tags)")
        #expect(tags["creation_time"]?.hasPrefix("2020-03-04T05:06:07") == true, "\(name): \(tags)")
        let words = tags["comments"] ?? tags["comment"] ?? tags["description"]
        #expect(words == "What it shows", "\(name): \(tags)")
        let chapters = try #require(report.chapters)
        #expect(chapters.compactMap { $0.tags?["title"] } == ["First", "Zwei & drei"], "\(name)")
        try #require(chapters.count == 2)
        #expect(abs(chapters[1].startTime.value - 0.4) < 0.05 && abs(chapters[1].endTime.value - 1) < 0.1, "\(name)")
    }

    @Test(arguments: [("mkv", "libx264", "flac"), ("webm", "libvpx-vp9", "libopus")])
    func `title, date and chapters survive the way through Matroska`(
        ending: String, frame: String, audio: String
    ) async throws {
        try Data(Self.facts.utf8).write(to: URL(filePath: folder.file("facts")))
        _ = try await Tool.succeed(
            "ffmpeg",
            [
                "-nostdin", "-v", "error", "-f", "lavfi", "-i", "testsrc2=size=160x96:rate=25:duration=1", "-f",
                "lavfi",
                "-i", "sine=duration=1", "-i", folder.file("facts"), "-map_metadata", "2", "-map_chapters", "2", "-map",
                "0:v", "-map", "1:a", "-pix_fmt", "yuv420p", "-c:v", frame, "-c:a", audio,
                folder.file("in.\(ending)"),
            ])
        try await export("in.\(ending)", to: "copy.\(ending)")
        try await check("copy.\(ending)")
        guard ending == "mkv" else { return }
        var settings = ExportSettings(preset: "h264")
        settings.reencodes = true
        for (input, output) in [("copy.mkv", "movie.mp4"), ("movie.mp4", "again.mkv")] {
            _ = try await ExportSession(input: FilePath(folder.file(input)), settings: settings)
                .export(to: MovieDestination(FilePath(folder.file(output))))
            try await check(output)
        }
    }

    @Test func `the title of the only track is not taken for the movie's`() async throws {
        _ = try await Tool.succeed(
            "ffmpeg",
            [
                "-nostdin", "-v", "error", "-f", "lavfi", "-i", "sine=duration=1", "-metadata", "title=Mine", "-c:a",
                "flac", folder.file("in.mkv"),
            ])
        // matroskamux names each track, and puts the movie's title behind it all.
        var settings = ExportSettings(preset: "h264")
        settings.reencodes = true
        for (input, output) in [("in.mkv", "between.mkv"), ("between.mkv", "out.mp4")] {
            _ = try await ExportSession(input: FilePath(folder.file(input)), settings: settings)
                .export(to: MovieDestination(FilePath(folder.file(output))))
        }
        #expect(try await FFProbe.inspect(folder.file("out.mp4")).format.tags?["title"] == "Mine")
    }
}
