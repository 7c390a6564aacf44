import Encoding
import Export
import Foundation
import MediaTypes
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
    ///
    /// - Parameters:
    ///   - shown: The width that the track's header told.
    private func leaveUntold(_ name: String, as untold: String, coded: VideoSize, shown: Int) throws {
        var bytes = try Data(contentsOf: URL(filePath: folder.file(name)))
        for box in ["pasp", "tapt"] {
            guard let told = bytes.firstRange(of: Data(box.utf8)) else {
                #expect(box == "tapt")
                continue
            }
            bytes.replaceSubrange(told, with: Data("free".utf8))
        }
        // Both in 16.16 bits.
        func size(_ width: Int) -> Data {
            Data([width, coded.height].flatMap { [UInt8($0 >> 8), UInt8($0 & 255), 0, 0] })
        }
        let header = try #require(bytes.firstRange(of: size(shown)))
        bytes.replaceSubrange(header, with: size(coded.width))
        try bytes.write(to: URL(filePath: folder.file(untold)))
    }

    private static let small = VideoSize(352, 288)
    private static let large = VideoSize(720, 576)

    @Test(arguments: [
        ("mp4", small, "libx264 -preset ultrafast"),
        ("mp4", small, "libx265 -preset ultrafast -x265-params log-level=none -tag:v hvc1"),
        ("mp4", small, "mpeg4"), ("3gp", small, "h263"), ("mov", small, "mpeg2video"), ("mov", large, "dvvideo"),
    ])
    func `it is kept where the stream alone tells it`(ending: String, size: VideoSize, codec: String) async throws {
        let (shape, shown) = size == Self.small ? (12.0 / 11, 384) : (64.0 / 45, 1024)
        try await make(
            "told.\(ending)", size: "\(size.width)x\(size.height)", rate: 25,
            "-map 0:v -c:v \(codec) -vf setsar=\(size == Self.small ? "12/11" : "64/45") -t 1")
        try leaveUntold("told.\(ending)", as: "in.\(ending)", coded: size, shown: shown)
        let told = try MovieInfo(contentsOf: FilePath(folder.file("in.\(ending)"))).video[0]
        #expect(told.displayWidth == shown && told.displayHeight == size.height)
        _ = try await export("in.\(ending)", to: "out.mkv", "copy")
        _ = try await export("in.\(ending)", to: "out.mov", "copy")
        for name in ["in.\(ending)", "out.mkv", "out.mov"] {
            let words = try await self.shape(name).split(separator: "\"")[1].split(separator: ":").compactMap {
                Double($0)
            }
            // Matroska holds whole pixels.
            #expect(words.count == 2 && abs(words[0] / words[1] - shape) < 0.004, "\(name): \(words)")
        }
    }

    /// qtdemux (1.22) calls pixels square that no `pasp` describes, and the muxer believes that more than the stream.
    @Test func `it is kept where a pipeline copies the stream`() async throws {
        try await make(
            "told.mp4", size: "352x288", "-c:v libx264 -preset ultrafast -vf setsar=12/11 -c:a pcm_s16le -f mov -t 1")
        try leaveUntold("told.mp4", as: "in.mp4", coded: Self.small, shown: 384)
        let result = try await ExportSession(
            input: FilePath(folder.file("in.mp4")), settings: ExportSettings(preset: "h264")
        ).export(to: MovieDestination(FilePath(folder.file("out.mp4"))))
        #expect(result.notes.contains { $0.contains("H.264 is copied as it is") }, "\(result.notes)")
        #expect(try await shape("out.mp4").contains("12:11"))
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
