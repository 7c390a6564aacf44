import Foundation
import TestSupport
import Testing

/// What is neither a movie nor Matroska, joined as it is.
@Suite(.timeLimit(.minutes(25)), .turn, .requires(tool: "ffmpeg", package: "ffmpeg")) struct JoinedStreamTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func make(_ name: String, tone: Int, _ options: [String] = []) async throws {
        _ = try await Tool.succeed(
            "ffmpeg",
            ["-nostdin", "-v", "error", "-f", "lavfi", "-i", "testsrc2=size=64x48:rate=25:duration=1", "-f", "lavfi"]
                + ["-i", "sine=\(tone):duration=1", "-c:v", "libx264", "-preset", "veryfast", "-c:a", "aac"] + options
                + [folder.file(name)])
    }

    private func join(_ inputs: [String], to output: String) async throws -> ToolResult {
        try await BuiltCommand.rushes.run(
            ["join", "--progress", "none", "--output", output] + inputs, folder: folder.path)
    }

    @Test(arguments: [("ts", "mov"), ("flv", "mkv")])
    func `streams are copied first, and nothing but the joined movie is left`(ending: String, other: String)
        async throws
    {
        let inputs = ["a.\(ending)", "b.\(ending)", "c.\(ending)"]
        for (index, name) in inputs.enumerated() { try await make(name, tone: 440 * (index + 1)) }
        let result = try await join(inputs, to: "all.\(other)")
        #expect(result.status == 0 && result.errors.contains("3 movies, 0:03"), "\(result)")
        Quiet.expect(result.errors)
        #expect(folder.contents == (["all.\(other)"] + inputs).sorted())
        let joined = folder.file("all.\(other)")
        #expect(try await FFProbe.packets("v:0", of: joined).count == 75)
        let times = try await FFProbe.packets("v:0", of: joined).compactMap { $0.ptsTime?.value }.sorted()
        #expect(zip(times, times.dropFirst()).allSatisfy { abs($1 - $0 - 0.04) < 0.002 }, "\(times)")
        try await FFmpeg.decode(joined)
        // Each in its place.
        for (index, name) in inputs.enumerated() {
            let samples = try await FFmpeg.audio(of: joined, rate: 48000, start: Double(index) + 0.3, duration: 0.4)
            let tone = ToneAnalysis(samples, rate: 48000)
            #expect(abs(tone.frequency - 440 * Double(index + 1)) < 5, "\(name): \(tone.frequency)")
        }
    }

    @Test func `what cannot be copied is named, and nothing is left`() async throws {
        try await make("a.ts", tone: 440)
        // Its frames are shown in another order than they are coded in, and AVI does not say when.
        try await make("b.avi", tone: 440)
        try Data("no movie".utf8).write(to: URL(filePath: folder.file("c.ts")))
        try Data("old".utf8).write(to: URL(filePath: folder.file("old.mov")))
        for (name, words) in [("b.avi", "--preset h264"), ("c.ts", "c.ts"), ("d.ts", "d.ts")] {
            // The old file stays.
            let result = try await join(["a.ts", name, "--overwrite"], to: "old.mov")
            #expect(result.status != 0 && result.errors.contains(name), "\(result)")
            #expect(result.errors.contains(words), "\(result)")
            #expect(folder.contents == ["a.ts", "b.avi", "c.ts", "old.mov"])
            #expect(try Data(contentsOf: URL(filePath: folder.file("old.mov"))) == Data("old".utf8))
        }
    }
}
