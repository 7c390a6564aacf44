import Encoding
import Export
import Foundation
import MediaTypes
import TestSupport
import Testing

/// Matroska whose frames were stored for Video for Windows: it says when they are decoded, and not when they are shown.
@Suite(.timeLimit(.minutes(5)), .requires(tool: "ffmpeg", package: "ffmpeg"))
struct VideoForWindowsTests: MakesInputs {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// When the packets of a stream are shown, in seconds, the earliest first.
    private func times(_ name: String, _ stream: String) async throws -> [Double] {
        let words = ["-v", "error", "-select_streams", stream, "-show_entries", "packet=pts_time", "-of", "csv=p=0"]
        let text = try await Tool.succeed("ffprobe", words + [folder.file(name)]).text
        return text.split(whereSeparator: \.isNewline).compactMap { Double($0.filter { $0 != "," }) }.sorted()
    }

    /// Frames without a length, and audio beside them where it is named.
    private func makeInput(_ audio: String) async throws {
        try await make("told.mkv", "-c:v wmv2 \(audio)")
        var bytes = try Data(contentsOf: URL(filePath: folder.file("told.mkv")))
        // How long each frame is shown (`DefaultDuration`), which mkvmerge leaves out where it does not know it.
        let length = try #require(bytes.firstRange(of: [0x23, 0xE3, 0x83, 0x84])).lowerBound
        bytes.replaceSubrange(length..<length + 8, with: [0xEC, 0x86, 0, 0, 0, 0, 0, 0])
        try bytes.write(to: URL(filePath: folder.file("in.mkv")))
    }

    @Test(arguments: ["out.mp4", "out.mkv"]) func `frames without a length are shown when they are decoded`(
        output: String
    ) async throws {
        try await makeInput("-c:a aac -af asetpts=PTS+0.5/TB")
        let result = try await export("in.mkv", to: output, output == "out.mkv" ? "copy" : "h264")
        let (wanted, written) = (try await times("in.mkv", "v"), try await times(output, "v"))
        #expect(written.count == 90 && result.frames == 90)
        #expect(zip(written, wanted).allSatisfy { abs($0 - $1) < 0.002 }, "\(written)")
        // Encoded audio has silence there.
        guard output == "out.mkv" else { return }
        let late = try #require(try await times(output, "a").first { $0 > 0.1 })
        #expect(abs(late - 0.5) < 0.03, "\(late)")
    }
    @Test func `frames without a length are copied where no audio lies beside them, too`() async throws {
        try await makeInput("-an")
        let result = try await export("in.mkv", to: "out.mkv", "copy")
        let (wanted, written) = (try await times("in.mkv", "v"), try await times("out.mkv", "v"))
        #expect(written.count == 90 && result.frames == 90 && abs(result.duration.seconds - 3) < 0.05, "\(result)")
        #expect(zip(written, wanted).allSatisfy { abs($0 - $1) < 0.002 }, "\(written)")
    }
}
