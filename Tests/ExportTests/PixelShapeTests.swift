import Encoding
import Export
import Foundation
import MovieFiles
import SystemPackage
import TestSupport
import Testing

/// The shape of pixels and the colors that QuickTime tells, where frames are copied into Matroska.
@Suite(.timeLimit(.minutes(5)), .requires(tool: "ffmpeg", package: "ffmpeg"))
struct PixelShapeTests: MakesInputs {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func shape(_ name: String) async throws -> String {
        try await Tool.succeed(
            "ffprobe",
            ["-v", "error", "-select_streams", "v", "-show_entries", "stream=sample_aspect_ratio", "-of", "flat"]
                + [folder.file(name)]
        ).text
    }

    @Test(arguments: [("mpeg2video", "160x96"), ("dvvideo", "720x576")]) func `it is kept`(
        codec: String, size: String
    ) async throws {
        try await make("in.mov", size: size, rate: 25, "-c:v \(codec) -vf setsar=3/2 -c:a pcm_s16le")
        let result = try await export("in.mov", to: "out.mkv", "copy")
        #expect(result.notes.contains { $0.contains("is copied as it is") }, "\(result.notes)")
        #expect(try await shape("in.mov").contains("3:2"))
        #expect(try await shape("out.mkv").contains("3:2"))
    }

    /// As cameras write it that have no `pasp`, and a header with the size of the coded frames.
    @Test(arguments: ["libx264 -preset ultrafast", "libx265 -preset ultrafast -x265-params log-level=none -tag:v hvc1"])
    func `it is kept where the stream alone tells it`(codec: String) async throws {
        try await make("told.mp4", size: "352x288", "-map 0:v -c:v \(codec) -vf setsar=12/11 -t 1")
        var bytes = try Data(contentsOf: URL(filePath: folder.file("told.mp4")))
        let shape = try #require(bytes.firstRange(of: Data("pasp".utf8)))
        bytes.replaceSubrange(shape, with: Data("free".utf8))
        // The width that the track's header tells, in 16.16 bits, before the height.
        let width = try #require(bytes.firstRange(of: [1, 0x80, 0, 0, 1, 0x20, 0, 0]))
        bytes.replaceSubrange(width, with: [1, 0x60, 0, 0, 1, 0x20, 0, 0])
        try bytes.write(to: URL(filePath: folder.file("in.mp4")))
        #expect(try await self.shape("in.mp4").contains("12:11"))
        let told = try MovieInfo(contentsOf: FilePath(folder.file("in.mp4"))).video[0]
        #expect(told.displayWidth == 384 && told.displayHeight == 288)
        for name in ["out.mkv", "out.mov"] {
            _ = try await export("in.mp4", to: name, "copy")
            let words = try await self.shape(name).split(separator: "\"")[1].split(separator: ":").compactMap {
                Double($0)
            }
            // Matroska holds whole pixels.
            #expect(words.count == 2 && abs(words[0] / words[1] - 12 / 11) < 0.004, "\(name): \(words)")
        }
    }

    @Test(arguments: [("352x240", 1 / 1.0950), ("352x288", 1 / 0.9157)], [("copy", "out.mkv"), ("h264", "out.mov")])
    func `MPEG-1 of Video CDs is as wide as its standard says`(
        made: (size: String, shape: Double), output: (preset: String, name: String)
    ) async throws {
        try await make("in.mpg", size: made.size, rate: 25, "-c:v mpeg1video -vf setsar=\(made.shape) -t 1 -c:a mp2")
        _ = try await export("in.mpg", to: output.name, output.preset)
        for name in ["in.mpg", output.name] {
            let words = try await shape(name).split(separator: "\"")[1].split(separator: ":").compactMap { Double($0) }
            // Matroska holds whole pixels.
            #expect(words.count == 2 && abs(words[0] / words[1] - made.shape) < 0.004, "\(name): \(words)")
        }
    }

    /// MPEG-2 is made without colors in the stream itself.
    @Test(arguments: [("mpeg2video", "160x96"), ("dvvideo", "720x576")]) func `colors are kept`(
        codec: String, size: String
    ) async throws {
        try await make("plain.mov", size: size, rate: 25, "-c:v \(codec)")
        _ = try await Tool.succeed(
            "ffmpeg",
            Tool.words(
                "-v error -i \(folder.file("plain.mov")) -c copy -color_primaries bt470bg -color_trc bt709 "
                    + "-colorspace smpte170m -movflags write_colr \(folder.file("in.mov"))"))
        let result = try await export("in.mov", to: "out.mkv", "copy")
        #expect(result.notes.contains { $0.contains("is copied as it is") }, "\(result.notes)")
        for name in ["in.mov", "out.mkv"] {
            let video = try #require(try await FFProbe.inspect(folder.file(name)).video.first)
            #expect(
                [video.colorPrimaries, video.colorTransfer, video.colorSpace] == ["bt470bg", "bt709", "smpte170m"],
                "\(name)")
        }
    }
}
