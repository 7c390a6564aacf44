import Errors
import Export
import Foundation
import MediaTypes
import TestSupport
import Testing

/// Frames of codecs that archives, editors and screen recorders have and GStreamer's muxer does not know, copied into Matroska: out of AVI,
/// QuickTime, Flash and Matroska itself.
@Suite(.timeLimit(.minutes(10)), .requires(tool: "ffmpeg", package: "ffmpeg")) struct ArchiveCodecTests: MakesInputs {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// Codecs of ffmpeg, each with an ending.
    private static let inputs = [
        "ffv1 avi", "ffv1 mov", "ffvhuff avi", "ffvhuff mov", "huffyuv mov", "utvideo avi", "utvideo mov",
        "magicyuv avi",
        "magicyuv mov", "cinepak avi", "cinepak mov", "cfhd avi", "cfhd mov", "hap mov", "qtrle mov", "png avi",
        "png mov", "v210 avi", "v210 mov", "jpeg2000 avi", "jpeg2000 mov", "jpegls avi", "msvideo1 avi", "zmbv avi",
        "svq1 avi", "svq1 mov", "snow avi", "flashsv avi", "flashsv flv", "flv1 flv", "flv1 avi", "asv1 avi",
        "wmv2 mov",
        "msmpeg4v2 mov", "targa mov", "r210 mov", "speedhq avi", "smc mov", "tiff mov",
    ]

    /// What ffmpeg decodes, frame by frame, and what it calls the codec.
    private func frames(_ name: String) async throws -> [String] {
        // Of colors in a table ffmpeg takes the opacity from QuickTime, but not from Matroska.
        let words = ["-nostdin", "-v", "error", "-i", folder.file(name), "-map", "0:v", "-vf", "format=rgb48le"]
        let text = try await Tool.succeed("ffmpeg", words + ["-fps_mode", "passthrough", "-f", "framemd5", "-"]).text
        let frames = text.split(whereSeparator: \.isNewline).filter { !$0.hasPrefix("#") }
            .compactMap { $0.split(separator: ",").last.map(String.init) }
        let codec = try await FFProbe.inspect(folder.file(name)).video.first
        return frames + [codec.map { "\($0.codecName ?? "") \($0.pixFmt ?? "")" } ?? ""]
    }

    /// Six tenths of a second, in which the first seconds of each codec's state are.
    private func makeVideo(_ name: String, _ codec: String) async throws {
        _ = try await Tool.succeed(
            "ffmpeg",
            ["-nostdin", "-v", "error", "-f", "lavfi", "-i", "testsrc=size=176x144:rate=25:duration=0.6"]
                + ["-c:v", codec, "-strict", "-2", folder.file(name)])
    }

    @Test(arguments: Cases.taken(of: inputs, most: 12)) func `all frames are there, as they were`(input: String)
        async throws
    {
        let words = input.split(separator: " ").map(String.init)
        let name = "in.\(words[1])"
        try await makeVideo(name, words[0])
        let result = try await export(name, to: "out.mkv", "copy")
        let wanted = try await frames(name)
        #expect(result.frames == 15 && wanted.count == 16)
        #expect(try await frames("out.mkv") == wanted)
        let times = try await FFProbe.packets("v:0", of: folder.file("out.mkv")).compactMap { $0.ptsTime?.value }
        #expect(zip(times, 0...).allSatisfy { abs($0 - Double($1) / 25) < 0.001 } && times.count == 15, "\(times)")
        // From one Matroska file to another, and read again.
        let again = try await export("out.mkv", to: "again.mkv", "copy")
        #expect(
            again.frames == 15
                && again.notes.contains { $0.hasSuffix("copied as it is.") || $0.hasSuffix("copied as they are.") })
        #expect(try await frames("again.mkv") == wanted)
        #expect(try await export("again.mkv", to: "out.mp4", "h264").frames == 15)
    }

    @Test func `audio beside them stays, in its place`() async throws {
        try await make("in.avi", "-c:v utvideo -c:a pcm_s16le")
        let result = try await export("in.avi", to: "out.mkv", "copy")
        #expect(result.frames == 90)
        let streams = try await FFProbe.inspect(folder.file("out.mkv")).streams
        #expect(streams.map(\.codecName) == ["utvideo", "pcm_s16le"])
        #expect(try await frames("out.mkv") == (try await frames("in.avi")))
    }

    /// Of what lies beside it, none goes through a parser, which writes again what of it is damaged.
    @Test func `Vorbis of MP4 is copied by its index, with the frames beside it`() async throws {
        try await make("in.mp4", "\(Self.fast) -bf 2 -c:a libvorbis")
        let result = try await export("in.mp4", to: "out.mkv", "copy")
        #expect(result.notes == ["All tracks are copied as they are."], "\(result.notes)")
        let (wanted, given) = (try await decoded("in.mp4"), try await decoded("out.mkv"))
        #expect(given == wanted && given.frames == 90)
        #expect(try await frames("out.mkv") == (try await frames("in.mp4")))
    }

    @Test func `WebM refuses them`() async throws {
        try await makeVideo("in.avi", "utvideo")
        await #expect(throws: RushesError.self) { _ = try await export("in.avi", to: "out.webm", "copy") }
        #expect(folder.contents == ["in.avi"])
    }
}
