import Encoding
import Export
import Foundation
import SystemPackage
import TestSupport
import Testing

/// What a Matroska file says and brings beside its tracks is in the copy too.
@Suite(.timeLimit(.minutes(10)), .requires(tool: "ffmpeg", package: "ffmpeg")) struct MatroskaExtrasTests {
    private let font = Data((0..<70_000).map { UInt8(truncatingIfNeeded: $0 &* 31) })

    private func make() async throws -> MadeMovie {
        let folder = try TemporaryFolder()
        try font.write(to: URL(filePath: folder.file("a.ttf")))
        return try await MadeMovie(
            "take.mkv",
            "-c:v libx264 -preset ultrafast -g 25 -c:a aac -metadata title=T -metadata artist=Somebody -metadata album=Several"
                + " -metadata OWN_TAG=own -metadata:s:a:0 COMMENTED=audio -attach \(folder.file("a.ttf"))"
                + " -metadata:s:t:0 mimetype=application/x-truetype-font",
            seconds: 1)
    }

    @Test func `tags of the file and of its tracks, and attachments, to the byte`() async throws {
        let movie = try await make()
        let result = try await movie.export(ExportSettings(preset: "copy"), to: "copy.mkv")
        #expect(result.notes == ["All tracks are copied as they are."])
        let copy = movie.folder.file("copy.mkv")
        let report = try await FFProbe.inspect(copy)
        let tags = report.format.tags ?? [:]
        #expect(
            tags["title"] == "T" && tags["ARTIST"] == "Somebody" && tags["ALBUM"] == "Several"
                && tags["OWN_TAG"] == "own", "\(tags)")
        #expect(report.audio.first?.tags?["COMMENTED"] == "audio", "\(report)")
        #expect(report.video.first?.tags?["COMMENTED"] == nil)
        let attachment = try #require(report.streams.first { $0.codecType == "attachment" })
        #expect(attachment.tags?["filename"] == "a.ttf")
        #expect(attachment.tags?["mimetype"] == "application/x-truetype-font")
        _ = try await Tool.run(
            "ffmpeg",
            [
                "-nostdin", "-v", "error", "-dump_attachment:t:0", movie.folder.file("dumped"), "-i", copy, "-t", "0",
                "-f", "null", "-",
            ])
        #expect(try Data(contentsOf: URL(filePath: movie.folder.file("dumped"))) == font)
        #expect(try await movie.frames(of: "copy.mkv") == Array(0..<25))
    }

    @Test func `what the other file cannot hold is said`() async throws {
        let folder = try TemporaryFolder()
        try font.write(to: URL(filePath: folder.file("a.ttf")))
        let movie = try await MadeMovie(
            "take.mkv",
            "-c:v libvpx-vp9 -deadline realtime -cpu-used 8 -c:a libopus -metadata artist=Somebody"
                + " -attach \(folder.file("a.ttf")) -metadata:s:t:0 mimetype=application/x-truetype-font", seconds: 1)
        let result = try await movie.export(ExportSettings(preset: "copy"), to: "copy.webm")
        #expect(result.notes.last == "Its attachments are left out: WebM cannot hold them.", "\(result.notes)")
        let report = try await FFProbe.inspect(movie.folder.file("copy.webm"))
        #expect(report.format.tags?["ARTIST"] == "Somebody" && report.streams.count == 2)
    }
}
