import Foundation
import TestSupport
import Testing

/// `rushes recover` on Matroska and WebM whose recorder was killed, and on what is left of such files.
@Suite(.timeLimit(.minutes(25)), .turn) struct RecoveredMatroskaTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// A take that is killed once it has some seconds.
    private func killed(_ name: String, _ options: [String]) async throws -> String {
        let take = try BuiltCommand.rushes.start(
            ["record"] + Takes.small + ["--json"] + options + [name], folder: folder.path)
        for await line in take.lines where try Event(line).state.mediaTime ?? 0 > 3 {
            take.signal(SIGKILL)
            break
        }
        _ = try await take.result(within: .seconds(60))
        return folder.file(name)
    }

    @Test(arguments: [
        ("take.mkv", ["--codec", "h264"]), ("take.webm", ["--codec", "vp9"]),
        ("voice.mkv", ["--camera", "none", "--audio", "flac"]), ("take.mkv", ["--codec", "mjpeg", "--audio", "pcm"]),
    ])
    func `a killed take gets its length, its cues and its parts' places`(name: String, options: [String]) async throws {
        let movie = try await killed(name, options)
        let before = try Data(contentsOf: URL(filePath: movie))
        let result = try await BuiltCommand.rushes.run(["recover", "--progress", "none", name], folder: folder.path)
        #expect(result.status == 0 && result.errors.isEmpty, "\(result)")
        #expect(try Data(contentsOf: URL(filePath: movie)) == before)
        let recovered = folder.file(name.replacing(".", with: ".recovered."))
        try await expectOrdinary(recovered, like: movie)
        let again = try await BuiltCommand.rushes.run(
            ["recover", "--progress", "none", "--in-place", name], folder: folder.path)
        #expect(again.status == 0, "\(again)")
        #expect(try Data(contentsOf: URL(filePath: movie)) == Data(contentsOf: URL(filePath: recovered)))
        let whole = try await BuiltCommand.rushes.run(
            ["recover", "--progress", "none", "--in-place", name], folder: folder.path)
        #expect(
            whole.status == 1 && whole.errors.contains("Nothing to recover: this movie is already complete."),
            "\(whole)")
    }

    @Test func `a take that is cut anywhere keeps all that is whole`() async throws {
        let bytes = try Data(contentsOf: URL(filePath: try await killed("take.mkv", ["--codec", "h264"])))
        let seed = UInt64.random(in: 0...999)
        var random = SeededGenerator(state: seed)
        for number in 0..<12 {
            let name = "cut\(number).mkv"
            let count = Int.random(in: 20_000..<bytes.count, using: &random)
            try bytes.prefix(count).write(to: URL(filePath: folder.file(name)))
            let result = try await BuiltCommand.rushes.run(
                ["recover", "--progress", "none", name], folder: folder.path)
            #expect(result.status == 0 && result.errors.isEmpty, "seed \(seed), \(count) bytes: \(result)")
            try await expectOrdinary(folder.file("cut\(number).recovered.mkv"), like: folder.file(name))
        }
    }

    @Test func `what ends before the first frame is refused in a sentence`() async throws {
        let bytes = try Data(contentsOf: URL(filePath: try await killed("take.mkv", ["--codec", "h264"])))
        for count in [3, 40, 200, 560] {
            try bytes.prefix(count).write(to: URL(filePath: folder.file("cut.mkv")))
            let result = try await BuiltCommand.rushes.run(
                ["recover", "--progress", "none", "cut.mkv"], folder: folder.path)
            #expect(result.status == 1, "\(result)")
            #expect(result.errors.split(separator: "\n").count == 1, "\(result)")
            #expect(folder.contents == ["cut.mkv", "take.mkv"])
        }
    }

    @Test func `what another recorder left is refused with the way to a new file, which has all of it`() async throws {
        let dead = folder.file("dead.mkv")
        // Into a pipe ffmpeg writes what it leaves when it is killed.
        _ = try await Tool.succeed(
            "bash",
            [
                "-c",
                "ffmpeg -nostdin -v error -f lavfi -i testsrc2=size=160x120:rate=25:duration=3 -c:v libx264 -preset ultrafast "
                    + "-f matroska - | cat > '\(dead)'",
            ])
        let result = try await BuiltCommand.rushes.run(["recover", "dead.mkv"], folder: folder.path)
        #expect(result.status == 1 && result.errors.contains("with 'rushes transcode --preset copy'"), "\(result)")
        let copy = try await BuiltCommand.rushes.run(
            ["transcode", "dead.mkv", "--preset", "copy", "--output", "new.mkv", "--progress", "none"],
            folder: folder.path)
        #expect(copy.status == 0, "\(copy)")
        #expect(try await FFProbe.packets("v:0", of: folder.file("new.mkv")).count == 75)
        try await FFmpeg.decode(folder.file("new.mkv"))
    }

    /// As the players' libraries see it, and with every packet that the dead file has.
    private func expectOrdinary(_ file: String, like dead: String) async throws {
        try await Judges.expectDecodes(file)
        let (report, discovered) = (try await FFProbe.inspect(file), try await GstDiscoverer.inspect(file))
        let kind = report.video.isEmpty ? "a:0" : "v:0"
        let packets = try await FFProbe.packets(kind, of: file)
        let had = try await FFProbe.packets(kind, of: dead)
        #expect((had.count - 1...had.count).contains(packets.count))
        let end = packets.compactMap { packet in packet.ptsTime.map { $0.value + (packet.durationTime?.value ?? 0) } }
            .max()
        #expect(abs((report.format.duration?.value ?? 0) - (end ?? -1)) < 0.1)
        #expect(discovered.isSeekable)
        #expect(abs((discovered.duration ?? 0) - (end ?? -1)) < 0.1)
        let general = try await MediaInfo.inspect(file).general
        #expect(general?.number("Duration") != nil && general?["IsTruncated"] == nil)
        // The last frame is found by the cues.
        let seek = try await Tool.run(
            "ffmpeg", ["-nostdin", "-v", "error", "-ss", "1.5", "-i", file, "-frames:v", "1", "-f", "null", "-"])
        #expect(seek.status == 0 && seek.errors.isEmpty, "\(seek)")
    }
}
