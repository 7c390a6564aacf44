import Foundation
import TestSupport
import Testing

/// `rushes record --inset`: several cameras in one movie, and in movies of their own.
@Suite(.timeLimit(.minutes(25)), .turn) struct CompositionCommandTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private static let cameras = [
        "--camera", "test:pattern=ball,size=320x240,rate=30", "--inset", "test:pattern=smpte,size=160x120,rate=24",
        "--microphone", "test", "--progress", "none", "--codec", "h264",
    ]
    private static let files = ["take.mov", "take – Test pattern.mov", "take – Test pattern 2.mov"]

    private func start(_ options: [String]) throws -> RunningCommand {
        try BuiltCommand.rushes.start(
            ["record"] + Self.cameras + ["--json"] + options + ["take.mov"],
            environment: ["XDG_STATE_HOME": folder.file("state")], folder: folder.path)
    }

    /// Waits for so much of a movie; returns the activity's id.
    private func reach(_ seconds: Double, _ take: RunningCommand) async throws -> String {
        for await line in take.lines {
            let event = try Event(line)
            if event.state.mediaTime ?? 0 >= seconds { return event.id }
        }
        return ""
    }

    private func end(_ file: String) async throws -> Double {
        try await FFmpeg.decode(file)
        let times = try await FFProbe.packets("v:0", of: file).compactMap(\.ptsTime?.value)
        return times.max() ?? 0
    }

    @Test func `somebody elsewhere swaps the cameras and asks for another layout`() async throws {
        let begin = ContinuousClock.now
        let take = try start([])
        let id = try await reach(0.5, take)
        for request in [["swap"], ["layout", "side-by-side"], ["show", "main"], ["show", "all"]] {
            let asked = try await BuiltCommand.rushes.run(
                ["control", id] + request, environment: ["XDG_STATE_HOME": folder.file("state")], folder: folder.path)
            #expect(asked.status == 0 && asked.errors.split(separator: "\n").count == 1, "\(asked)")
        }
        let wrong = try await BuiltCommand.rushes.run(
            ["control", id, "layout", "botom-right"], environment: ["XDG_STATE_HOME": folder.file("state")],
            folder: folder.path)
        #expect(wrong.status == 64 && wrong.errors.contains("did you mean bottom-right?"), "\(wrong)")
        let neither = try await BuiltCommand.rushes.run(["control", id, "show", "both"], folder: folder.path)
        #expect(neither.status == 64 && neither.errors.contains("main, inset or all"), "\(neither)")
        // A second behind the last answer, however long that took: no time in the movie is later than the clock's.
        _ = try await reach(begin.duration(to: .now) / .seconds(1) + 1, take)
        take.signal(SIGINT)
        let result = try await take.result(within: .seconds(120))
        #expect(result.status == 0, "\(result)")
        let end = try #require(try Event.all(result.text).last?.state.mediaTime)
        // The second camera is in the left half now, below a black bar; before, the ball's was black there.
        func luma(_ x: Int, _ y: Int, at seconds: Double) async throws -> UInt8 {
            let pixel = try await Tool.succeed(
                "ffmpeg",
                [
                    "-nostdin", "-v", "error", "-ss", "\(seconds)", "-i", folder.file("take.mov"), "-vf",
                    "crop=8:8:\(x):\(y),scale=1:1,format=gray", "-frames:v", "1", "-f", "rawvideo", "-",
                ]
            ).output
            return try #require(pixel.first)
        }
        // White stands at the upper left of the bars.
        #expect(try await luma(4, 76, at: 0) < 40)
        #expect(try await luma(4, 76, at: end - 0.2) > 150)
        #expect(try await luma(4, 4, at: end - 0.2) < 40)
    }

    /// The bars of the inset move, so that a frame too early or too late is another one.
    @Test(.requires(tool: "melt", package: "melt"), arguments: ["mov", "mkv"])
    func `melt shows of an inset of another rate what the recording has`(ending: String) async throws {
        func source(_ pattern: String, _ rate: Int) -> String {
            "gst:videotestsrc is-live=true pattern=\(pattern) ! "
                + "video/x-raw,format=I420,width=640,height=360,framerate=\(rate)/1"
        }
        let result = try await BuiltCommand.rushes.run(
            [
                "record", "--camera", source("blue", 30), "--inset", source("smpte75 horizontal-speed=24", 24),
                "--layout", "bottom-right,size=90%", "--also-separate", "--microphone", "test", "--codec", "h264",
                "--progress", "none", "--duration", "4s", "take.\(ending)",
            ], limit: .seconds(120), folder: folder.path)
        #expect(result.status == 0, "\(result)")
        try await Melt.render(folder.file("take.mlt"), to: folder.file("edited.mkv"))
        let similarity = try await FFmpeg.ssim(of: folder.file("edited.mkv"), reference: folder.file("take.\(ending)"))
        #expect(similarity > 0.98)
    }

    @Test func `a kill leaves every camera's movie playable, as far as the others, and recover completes them`()
        async throws
    {
        let take = try start(["--also-separate"])
        _ = try await reach(4, take)
        take.signal(SIGKILL)
        _ = try await take.result(within: .seconds(60))
        var ends: [Double] = []
        for file in Self.files {
            ends.append(try await end(folder.file(file)))
            let recovered = try await BuiltCommand.rushes.run(["recover", file], folder: folder.path)
            #expect(recovered.status == 0, "\(recovered)")
            #expect(abs(try await end(folder.file(file)) - (ends.last ?? 0)) < 0.1)
        }
        // A fragment each is half a second, and an encoder that waits for a core is behind the others.
        #expect(ends.allSatisfy { $0 > 2.4 } && (ends.max() ?? 0) - (ends.min() ?? 0) < 1.2, "\(ends)")
    }

    /// Four files: three cameras' own and the composed one.
    @Test func `a disk that fills up ends all movies complete and in step`() async throws {
        let third = ["--inset", "test:pattern=red,size=160x120,rate=15"]
        let result = try await SmallDisk.run(
            ["record"] + Self.cameras + third + [
                "--json", "--min-free", "0", "--also-separate", "--duration", "30s", "take.mov",
            ],
            size: "20M",
            meanwhile: "until [ -s take.mov ]; do sleep 0.01; done; sleep 3; dd if=/dev/zero of=filler bs=4k",
            in: folder)
        #expect([1, 3].contains(result.status) && result.errors.contains("the disk is full"), "\(result)")
        var ends: [Double] = []
        for file in Self.files + ["take – Test pattern 3.mov"] {
            let left = SmallDisk.left(file, in: folder)
            ends.append(try await end(left))
            let info = try await BuiltCommand.rushes.run(["info", "--json", left])
            #expect(info.text.contains(#""complete":true"#), "\(file): \(info)")
        }
        // Each gives up its own last fragments for its index.
        #expect((ends.max() ?? 0) - (ends.min() ?? 0) < 1.6, "\(ends)")
    }

    @Test func `a folder that gets another name meanwhile has the project, too`() async throws {
        let old = folder.file("old")
        try FileManager.default.createDirectory(atPath: old, withIntermediateDirectories: false)
        let take = try BuiltCommand.rushes.start(
            ["record"] + Self.cameras + ["--json", "--also-separate", "\(old)/take.mov"],
            environment: ["XDG_STATE_HOME": folder.file("state")], folder: folder.path)
        _ = try await reach(0.5, take)
        #expect(rename(old, folder.file("new")) == 0)
        take.signal(SIGINT)
        let result = try await take.result(within: .seconds(120))
        #expect(result.status == 0, "\(result)")
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.file("new"))
        #expect(Set(names) == Set(Self.files + ["take.otio", "take.mlt"]), "\(result)")
    }

    /// Where one camera's movie has gone elsewhere the others' project is not written, which is told while they are completed.
    @Test func `what is told while the movies are completed does not let them run again`() async throws {
        let take = try start(["--also-separate"])
        _ = try await reach(0.5, take)
        #expect(rename(folder.file(Self.files[1]), folder.file("own.mov")) == 0)
        try FileManager.default.createDirectory(atPath: folder.file("sub"), withIntermediateDirectories: false)
        #expect(rename(folder.file("own.mov"), folder.file("sub/own.mov")) == 0)
        take.signal(SIGINT)
        let result = try await take.result(within: .seconds(120))
        let states = try Event.all(result.text).map(\.state)
        #expect(result.errors.contains("No project for editors was written"), "\(result)")
        let phases = states.map(\.phase).drop { $0 != "finishing" }
        #expect(phases.count > 2 && phases.dropLast().allSatisfy { $0 == "finishing" }, "\(result)")
        let times = states.compactMap(\.mediaTime)
        #expect(times == times.sorted(), "\(result)")
    }

    @Test func `each movie is told with its own size`() async throws {
        let take = try start(["--also-separate", "--duration", "1.5"])
        let result = try await take.result(within: .seconds(120))
        #expect(result.status == 0, "\(result)")
        for file in Self.files {
            let line = result.errors.split(separator: "\n").first { $0.hasPrefix("\(file): ") }
            let told = try #require(line?.firstMatch(of: #/ ([\d.]+) (kB|MB)/#))
            let bytes = (Double(told.1) ?? 0) * (told.2 == "kB" ? 1000 : 1_000_000)
            let size = try FileManager.default.attributesOfItem(atPath: folder.file(file))[.size] as? Int ?? 0
            #expect(abs(bytes / Double(size) - 1) < 0.06, "\(file) has \(size) bytes: \(result)")
        }
    }

    @Test func `movies whose names are taken are refused before a file is created`() async throws {
        let own = folder.file(Self.files[2])
        try Data("somebody else's".utf8).write(to: URL(filePath: own))
        let result = try await BuiltCommand.rushes.run(
            ["record"] + Self.cameras + ["--also-separate", "--duration", "1s", "take.mov"], limit: .seconds(60),
            folder: folder.path)
        #expect(result.status == 1 && result.errors.contains("Test pattern 2.mov already exists"), "\(result)")
        #expect(folder.contents == [Self.files[2]])
    }

    @Test func `another codec for each camera's own movie goes with whatever is chosen of the composed one's encoder`()
        async throws
    {
        let result = try await BuiltCommand.rushes.run(
            ["record"] + Self.cameras + [
                "--bitrate", "2M", "--encoder-speed", "ultrafast", "--also-separate",
                "--separate-codec", "prores", "--duration", "1s", "take.mov",
            ], limit: .seconds(60), folder: folder.path)
        #expect(result.status == 0, "\(result)")
        for (file, codec) in zip(Self.files, ["h264", "prores", "prores"]) {
            #expect(try await FFProbe.inspect(folder.file(file)).video.first?.codecName == codec, "\(file)")
        }
        let refused = try await BuiltCommand.rushes.run(
            ["record"] + Self.cameras + [
                "--also-separate", "--separate-codec", "prores", "--duration", "1s", "take.mp4",
            ], limit: .seconds(60), folder: folder.path)
        #expect(refused.status != 0 && refused.errors.contains("or use --separate-codec hevc"), "\(refused)")
    }

    @Test(arguments: [
        (["--layout", "grid"], "--layout places a second camera; give one with --inset."),
        (["--also-separate"], "--also-separate is for several cameras; give another one with --inset."),
        (["--inset", "test", "--separate-codec", "prores"], "--separate-codec is for --also-separate; give that too."),
        (["--inset", "test", "--layout", "botom-left"], "did you mean bottom-left?"),
        (["--inset", "none"], "--inset none is not a camera; leave it out."),
        (["--inset", "test", "--also-separate", "--split-every", "2s"], "leave --split-every out"),
        (["--inset", "test", "--codec", "copy"], "copy"),
    ])
    func `what makes no sense is refused before anything is opened`(options: [String], words: String) async throws {
        let result = try await BuiltCommand.rushes.run(
            ["record", "--camera", "test", "--microphone", "test"] + options + ["take.mov"], folder: folder.path)
        #expect([1, 64].contains(result.status) && result.errors.contains(words), "\(result)")
        #expect(folder.contents.isEmpty)
    }
}
