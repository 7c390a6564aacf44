import Foundation
import SystemPackage
import TestSupport
import Testing

/// Many files into a folder, as people run it.
@Suite(.timeLimit(.minutes(25)), .turn, .requires(tool: "ffmpeg", package: "ffmpeg")) struct BatchCommandTests {
    @Test func `an output folder that does not exist is made, once the batch is accepted`() async throws {
        let clips = try await Clips(["a.mp4"])
        try FileManager.default.removeItem(atPath: clips.folder.file("out"))
        func run(_ folder: String, _ inputs: [String]) async throws -> ToolResult {
            try await BuiltCommand.rushes.run(
                ["transcode"] + inputs + ["--output-directory", folder] + clips.settings, folder: clips.folder.path)
        }
        let missing = try await run("out/small", ["in/none.mp4"])
        #expect(missing.status == 1 && missing.errors.split(separator: "\n").count == 1, "\(missing)")
        #expect(missing.errors.contains("in/none.mp4 does not exist."))
        #expect(!FileManager.default.fileExists(atPath: clips.folder.file("out")))
        let inTheWay = try await run("in/a.mp4/small", ["in/a.mp4"])
        #expect(inTheWay.status == 1 && inTheWay.errors.contains("a.mp4 is not a folder"), "\(inTheWay)")
        let made = try await run("out/small", ["in/a.mp4"])
        #expect(made.status == 0, "\(made)")
        #expect(FileManager.default.fileExists(atPath: clips.folder.file("out/small/a.mp4")))
    }

    @Test func `a folder with folders is exported as one, and a clash of names fails one file`() async throws {
        let clips = try await Clips(["a.mp4"])
        for day in ["day 1", "day 2"] {
            try FileManager.default.createDirectory(
                atPath: clips.folder.file("in/\(day)"), withIntermediateDirectories: false)
            for name in day == "day 1" ? ["clip.mp4"] : ["clip.mp4", "clip.m2t"] {
                try FileManager.default.copyItem(
                    atPath: clips.folder.file("in/a.mp4"), toPath: clips.folder.file("in/\(day)/\(name)"))
            }
        }
        let result = try await clips.run(["--recursive"])
        #expect(result.status == 1 && result.errors.contains("3 done, 1 failed"), "\(result)")
        #expect(result.errors.split(separator: "\n").count { $0.contains("would both become") } >= 1, "\(result)")
        for name in ["a.mp4", "day 1/clip.mp4", "day 2/clip.mp4"] {
            #expect(FileManager.default.fileExists(atPath: clips.folder.file("out/\(name)")), "\(name)")
        }
        let resumed = try await BuiltCommand.rushes.run(
            ["transcode", "--resume", "--output-directory", "out"], folder: clips.folder.path)
        #expect(resumed.status == 1 && resumed.errors.contains("3 done before, 1 failed"), "\(resumed)")
        let plan = try await BuiltCommand.rushes.run(
            ["batch", "plan", "in", "--recursive", "--output-directory", "out"] + Clips.settings,
            folder: clips.folder.path)
        #expect(plan.status == 1 && plan.text.split(separator: "\n").count == 3, "\(plan)")
        #expect(plan.errors.contains("would both become"), "\(plan)")
        let again = try await BuiltCommand.rushes.run(
            ["transcode", "--resume", "--output-directory", "out"], folder: clips.folder.path)
        #expect(again.status == 0 && again.errors.contains("3 done before"), "\(again)")
    }

    @Test func `rotten files say why, and the rest is done`() async throws {
        let clips = try await Clips(["a.mp4", "b.mp4", "c.mp4", "d.mp4"])
        try Data().write(to: URL(filePath: clips.folder.file("in/empty.mp4")))
        try Data("no movie".utf8).write(to: URL(filePath: clips.folder.file("in/text.mov")))
        try FileManager.default.createSymbolicLink(
            atPath: clips.folder.file("in/link.mp4"), withDestinationPath: "/nowhere")
        try Data("beside".utf8).write(to: URL(filePath: clips.folder.file("in/notes.txt")))
        let result = try await clips.run(["--json"], inputs: ["in", "in/gone.mp4"])
        #expect(result.status == 1)
        #expect(clips.outputs == ["a.mp4", "b.mp4", "c.mp4", "d.mp4"] && clips.leftovers == [])
        for name in ["empty.mp4", "text.mov", "gone.mp4"] {
            // Named once.
            let words = result.errors.split(separator: "\n").last { $0.contains(name) }
            #expect(words?.hasPrefix("rushes: /") == true, "\(result.errors)")
            #expect(words?.contains("/in/\(name) ") == true, "\(result.errors)")
            #expect(words?.split(separator: name).count == 2, "\(result.errors)")
        }
        #expect(result.errors.contains("4 done, 3 failed"))

        let events = try Event.all(result.text)
        let batch = try #require(events.first)
        #expect(batch.kind == "batch" && batch.attributes?.inputs.count == 3)
        let starts = events.filter { $0.event == "start" && $0.kind == "transcode" }
        #expect(starts.count == 7 && starts.allSatisfy { $0.attributes?.parent == batch.id })
        for start in starts { #expect(events.filter { $0.id == start.id && $0.event == "end" }.count == 1) }
        let end = try #require(events.last { $0.event == "end" && $0.id == batch.id })
        #expect(end.state.phase == "failed" && end.state.completedItems == 7 && end.state.totalItems == 7)
        #expect(end.state.failedItems == 3)

        try await clips.make("in/empty.mp4", number: 9)
        let resumed = try await clips.run(["--resume"])
        #expect(resumed.status == 1 && resumed.errors.contains("1 done, 4 done before, 1 failed"), "\(resumed.errors)")
    }

    @Test func `the tracks that were chosen are taken in all files, and when it goes on`() async throws {
        let clips = try await Clips([])
        for name in ["a", "b"] {
            _ = try await Tool.succeed(
                "ffmpeg",
                ["-nostdin", "-v", "error"]
                    + ["testsrc2=size=160x96:rate=25:duration=1", "sine=440:duration=1", "sine=880:duration=1"]
                    .flatMap { ["-f", "lavfi", "-i", $0] }
                    + ["-map", "0", "-map", "1", "-map", "2", "-c:v", "libx264", "-pix_fmt", "yuv420p", "-c:a", "aac"]
                    + ["-metadata:s:a:1", "language=ger", clips.folder.file("in/\(name).mkv")])
        }
        func languages(_ name: String) async throws -> String {
            try await Tool.succeed(
                "ffprobe",
                [
                    "-v", "error", "-select_streams", "a", "-show_entries", "stream_tags=language", "-of", "csv=p=0",
                    clips.folder.file("out/\(name)"),
                ]
            ).text
        }
        let plan = try await BuiltCommand.rushes.run(
            ["batch", "plan", "in", "--output-directory", "out", "--preset", "copy", "--audio-track", "de"],
            folder: clips.folder.path)
        #expect(plan.status == 0, "\(plan)")
        let resumed = try await BuiltCommand.rushes.run(
            ["transcode", "--resume", "--output-directory", "out"], folder: clips.folder.path)
        #expect(resumed.status == 0 && clips.outputs.count == 2, "\(resumed)")
        for name in clips.outputs {
            let found = try await languages(name)
            #expect(found == "ger\n" || found == "deu\n")
        }
        let missing = try await clips.run(["--audio-track", "3", "--overwrite"])
        #expect(missing.status == 1 && missing.errors.contains("a.mkv has 2 audio tracks: 1 "), "\(missing)")
    }

    @Test func `it goes on with the words that it was begun with, whose files are relative`() async throws {
        let clips = try await Clips(["a.mp4"])
        try Data("1\n00:00:00,000 --> 00:00:01,000\nHello\n".utf8).write(to: URL(filePath: clips.folder.file("s.srt")))
        try FileManager.default.copyItem(
            atPath: Checkout.folder.appending(path: "pipelines/encoding-profiles/h264.gep").path,
            toPath: clips.folder.file("mine.gep"))
        let settings = ["--preset", "mine.gep", "--burn-subtitles", "s.srt", "--output-directory", "out"]
        for (options, words) in [(["in"], "1 done, "), (["--resume"], "1 done before")] {
            let result = try await BuiltCommand.rushes.run(
                ["transcode"] + options + settings, limit: .seconds(120), folder: clips.folder.path)
            #expect(result.status == 0 && result.errors.contains(words), "\(result)")
        }
        let other = try await BuiltCommand.rushes.run(
            ["transcode", "--resume", "--preset", "hevc-fast", "--output-directory", "out"], folder: clips.folder.path)
        #expect(other.status == 64 && other.errors.contains("keeps the batch's settings"), "\(other)")
        // What is meant where none is given is another one too, where it is given.
        let usual = try await BuiltCommand.rushes.run(
            ["transcode", "--resume", "--preset", "hevc", "--output-directory", "out"], folder: clips.folder.path)
        #expect(usual.status == 64 && usual.errors.contains("keeps the batch's settings"), "\(usual)")
    }

    @Test
    func
        `what is in the way of a batch is replaced when it is resumed and asked for, and each command says its own cure`()
        async throws
    {
        let clips = try await Clips(["a.mp4"])
        let rushes = try BuiltCommand.rushes
        func run(_ arguments: [String]) async throws -> ToolResult {
            try await rushes.run(arguments, limit: .seconds(120), folder: clips.folder.path)
        }
        let plan = ["batch", "plan", "in", "--output-directory", "out"] + Clips.settings
        #expect(try await run(plan).status == 0)
        try Data("mine".utf8).write(to: URL(filePath: clips.folder.file("out/a.mp4")))
        let step = try await run(["batch", "run-one", "out", "0", "--progress", "none"])
        #expect(step.status == 1 && step.errors.contains("plan the batch again with --overwrite"), "\(step)")
        let followed = try await run(["batch", "follow", "out", "--progress", "none"])
        #expect(followed.status == 1 && followed.errors.contains("'rushes batch submit /"), "\(followed)")
        let resume = ["transcode", "--resume", "--output-directory", "out", "--progress", "none"]
        let refused = try await run(resume)
        #expect(refused.status == 1 && refused.errors.contains("replace it with --overwrite"), "\(refused)")
        let done = try await run(resume + ["--overwrite"])
        #expect(done.status == 0 && done.errors.contains("1 done"), "\(done)")
    }

    @Test func `a folder for the outputs has any bytes too`() async throws {
        let clips = try await Clips(["a.mp4"])
        let made = try await Tool.run(
            "bash",
            ["-c", #""$0" batch plan in --output-directory $'o\xff/p' && test -d $'o\xff/p/.rushes-batch'"#]
                + [try BuiltCommand.rushes.path], folder: clips.folder.path)
        #expect(made.status == 0, "\(made)")
    }

    @Test func `names hold any byte`() async throws {
        let clips = try await Clips(["it's a \"clip\" ! %d\n.mp4"])
        let odd: [CChar] = Array("in/".utf8CString.dropLast()) + [CChar(bitPattern: 0xFF), 0x2E, 0x6D, 0x70, 0x34, 0]
        try await clips.make("plain.mp4", number: 1)
        let from = clips.folder.file("plain.mp4")
        #expect(
            FilePath(clips.folder.path).pushing(FilePath(platformString: odd)).withPlatformString { rename(from, $0) }
                == 0)
        let result = try await clips.run()
        #expect(result.status == 0, "\(result)")
        #expect(clips.outputs.contains("it's a \"clip\" ! %d\n.mp4"))
        let other: [CChar] =
            Array("out/".utf8CString.dropLast()) + [CChar(bitPattern: 0xFF), 0x2E, 0x6D, 0x70, 0x34, 0]
        let there = FilePath(clips.folder.path).pushing(FilePath(platformString: other)).withPlatformString {
            access($0, R_OK)
        }
        #expect(there == 0)
        let again = try await clips.run(["--resume"])
        #expect(again.status == 0 && again.errors.contains("2 done before"))
    }

    @Test func `what cannot work is said of all files, before one is begun`() async throws {
        let clips = try await Clips(["a.mp4", "b.mp4"])
        try FileManager.default.copyItem(atPath: clips.folder.file("in/a.mp4"), toPath: clips.folder.file("in/a.mov"))
        try Data("mine".utf8).write(to: URL(filePath: clips.folder.file("out/b.mp4")))
        let result = try await clips.run()
        #expect(result.status == 1 && clips.outputs == ["b.mp4"])
        #expect(result.errors.contains("would both become") && result.errors.contains("b.mp4 already exists"))
        #expect(result.errors.split(separator: "\n").count == 2)
        let itself = try await BuiltCommand.rushes.run(
            ["transcode", "in/b.mp4", "--output-directory", "in", "--overwrite"], folder: clips.folder.path)
        #expect(itself.status == 1 && itself.errors.contains("would replace the input"))
    }

    @Test(arguments: [
        (["in", "--output-directory", "out", "--jobs", "0"], "--jobs"),
        (["in", "--jobs", "2"], "--output-directory"), (["in", "--recursive"], "--output-directory"),
        (["--resume"], "--output-directory"),
        (["--output-directory", "out"], "no file"), (["in/a.mp4", "in/b.mp4"], "--output-directory"),
        (["in/a.mp4", "none.mp4"], "name it with --output."),
        (["in", "--output-directory", "out", "--output", "x.mp4"], "--output is for one"),
        (["--watch", "out", "--output-directory", "out"], "are the same folder"),
        (["--watch", "", "--output-directory", "out"], "--watch cannot be empty."),
        (["in", "--output-directory", ""], "--output-directory cannot be empty."), ([""], "<inputs> cannot be empty."),
        (["in", "--output-directory", "out", "--preset", "nonsense"], "no preset"),
    ]) func `wrong usage is named before anything is created`(arguments: [String], words: String) async throws {
        let folder = try TemporaryFolder()
        for name in ["in", "out"] {
            try FileManager.default.createDirectory(atPath: folder.file(name), withIntermediateDirectories: false)
        }
        for name in ["in/a.mp4", "in/b.mp4"] { try Data("x".utf8).write(to: URL(filePath: folder.file(name))) }
        let result = try await BuiltCommand.rushes.run(["transcode"] + arguments, folder: folder.path)
        #expect(result.status == 64 && result.errors.contains(words), "\(result)")
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.file("out")) == [])
    }

    @Test func `a watched folder by another name is not replaced by its own exports`() async throws {
        let folder = try TemporaryFolder()
        try FileManager.default.createDirectory(atPath: folder.file("inbox"), withIntermediateDirectories: false)
        try FileManager.default.createSymbolicLink(atPath: folder.file("link"), withDestinationPath: "inbox")
        try Data("camera".utf8).write(to: URL(filePath: folder.file("inbox/a.mp4")))
        for folders in [("inbox", "link"), ("link", "inbox")] {
            try await Refusal.expect(
                ["transcode", "--watch", folders.0, "--output-directory", folders.1, "--overwrite"], status: 64,
                saying: ["are the same folder"], in: folder)
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.file("inbox")) == ["a.mp4"])
    }

    @Test func `steps run as a scheduler likes, at once and again`() async throws {
        let clips = try await Clips()
        let rushes = try BuiltCommand.rushes
        let plan = try await rushes.run(
            ["batch", "plan", "in", "--output-directory", "out"] + Clips.settings, folder: clips.folder.path)
        #expect(plan.status == 0, "\(plan)")
        let lines = plan.text.split(separator: "\n").map { $0.split(separator: "\t") }
        #expect(lines.map { $0[0] } == ["0", "1", "2"] && lines.allSatisfy { $0.count == 3 })
        let folder = clips.folder.path
        let ends = try await withThrowingTaskGroup(of: ToolResult.self) { group in
            for index in ["0", "1", "2", "1"] {
                group.addTask {
                    try await rushes.run(
                        ["batch", "run-one", "out/.rushes-batch/manifest.json", index], limit: .seconds(120),
                        folder: folder)
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        // The second that wants number 1 waits for it, or finds it done.
        #expect(ends.allSatisfy { $0.status == 0 }, "\(ends)")
        #expect(clips.outputs == ["a.mp4", "b.mp4", "c.mp4"] && clips.leftovers == [])
        #expect(try clips.records().allSatisfy { $0.completions == 1 })
        let again = try await rushes.run(["batch", "run-one", "out", "2"], folder: folder)
        #expect(again.status == 0 && again.errors.contains("1 done before"))
        let beyond = try await rushes.run(["batch", "run-one", "out", "3"], folder: folder)
        #expect(beyond.status == 64 && beyond.errors.contains("0 to 2"))
    }

    @Test func `what a batch has made is replaced by no plan with other words`() async throws {
        let clips = try await Clips(["a.mp4"])
        let rushes = try BuiltCommand.rushes
        func plan(_ more: [String]) async throws -> ToolResult {
            try await rushes.run(
                ["batch", "plan", "in/a.mp4", "--output-directory", "out", "--reencode"] + more,
                folder: clips.folder.path)
        }
        #expect(try await plan(["--preset", "h264"]).status == 0)
        #expect(try await rushes.run(["batch", "run-one", "out", "0"], folder: clips.folder.path).status == 0)
        let before = try Data(contentsOf: URL(filePath: clips.folder.file("out/a.mp4")))
        let other = try await plan(["--preset", "h264", "--size", "160x90"])
        #expect(other.status == 1 && other.errors.contains("earlier batch") && other.errors.contains("--overwrite"))
        // The plan that is there is the one that was accepted, and is done.
        let again = try await rushes.run(["batch", "run-one", "out", "0"], folder: clips.folder.path)
        #expect(again.status == 0 && again.errors.contains("1 done before"), "\(again)")
        #expect(try Data(contentsOf: URL(filePath: clips.folder.file("out/a.mp4"))) == before)
        #expect(try await plan(["--preset", "h264", "--size", "160x90", "--overwrite"]).status == 0)
        #expect(try await rushes.run(["batch", "run-one", "out", "0"], folder: clips.folder.path).status == 0)
        #expect(try Data(contentsOf: URL(filePath: clips.folder.file("out/a.mp4"))) != before)
    }
}
