import GStreamer
import MovieFiles
import SystemPackage
import TestSupport
import Testing
import Threads

@testable import Encoding

/// Pictures that are lent to an encoder and not given.
@Suite(.timeLimit(.minutes(10))) struct PictureLoanTests {
    /// A moving pattern, so that a picture taken for another shows.
    private static func picture(_ index: Int) -> Buffer {
        let bytes = (0..<(64 * 64 * 3 / 2)).map { UInt8(truncatingIfNeeded: ($0 &* 7) ^ (index &* 13) &+ $0 / 64) }
        return bytes.withUnsafeBytes {
            Buffer(copying: $0, presentationTime: Nanoseconds(index) * 40_000_000, duration: 40_000_000)
        }
    }

    private static func encode(_ codec: VideoCodec, isLent: Bool, to file: String) async throws {
        let caps = try Caps("video/x-raw,format=I420,width=64,height=64,framerate=25/1,colorimetry=bt709")
        let request = VideoRequest(
            codec: codec, container: .mkv, size: VideoSize(64, 64), rate: Fraction(25), purpose: .export)
        let encoders = try EncoderTables(PipelineFiles.find()).videoEncoders(for: request)
        let encoder = try #require(encoders.first { !$0.isHardware })
        #expect(encoder.copiesPictures)
        var nodes = try encoder.nodes(format: "I420", colorimetry: "bt709")
        if codec == .hevc {
            // With several threads x265 does not make the same of the same pictures.
            nodes = [
                .make("x265enc", name: "video-encoder", ["option-string": "frame-threads=1:pools=none"]),
                .make("h265parse"),
            ]
        }
        var plan = MoviePlan(
            muxer: "matroskamux", isMovieFile: false,
            video: .init(caps: caps, nodes: nodes), purpose: .export)
        plan.lendsPictures = isLent
        let writer = try MovieWriter(plan, destination: MovieDestination(FilePath(file)), options: .init())
        try await writer.start()
        try await onOwnThread { for index in 0..<40 { _ = writer.write(picture: Self.picture(index)) } }
        writer.endPictures()
        _ = try await writer.finish(within: 120)
    }

    @Test(arguments: [VideoCodec.h264, .hevc, .vp9, .av1]) func `what an encoder was lent comes out as what it kept`(
        codec: VideoCodec
    ) async throws {
        let folder = try TemporaryFolder()
        try await Self.encode(codec, isLent: false, to: folder.file("kept.mkv"))
        try await Self.encode(codec, isLent: true, to: folder.file("lent.mkv"))
        let kept = try await Self.hashes(of: folder.file("kept.mkv"))
        #expect(kept.filter { !$0.hasPrefix("#") }.count == 40)
        #expect(try await Self.hashes(of: folder.file("lent.mkv")) == kept)
    }

    private static func hashes(of file: String) async throws -> [Substring] {
        try await Tool.succeed("ffmpeg", ["-nostdin", "-v", "error", "-i", file, "-c", "copy", "-f", "framemd5", "-"])
            .text.split(separator: "\n")
    }
}
