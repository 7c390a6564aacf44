import Foundation
import TestSupport
import Testing

/// What `rushes info` tells of the colors of files that are neither QuickTime nor Matroska, where the stream alone tells them.
@Suite(.timeLimit(.minutes(5)), .requires(tool: "ffmpeg", package: "ffmpeg")) struct InfoColorTests {
    private struct Told: Decodable {
        struct Video: Decodable { var colorPrimaries, transfer, matrix, range: String? }
        var video: [Video]
    }

    @Test(
        arguments: ["in.ts", "in.flv", "in.m2ts"],
        [
            "-colorspace bt709 -color_trc bt709 -color_primaries bt709",
            "-colorspace bt470bg -color_trc gamma28 -color_primaries bt470bg -color_range pc",
            "-colorspace bt2020nc -color_trc arib-std-b67 -color_primaries bt2020", "",
        ])
    func `of a stream are what ffprobe tells`(name: String, colors: String) async throws {
        let folder = try TemporaryFolder()
        _ = try await Tool.succeed(
            "ffmpeg",
            Tool.words(
                "-nostdin -v error -f lavfi -i testsrc2=size=96x64:rate=25:duration=0.4 -c:v libx264 -preset ultrafast "
                    + "-pix_fmt yuv420p \(colors)") + [folder.file(name)])
        let result = try await BuiltCommand.rushes.run(["info", "--json", folder.file(name)])
        let told = try #require(try JSONDecoder().decode(Told.self, from: result.output).video.first)
        let video = try #require(try await FFProbe.inspect(folder.file(name)).video.first)
        #expect(told.colorPrimaries == video.colorPrimaries && told.transfer == video.colorTransfer, "\(told) \(video)")
        #expect(told.matrix == video.colorSpace, "\(told) \(video)")
        let ranges = ["pc": "full", "tv": "limited"]
        #expect(
            colors.isEmpty || told.range == video.colorRange.flatMap { ranges[$0] } ?? told.range, "\(told) \(video)")
    }

    /// GStreamer's demuxer (1.22) would end the process at it.
    @Test func `MXF of a kind that nothing reads is refused in a sentence`() async throws {
        let folder = try TemporaryFolder()
        _ = try await Tool.succeed(
            "ffmpeg",
            Tool.words(
                "-nostdin -v error -f lavfi -i testsrc2=size=96x64:rate=25:duration=0.4 -c:v mpeg2video")
                + [folder.file("in.mxf")])
        var data = try Data(contentsOf: URL(filePath: folder.file("in.mxf")))
        // It is said to be of ACES, nothing else lies between the frames, and no reader finds a description of them.
        for (old, new) in [
            ([0x0D, 0x01, 0x03, 0x01, 0x02, 0x04], [0x0D, 0x01, 0x03, 0x01, 0x02, 0x19]),
            ([0x0D, 0x01, 0x03, 0x01, 0x04], [0x0D, 0x01, 0x0F, 0x01, 0x04]),
            // The package of the file, which its tracks hang on (SMPTE ST 377-1, "source package").
            ([0x0D, 0x01, 0x01, 0x01, 0x01, 0x01, 0x37, 0x00], [0x0D, 0x01, 0x01, 0x01, 0x01, 0x01, 0x7F, 0x00]),
        ] as [([UInt8], [UInt8])] {
            try #require(data.firstRange(of: Data(old)) != nil)
            while let range = data.firstRange(of: Data(old)) { data.replaceSubrange(range, with: new) }
        }
        try data.write(to: URL(filePath: folder.file("in.mxf")))
        for arguments in [["info"], ["transcode", "--output", folder.file("out.mp4")]] {
            let result = try await BuiltCommand.rushes.run(arguments + [folder.file("in.mxf")])
            #expect(result.status == 1 && result.errors.contains("MXF of a kind that nothing here reads"), "\(result)")
        }
    }
}
