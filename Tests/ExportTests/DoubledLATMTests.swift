import Encoding
import Foundation
import SystemPackage
import TestSupport
import Testing

@testable import Export

/// AAC in LATM that is decoded to twice the rate that it is coded with, as television in Europe and Brazil has it (HE-AAC).
@Suite(.requires(tool: "ffmpeg", package: "ffmpeg")) struct DoubledLATMTests {
    /// What each description says, rewritten: `AudioSpecificConfig` (ISO/IEC 14496-3, 1.6.2.1) of SBR with a core of low complexity. Without
    /// what fills the upper half of the spectrum, which ffmpeg does not write, decoders leave that empty.
    private func doubled(_ stream: Data) throws -> Data {
        var (bytes, rest) = (Data(), Array(stream)[...])
        while rest.count > 3 {
            let head = Array(rest.prefix(3))
            try #require(head[0] == 0x56 && head[1] & 0xE0 == 0xE0)
            let size = Int(head[1] & 0x1F) << 8 | Int(head[2])
            var content = Array(rest.dropFirst(3).prefix(size))
            rest = rest.dropFirst(3 + size)
            if content[0] & 0x80 == 0 {
                var bits = content.map { byte in
                    let text = String(byte, radix: 2)
                    return String(repeating: "0", count: 8 - text.count) + text
                }.joined()
                func place(_ count: Int) -> String.Index { bits.index(bits.startIndex, offsetBy: count) }
                // The kind of the object behind the multiplexer's 16 bits; then its rate's number and its channels.
                try #require(bits[place(16)..<place(21)] == "00010")
                bits.insert(contentsOf: "0100" + "00010", at: place(29))
                bits.replaceSubrange(place(16)..<place(21), with: "00101")
                bits += String(repeating: "0", count: (8 - bits.count % 8) % 8)
                let all = bits
                content = stride(from: 0, to: all.count, by: 8).compactMap {
                    UInt8(all.dropFirst($0).prefix(8), radix: 2)
                }
            }
            bytes += [0x56, 0xE0 | UInt8(content.count >> 8), UInt8(content.count & 0xFF)] + content
        }
        return bytes
    }

    @Test(arguments: ["in.latm", "in.ts"]) func `all of it is there`(name: String) async throws {
        let folder = try TemporaryFolder()
        let plain = folder.file("plain.latm")
        _ = try await Tool.succeed(
            "ffmpeg",
            [
                "-nostdin", "-v", "error", "-f", "lavfi", "-i", "sine=440:sample_rate=22050:duration=2", "-c:a", "aac",
                plain,
            ])
        let input = folder.file("in.latm")
        try doubled(Data(contentsOf: URL(filePath: plain))).write(to: URL(filePath: input))
        if name != "in.latm" {
            _ = try await Tool.succeed(
                "ffmpeg", ["-nostdin", "-v", "error", "-i", input, "-c", "copy", folder.file(name)])
        }
        let wanted = try await FFmpeg.audio(of: folder.file(name), rate: 44_100)
        try #require(wanted.count > 80_000)
        var settings = ExportSettings(preset: "h264")
        settings.audio = .codec(.pcm)
        let result = try await ExportSession(input: FilePath(folder.file(name)), settings: settings)
            .export(to: MovieDestination(FilePath(folder.file("out.wav"))))
        let audio = try await FFmpeg.audio(of: folder.file("out.wav"), rate: 44_100)
        #expect(abs(audio.count - wanted.count) <= 2048, "\(audio.count), not \(wanted.count): \(result.notes)")
        #expect(ToneAnalysis(audio.dropFirst(4096).dropLast(4096).map { $0 }, rate: 44_100).longestSilence < 0.002)
    }
}
