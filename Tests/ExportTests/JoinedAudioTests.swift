import Encoding
import Errors
import Foundation
import SystemPackage
import TestSupport
import Testing

@testable import Export

/// Files of audio alone that become one, judged by ffmpeg.
@Suite(.timeLimit(.minutes(10)), .requires(tool: "ffmpeg", package: "ffmpeg")) struct JoinedAudioTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func make(_ name: String, _ seconds: Double, _ frequency: Int, _ options: String = "") async throws {
        let source = "aevalsrc='0.4*sin(2*PI*\(frequency)*t)':s=44100:d=\(seconds)"
        _ = try await Tool.succeed(
            "ffmpeg",
            ["-nostdin", "-v", "error", "-y", "-f", "lavfi", "-i", source] + Tool.words(options) + [folder.file(name)])
    }

    private func decoded(_ name: String) async throws -> Data {
        Data(
            try await Tool.succeed(
                "ffmpeg", ["-nostdin", "-v", "error", "-i", folder.file(name), "-f", "s16le", "-"]
            ).output)
    }

    private func join(_ names: [String], to output: String) async throws -> ExportResult {
        var settings = ExportSettings(preset: "h264")
        settings.reencodes = true
        return try await ExportSession(
            joining: names.map { FilePath(folder.file($0)) }, settings: settings, center: nil
        ).export(to: MovieDestination(FilePath(folder.file(output))))
    }

    @Test(arguments: [("wav", "wav"), ("flac", "flac"), ("wav", "flac")])
    func `what is without loss is joined to the sample`(input: String, output: String) async throws {
        let names = ["a.\(input)", "b.\(input)", "c.\(input)"]
        for (index, name) in names.enumerated() {
            try await make(name, [1.2345, 0.3333, 2.00007][index], 300 * (index + 1))
        }
        let result = try await join(names, to: "out.\(output)")
        var wanted = Data()
        for name in names { wanted += try await decoded(name) }
        let found = try await decoded("out.\(output)")
        #expect(found == wanted, "\(found.count) and \(wanted.count) bytes, \(result.notes)")
    }

    @Test(arguments: ["out.mp3", "out.m4a", "out.opus"])
    func `MP3 is joined in one encoding, with less than 0.06 s of silence at the seam`(
        output: String
    ) async throws {
        // The tone goes on where the first file ends.
        try await make("a.mp3", 2, 441, "-b:a 192k")
        try await make("b.mp3", 2, 441, "-b:a 192k")
        _ = try await join(["a.mp3", "b.mp3"], to: output)
        let audio = try await FFmpeg.audio(of: folder.file(output), rate: 44_100)
        #expect(abs(audio.count - 176_400) < 4800, "\(audio.count)")
        let quiet = stride(from: 80_000, to: 96_000, by: 441).count { start in
            audio[start..<start + 441].map(abs).max() ?? 0 < 0.3
        }
        #expect(quiet <= 6, "\(quiet) hundredths of a second are quiet")
    }

    @Test func `what has no audio is refused by its name`() async throws {
        try await make("a.wav", 1, 440)
        _ = try await Tool.succeed(
            "ffmpeg", Tool.words("-nostdin -v error -f lavfi -i testsrc=d=1 -c:v libx264 \(folder.file("b.mp4"))"))
        let error = await #expect(throws: RushesError.self) { _ = try await join(["a.wav", "b.mp4"], to: "out.wav") }
        #expect(error?.description.contains("b.mp4 has no audio") == true, "\(String(describing: error))")
    }
}
