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

    /// An element whose size takes eight bytes.
    private static func element(_ id: [UInt8], _ content: Data) -> Data {
        Data(id + [1] + (0..<7).reversed().map { UInt8(truncatingIfNeeded: content.count >> (8 * $0)) }) + content
    }

    private static func tag(_ level: UInt8, _ texts: [(String, String)]) -> Data {
        let simple = texts.map { name, text in
            element([0x67, 0xC8], element([0x45, 0xA3], Data(name.utf8)) + element([0x44, 0x87], Data(text.utf8)))
        }
        let target = element([0x63, 0xC0], element([0x68, 0xCA], Data([level])))
        return element([0x73, 0x73], target + Data(simple.joined()))
    }

    @Test(arguments: [
        ("in.mka", [(50, "Songs", "Several"), (30, "Song", "Ann")]),
        ("in.mkv", [(70, "Films", "Several"), (50, "Song", "Ann")]),
    ])
    func `of tags of several levels those of the file itself are its own`(
        name: String, tags: [(level: Int, title: String, artist: String)]
    ) async throws {
        let folder = try TemporaryFolder()
        let video = name.hasSuffix("v") ? ["-c:v", "libx264", "-preset", "ultrafast", "-pix_fmt", "yuv420p"] : ["-vn"]
        _ = try await Tool.succeed(
            "ffmpeg",
            ["-nostdin", "-v", "error", "-f", "lavfi", "-i", "testsrc2=size=160x96:duration=1", "-f", "lavfi", "-i"]
                + ["sine=duration=1", "-map", "0", "-map", "1", "-c:a", "libvorbis", "-ac", "2", "-metadata"]
                + ["FILLER=\(String(repeating: "x", count: 600))"] + video + [folder.file(name)])
        var bytes = try Data(contentsOf: URL(filePath: folder.file(name)))
        // ffmpeg's own tags give their place to these and to a void; what names them first is the list of what lies where.
        let place = try #require(bytes.range(of: Data([0x12, 0x54, 0xC3, 0x67]), options: .backwards)).lowerBound
        let width = bytes[place + 4].leadingZeroBitCount + 1
        let size = bytes[place + 4..<place + 4 + width].reduce(0) { $0 << 8 | Int($1) } & ((1 << (7 * width)) - 1)
        let own = Self.element(
            [0x12, 0x54, 0xC3, 0x67],
            Data(tags.map { Self.tag(UInt8($0.level), [("TITLE", $0.title), ("ARTIST", $0.artist)]) }.joined()))
        let end = place + 4 + width + size
        let void = Self.element([0xEC], Data(count: end - place - own.count - 9))
        bytes.replaceSubrange(place..<end, with: own + void)
        try bytes.write(to: URL(filePath: folder.file(name)))
        let output = name == "in.mka" ? "out.m4a" : "out.mp4"
        _ = try await ExportSession(input: FilePath(folder.file(name)), settings: ExportSettings(preset: "h264"))
            .export(to: MovieDestination(FilePath(folder.file(output))))
        let report = try await FFProbe.inspect(folder.file(output)).format.tags ?? [:]
        #expect(report["title"] == "Song" && report["artist"] == "Ann", "\(report)")
        #expect(report["album"] == (name == "in.mka" ? "Songs" : nil), "\(report)")
    }

    @Test func `a cover comes along beside audio that QuickTime does not hold`() async throws {
        let folder = try TemporaryFolder()
        _ = try await Tool.succeed(
            "ffmpeg",
            [
                "-nostdin", "-v", "error", "-f", "lavfi", "-i", "color=red:size=64x64:duration=0.04", "-frames:v", "1",
                folder.file("cover.png"),
            ])
        let movie = try await MadeMovie(
            "take.mkv",
            "-c:v libvpx -deadline realtime -cpu-used 8 -c:a libvorbis -ac 2 -attach \(folder.file("cover.png"))"
                + " -metadata:s:t:0 mimetype=image/png", seconds: 1)
        for preset in ["copy", "h264"] {
            let result = try await movie.export(ExportSettings(preset: preset), to: "\(preset).mkv")
            #expect(!result.notes.contains { $0.contains("left out") }, "\(result.notes)")
            let report = try await MusicReport.inspect(movie.folder.file("\(preset).mkv"))
            #expect(report.covers == ["png"], "\(report)")
        }
    }
}
