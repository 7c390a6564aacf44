import Foundation
import TestSupport
import Testing

/// `rushes compose`: finished movies in one frame.
@Suite(.timeLimit(.minutes(25)), .turn) struct ComposeCommandTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func makeFolder(_ name: String) throws {
        try FileManager.default.createDirectory(atPath: folder.file(name), withIntermediateDirectories: true)
    }

    private func rushes(_ arguments: [String]) async throws -> ToolResult {
        try await BuiltCommand.rushes.run(
            arguments, limit: .seconds(180), environment: ["XDG_STATE_HOME": folder.file("state")], folder: folder.path)
    }

    /// How like two movies' frames are, as ffmpeg measures it.
    private func similarity(_ one: String, _ other: String) async throws -> Double {
        let result = try await Tool.succeed(
            "ffmpeg",
            [
                "-nostdin", "-i", folder.file(one), "-i", folder.file(other), "-lavfi", "[0:v][1:v]ssim", "-f", "null",
                "-",
            ])
        let value = result.errors.split(separator: "All:").last?.split(separator: " ").first
        return try #require(value.flatMap { Double($0) })
    }

    @Test func `a recording of two cameras is composed again as it was, and with another layout`() async throws {
        // Nothing moves in the inset: one of its frames that comes late, as on a busy machine, is shown earlier once it is in a file.
        let begin = ContinuousClock.now
        let take = try BuiltCommand.rushes.start(
            [
                "record", "--camera", "test:pattern=smpte,size=320x240,rate=30", "--inset",
                "test:pattern=checkers-8,size=160x120,rate=30", "--microphone", "test", "--progress", "none", "--codec",
                "h264", "--quality", "90", "--json", "--also-separate", "--layout", "top-left,size=40%,border=2",
                "take.mov",
            ], environment: ["XDG_STATE_HOME": folder.file("state")], folder: folder.path)
        var end: Double?
        for await line in take.lines {
            let event = try Event(line)
            let time = event.state.mediaTime ?? 0
            if let end, time >= end { break }
            guard time >= 1, end == nil else { continue }
            for request in [["swap"], ["mark", "Turned"]] {
                #expect(try await rushes(["control", event.id] + request).status == 0)
            }
            // As much again, so that the chapter begins in the first half; of another ffmpeg (5.1) has something to say.
            end = 2 * (begin.duration(to: .now) / .seconds(1))
        }
        take.signal(SIGINT)
        #expect(try await take.result(within: .seconds(120)).status == 0)
        let again = try await rushes(
            [
                "compose", "again.mov", "--from-project", "take.otio", "--preset", "h264", "--quality", "90",
                "--progress", "none",
            ])
        #expect(again.status == 0, "\(again)")
        #expect(try await similarity("take.mov", "again.mov") > 0.98)
        let info = try await rushes(["info", "again.mov"])
        #expect(info.text.contains("Turned"), "\(info)")
        let other = try await rushes(
            [
                "compose", "other.mp4", "--from-project", "take.otio", "--layout", "side-by-side", "--preset", "h264",
                "--size", "640x480", "--json",
            ])
        #expect(other.status == 0, "\(other)")
        try makeFolder("all")
        let batch = try await rushes(
            [
                "compose", "--from-project", "take.otio", "--output-directory", "all", "--preset", "h264", "--progress",
                "none",
            ])
        #expect(batch.status == 0 && batch.errors.contains("1 done"), "\(batch)")
        #expect(try await similarity("take.mov", "all/take.mp4") > 0.97)
        #expect(try Event.all(other.text).allSatisfy { $0.kind == "compose" })
        try await FFmpeg.decode(folder.file("other.mp4"))
    }

    @Test(arguments: [
        ([], "There is no movie to write; name it."),
        (["out.mov"], "--main is missing"),
        (["out.mov", "--main", "a.mov"], "--inset is missing"),
        (["out.mov", "--main", "a.mov", "--inset", "b.mov"], "a.mov does not exist."),
        (["out.mov", "--main", "a.mov", "--inset", "b.mov", "--layout", "botom-left"], "did you mean bottom-left?"),
        (["out.mov", "--main", "a.mov", "--inset", "b.mov", "--layout", "grid@soon"], "'@soon' is not a time"),
        (
            ["out.mov", "--main", "a.mov", "--inset", "b.mov", "--layout", "grid", "--layout", "stacked"],
            "Only one --layout"
        ),
        (["out.mov", "--main", "a.mov", "--inset", "b.mov", "--align", "ears"], "--align"),
        (["out.mov", "--from-project", "a.otio", "--main", "a.mov"], "leave --main and --inset out"),
        (["out.mov", "--from-project", "no.otio"], "no.otio"),
        (
            ["out.mov", "--main", "a.mov", "--inset", "b.mov", "--preset", "copy"],
            "A composition is encoded; leave copy out."
        ),
        (["--from-project", "no.otio", "out.mov"], "no.otio cannot be read: No such file or directory."),
    ])
    func `what makes no sense is refused before anything is opened`(options: [String], words: String) async throws {
        let result = try await rushes(["compose"] + options)
        #expect([1, 64].contains(result.status) && result.errors.contains(words), "\(result)")
        #expect(folder.contents.allSatisfy { $0 == "state" })
    }

    @Test func `movies of the same name in two folders are composed, and again where one has changed`() async throws {
        for (place, name) in [("slides", "monday"), ("slides", "tuesday"), ("faces", "monday"), ("faces", "tuesday")] {
            try makeFolder(place)
            try await Fixtures.make(
                folder.file("\(place)/\(name).mov"), "ffmpeg",
                [
                    "-nostdin", "-v", "error", "-f", "lavfi", "-i", "testsrc2=s=160x120:r=25:d=1", "-c:v", "libx264",
                    "-pix_fmt", "yuv420p",
                ])
        }
        try makeFolder("out")
        let compose = [
            "compose", "--main", "slides", "--inset", "faces", "--output-directory", "out", "--preset", "h264",
            "--progress",
            "none",
        ]
        let first = try await rushes(compose)
        #expect(first.status == 0 && first.errors.contains("2 done"), "\(first)")
        for name in ["monday", "tuesday"] { try await FFmpeg.decode(folder.file("out/\(name).mp4")) }
        let again = try await rushes(["compose", "--resume", "--output-directory", "out", "--progress", "none"])
        #expect(again.status == 0 && again.errors.contains("2 done before"), "\(again)")
        let changed = URL(filePath: folder.file("faces/monday.mov"))
        try FileManager.default.setAttributes([.modificationDate: Date()], ofItemAtPath: changed.path)
        let others = try await rushes(["compose", "--resume", "--output-directory", "out", "--layout", "grid"])
        #expect(others.status == 64 && others.errors.contains("keeps the batch's settings"), "\(others)")
        let third = try await rushes(["compose", "--resume", "--output-directory", "out", "--json"])
        #expect(third.status == 0 && third.errors.contains("1 done, 1 done before"), "\(third)")
        #expect(try Event.all(third.text).contains { $0.kind == "compose" && $0.attributes?.inputs.count == 2 })
        try FileManager.default.copyItem(
            atPath: folder.file("faces/tuesday.mov"), toPath: folder.file("faces/tuesday.mp4"))
        let doubtful = try await rushes(compose)
        #expect(
            doubtful.status == 64 && doubtful.errors.contains("faces has tuesday.mov and tuesday.mp4 to go with"),
            "\(doubtful)")
        try FileManager.default.removeItem(at: changed)
        let lonely = try await rushes(compose)
        #expect(lonely.status == 64 && lonely.errors.contains("faces has no movie named monday"), "\(lonely)")
    }

    @Test func `a file of audio alone is refused, and no option is named that there is not`() async throws {
        for (name, options) in [("main.ts", ["-vf", "setfield=tff", "-flags", "+ildct+ilme"]), ("inset.ts", [])] {
            try await Fixtures.make(
                folder.file(name), "ffmpeg",
                ["-nostdin", "-v", "error", "-f", "lavfi", "-i", "testsrc2=s=160x120:r=25:d=1"] + options
                    + ["-c:v", "mpeg2video"])
        }
        let movies = ["--main", "main.ts", "--inset", "inset.ts", "--preset", "h264", "--progress", "none"]
        let alone = try await rushes(["compose", "out.m4a"] + movies)
        #expect(alone.status == 64 && alone.errors.contains("M4A holds audio alone; name the file .mov"), "\(alone)")
        let composed = try await rushes(["compose", "out.mov"] + movies)
        #expect(composed.status == 0 && composed.errors.contains("is deinterlaced.\n"), "\(composed)")
        #expect(!composed.errors.contains("--deinterlace"))
    }

    @Test func `a project of somebody else is refused`() async throws {
        for text in ["", "{}", #"{"OTIO_SCHEMA":"Timeline.1","tracks":{"children":[],"markers":[]},"metadata":{}}"#] {
            try Data(text.utf8).write(to: URL(filePath: folder.file("other.otio")))
            let result = try await rushes(["compose", "out.mov", "--from-project", "other.otio"])
            #expect(result.status == 1 && result.errors.contains("is not the project of a recording"), "\(result)")
        }
    }
}
