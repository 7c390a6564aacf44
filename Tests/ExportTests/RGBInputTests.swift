import Export
import Foundation
import TestSupport
import Testing

/// Frames of red, green and blue, as screens are recorded; judged by ffmpeg.
@Suite(.timeLimit(.minutes(10)), .requires(tool: "ffmpeg", package: "ffmpeg")) struct RGBInputTests: MakesInputs {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test("an unused byte a pixel makes nothing transparent", arguments: ["out.gif", "out.mov"])
    func opaque(name: String) async throws {
        try await make("in.mkv", rate: 10, "-an -c:v ffv1 -pix_fmt bgr0")
        _ = try await export("in.mkv", to: name, name == "out.gif" ? "gif" : "prores-4444")
        let pixels = try await Tool.succeed(
            "ffmpeg",
            [
                "-nostdin", "-v", "error", "-i", folder.file(name), "-frames:v", "1", "-pix_fmt", "rgba", "-f",
                "rawvideo", "-",
            ]
        ).output
        #expect(pixels.count == 160 * 96 * 4)
        let bytes = [UInt8](pixels)
        let alphas: [UInt8] = stride(from: 3, to: bytes.count, by: 4).map { bytes[$0] }
        #expect(alphas.allSatisfy { $0 == 255 })
        // There is something to see.
        #expect(Set(pixels).count > 20)
    }

    @Test("luma and chroma say by which matrix they are made", arguments: ["prores-hq", "webm", "av1", "h264"])
    func matrix(preset: String) async throws {
        for (size, name) in [("160x96", "smpte170m"), ("1280x720", "bt709")] {
            try await make("in-\(name).mov", size: size, rate: 2, "-an -c:v qtrle -pix_fmt rgb24")
            let output = name + (preset == "prores-hq" ? ".mov" : preset == "webm" ? ".webm" : ".mkv")
            _ = try await export("in-\(name).mov", to: output, preset)
            let frame = try #require(try await FFProbe.frames("v:0", of: folder.file(output)).first)
            #expect(frame.colorSpace == name, "\(preset): \(frame.colorSpace ?? "none")")
        }
    }
}
