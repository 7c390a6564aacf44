import Foundation
import TestSupport
import Testing

/// Recordings that a full disk or a limit of the file's size ends, in each container: one rule for what is told, and what is told is what is left.
@Suite(.timeLimit(.minutes(25)), .turn) struct FullFileTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// Every container that `record` writes.
    private static let names = [
        "take.mov", "take.mp4", "take.mkv", "take.webm", "voice.m4a", "voice.wav", "voice.flac", "voice.mp3",
        "voice.mka",
    ]

    private func arguments(_ name: String) -> [String] {
        let sources =
            name.hasPrefix("voice")
            ? ["--camera", "none"] : ["--camera", "test:pattern=snow,size=320x240", "--bitrate", "6M"]
        return ["record", "--microphone", "test", "--json", "--progress", "none", "--min-free", "0"] + sources
            + ["--duration", "60", name]
    }

    @Test(arguments: Cases.taken(of: names))
    func `a file that may grow no more is told as it is left`(name: String) async throws {
        let limit = name.hasPrefix("voice") ? 150_000 : 2_500_000
        let result = try await Tool.run(
            "prlimit", ["--fsize=\(limit)", try BuiltCommand.rushes.path] + arguments(name), limit: .seconds(120),
            folder: folder.path)
        try await expectTold(result, "the file cannot grow any further (File too large)", folder.file(name))
        #expect(try size(of: folder.file(name)) <= limit)
    }

    /// Another program takes all that is left in one go.
    @Test(arguments: Cases.taken(of: names))
    func `a file on a disk that is full is told as it is left`(name: String) async throws {
        let size = name.hasPrefix("voice") ? 60_000 : 2_000_000
        let result = try await SmallDisk.run(
            arguments(name), size: "16M",
            meanwhile:
                "until [ \"$(stat -c %s \(name) || echo 0)\" -gt \(size) ]; do sleep 0.02; done; cat /dev/zero >all",
            in: folder)
        try await expectTold(result, "the disk is full", SmallDisk.left(name, in: folder))
    }

    private func expectTold(_ result: ToolResult, _ reason: String, _ file: String) async throws {
        #expect(result.status == 3, "\(result)")
        #expect(result.errors.contains("; writing failed: \(reason)."), "\(result)")
        Quiet.expect(result.errors)
        let last = try #require(try Event.all(result.text).last).state
        #expect(last.phase == "finished" && last.fileIsGood == true, "\(result)")
        #expect(last.reason == "writing failed: \(reason)", "\(result)")
        #expect(last.bytesWritten == Int64(try size(of: file)), "\(result)")
        let report = try await FFProbe.inspect(file)
        #expect(abs((report.format.duration?.value ?? 0) - (last.mediaTime ?? -1)) < 0.001, "\(result)")
        let frames = report.video.isEmpty ? 0 : try await FFProbe.packets("v:0", of: file).count
        #expect(last.framesWritten ?? 0 == frames && frames > 0 || report.video.isEmpty, "\(result)")
        #expect(try await !FFProbe.packets("a:0", of: file).isEmpty)
        try await FFmpeg.decode(file)
    }

    private func size(of file: String) throws -> Int {
        try #require(try FileManager.default.attributesOfItem(atPath: file)[.size] as? Int)
    }
}
