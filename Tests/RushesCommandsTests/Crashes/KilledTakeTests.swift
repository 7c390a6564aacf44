import Foundation
import TestSupport
import Testing

/// A recorder that is killed: what is left plays, upright and in step, and lacks at most the last second.
@Suite(.timeLimit(.minutes(25)), .alone) struct KilledTakeTests {
    struct Setting: Sendable, CustomTestStringConvertible {
        var options: [String]
        var file = "take.mov"
        var testDescription: String { (options + [file]).joined(separator: " ") }
    }

    private static let settings = [
        Setting(options: ["--codec", "hevc"]),
        Setting(options: ["--codec", "h264", "--rotation", "90"], file: "take.mp4"),
        Setting(options: ["--codec", "av1", "--rotation", "270"], file: "take.mp4"),
        Setting(options: ["--codec", "prores", "--profile", "lt", "--rotation", "180"]),
        Setting(options: ["--codec", "mjpeg", "--mirror"]),
        Setting(options: ["--codec", "vp9"], file: "take.mkv"),
        Setting(options: ["--codec", "h264"], file: "take.mkv"),
        Setting(options: ["--camera", "none"]),
    ]

    @Test(arguments: Cases.taken(of: settings))
    func `kill -9 at any moment loses at most a second`(setting: Setting) async throws {
        let folder = try TemporaryFolder()
        let take = try BuiltCommand.rushes.start(
            [
                "record", "--camera", "test:pattern=ball,size=320x240,rate=25", "--microphone", "test", "--json",
                "--progress", "none",
            ]
                + setting.options + [setting.file], folder: folder.path)
        // The moment is counted from the first frame, which the start event tells.
        var random = SeededGenerator.printed(for: "the kill of \(setting.file)")
        let moment = Double.random(in: 1.5...3.2, using: &random)
        var begin = ContinuousClock.now
        for await line in take.lines where try Event(line).event == "start" {
            begin = .now
            break
        }
        try await Task.sleep(for: .seconds(moment))
        let waited = begin.duration(to: .now) / .seconds(1)
        take.signal(SIGKILL)
        let result = try await take.result(within: .seconds(60))
        // It tells every half second what it has; one that got no core before it was killed has not lived on meanwhile.
        let told = result.text.split(separator: "\n").compactMap { try? Event(String($0)).state.mediaTime }.max() ?? 0
        let lived = min(waited, told + 0.7)
        try await expectPlayable(folder.file(setting.file), lived: lived, setting)
    }

    @Test(arguments: ["take.mov", "take.mkv"]) func `two microphones both play to their last second`(name: String)
        async throws
    {
        let folder = try TemporaryFolder()
        let take = try BuiltCommand.rushes.start(
            [
                "record", "--camera", "test:pattern=ball,size=320x240,rate=30", "--codec", "h264", "--microphone",
                "test:frequency=440", "--microphone", "test:frequency=1000", "--json", "--progress", "none", name,
            ], folder: folder.path)
        var last = 0.0
        for await line in take.lines {
            last = try Event(line).state.mediaTime ?? last
            if last > 2.2 { break }
        }
        take.signal(SIGKILL)
        _ = try await take.result(within: .seconds(60))
        let file = folder.file(name)
        func expectBoth() async throws {
            for (track, hertz) in [440.0, 1000].enumerated() {
                let audio = try await FFmpeg.audio(of: file, track: track, rate: 48_000, channel: 0)
                #expect(Double(audio.count) / 48_000 > last - 1.1, "\(audio.count) of \(last) s")
                #expect(abs(ToneAnalysis(Array(audio.prefix(48_000)), rate: 48_000).frequency - hertz) < 3)
            }
        }
        try await expectBoth()
        let recovery = try await BuiltCommand.rushes.run(["recover", name], folder: folder.path)
        #expect(recovery.status == 0, "\(recovery)")
        try await FFmpeg.decode(file)
        try await expectBoth()
    }

    private func expectPlayable(_ file: String, lived: Double, _ setting: Setting) async throws {
        let isAlone = setting.options.contains("none")
        let kind = isAlone ? "a:0" : "v:0"
        let packets = try await FFProbe.packets(kind, of: file)
        let end =
            packets.compactMap { packet in packet.ptsTime.map { $0.value + (packet.durationTime?.value ?? 0.04) } }
            .max() ?? 0
        #expect(end > lived - 1.0, "lived \(lived) s, kept \(end) s")
        if !isAlone {
            let audio = try await FFProbe.packets("a:0", of: file).compactMap(\.ptsTime?.value).max() ?? 0
            #expect(abs(audio - end) < 1, "frame ends at \(end), audio at \(audio)")
        }
        try await expectDecodes(file, mayBeCut: setting.file.hasSuffix("mkv"))
        if let place = setting.options.firstIndex(of: "--rotation") {
            let media = try await MediaInfo.inspect(file)
            #expect(media.video.first?.number("Rotation") == Double(setting.options[place + 1]))
        }
    }

    /// A Matroska file may break off inside its last block, of which ffmpeg warns; nothing may be wrong before.
    private func expectDecodes(_ file: String, mayBeCut: Bool) async throws {
        guard mayBeCut else { return try await FFmpeg.decode(file) }
        let result = try await Tool.run(
            "ffmpeg", ["-nostdin", "-v", "warning", "-i", file, "-f", "null", "-"], limit: .seconds(120))
        let complaints = result.errors.split(separator: "\n").filter { !$0.contains("File ended prematurely") }
        #expect(result.status == 0 && complaints.isEmpty, "\(result)")
    }
}
