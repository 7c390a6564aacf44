import Foundation
import TestSupport
import Testing

/// AV1 whose colors its frames alone tell: nothing has to follow the four bytes of `av1C`, and some writers leave out `colr` too.
@Suite(.timeLimit(.minutes(25)), .turn, .requires(tool: "ffmpeg", package: "ffmpeg")) struct AV1ColorInfoTests {
    private struct Info: Decodable {
        struct Video: Decodable { var colorPrimaries: String?, transfer: String?, matrix: String?, range: String? }
        var video: [Video]
    }

    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test func `info tells the colors`() async throws {
        let file = folder.file("in.mp4")
        let source = "-f lavfi -i testsrc2=size=96x64:rate=10:duration=0.3 -pix_fmt yuv420p -c:v libaom-av1 -cpu-used 8"
        let colors = "-color_primaries bt2020 -color_trc smpte2084 -colorspace bt2020nc -color_range tv"
        _ = try await Tool.succeed(
            "ffmpeg",
            ["-nostdin", "-v", "error"] + "\(source) \(colors)".split(separator: " ").map(String.init) + [file])
        var bytes = try Data(contentsOf: URL(filePath: file))
        // The sequence header becomes padding (AV1 Bitstream & Decoding Process Specification, section 6.2.2).
        let record = try #require(bytes.firstRange(of: Data("av1C".utf8))).upperBound
        try #require(bytes[record + 4] == 1 << 3 | 2)
        bytes[record + 4] = 15 << 3 | 2
        bytes.replaceSubrange(try #require(bytes.firstRange(of: Data("colr".utf8))), with: Data("free".utf8))
        try bytes.write(to: URL(filePath: file))
        let judged = try await Tool.succeed("ffprobe", ["-v", "error", "-show_streams", file]).text
        #expect(judged.contains("color_transfer=smpte2084"), "\(judged)")
        let result = try await BuiltCommand.rushes.run(["info", "--json", file])
        let told = try #require(try JSONDecoder().decode(Info.self, from: result.output).video.first)
        #expect(told.colorPrimaries == "bt2020" && told.transfer == "smpte2084", "\(told)")
        #expect(told.matrix == "bt2020nc" && told.range == "limited", "\(told)")
    }
}
