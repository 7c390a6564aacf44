import Export
import Foundation
import TestSupport
import Testing

/// Opus of several streams in each packet (RFC 7845, section 5.1.1), which GStreamer's parser (1.22) takes for one: of packets larger than one
/// stream's may be it searches for what looks like one, and hands on the rest.
@Suite(.timeLimit(.minutes(5)), .requires(tool: "ffmpeg", package: "ffmpeg")) struct SurroundOpusTests: MakesInputs {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func packets(_ name: String) async throws -> [Substring] {
        let text = try await Tool.succeed(
            "ffmpeg",
            ["-nostdin", "-v", "error", "-i", folder.file(name), "-map", "0:a", "-c", "copy", "-f", "framemd5", "-"]
        ).text
        return text.split(separator: "\n").filter { !$0.hasPrefix("#") }.map { $0.split(separator: ",")[5] }
    }

    private static let sixteen =
        "-af pan=16c|" + (0..<16).map { "c\($0)=c0" }.joined(separator: "|") + " -mapping_family 255 -b:a 1024k"

    @Test(arguments: [
        ("-ac 6 -b:a 700k", ["out.mkv", "out.webm", "out.ogg"]), ("-ac 8 -b:a 256k", ["out.mkv", "out.mp4"]),
        (sixteen, ["out.mkv"]),
    ])
    func `is copied as it is`(options: String, outputs: [String]) async throws {
        try await make("in.opus", "-map 1:a -ar 48000 -c:a libopus -vbr off \(options)")
        let input = try await packets("in.opus")
        for output in outputs {
            _ = try await export("in.opus", to: output, "copy")
            #expect(try await packets(output) == input, "\(output)")
        }
    }
}
