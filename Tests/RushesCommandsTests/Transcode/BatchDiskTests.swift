import Foundation
import SystemPackage
import TestSupport
import Testing

/// A batch on disks that are small, full or shared.
@Suite(.timeLimit(.minutes(25)), .turn, .requires(tool: "ffmpeg", package: "ffmpeg")) struct BatchDiskTests {
    @Test(.requires(tool: "cc", package: "gcc libc6-dev")) func `a quota that is used up fails a file, and is named`()
        async throws
    {
        let clips = try await Clips(["a.mp4"])
        let library = try TemporaryFolder()
        let command = try BuiltCommand.rushes.start(
            ["transcode", "in", "--output-directory", "out", "--preset", "prores-hq", "--progress", "none"],
            environment: ["LD_PRELOAD": try await PreloadedLibrary.build("quota", in: library)],
            folder: clips.folder.path)
        let result = try await command.result(within: .seconds(120))
        #expect(result.status == 1 && result.errors.contains("a.mp4"), "\(result)")
        #expect(result.errors.contains("quota") && !result.errors.contains("--resume"), "\(result)")
        #expect(try clips.records().map(\.starts) == [2] && clips.leftovers == [])
    }

    @Test func `a full disk is waited for, and used when there is room`() async throws {
        let clips = try await Clips(["a.mp4", "b.mp4"])
        // 20 MB are free, less than is to stay free, until somebody is told, and removes what fills the disk.
        let result = try await SmallDisk.run(
            ["sh", "-c", #"exec "$0" "$@" >../events"#, try BuiltCommand.rushes.path]
                + ["transcode", clips.folder.file("in"), "--output-directory", ".", "--json", "--progress", "none"]
                + ["--min-free", "64MiB"] + Clips.settings, size: "120M", before: "head -c 100M /dev/zero > ballast",
            meanwhile: "until grep -q 'almost full' ../events; do sleep 0.1; done; rm ballast", isCommand: false,
            in: clips.folder, limit: .seconds(300))
        #expect(result.status == 0, "\(result)")
        let events = try String(contentsOfFile: clips.folder.file("events"), encoding: .utf8)
        let phases = try Event.all(events).filter { $0.kind == "batch" }
        let waiting = phases.filter { $0.state.phase == "waiting" && $0.state.message != nil }
        #expect(waiting.first?.state.message?.contains("almost full. Free up at least ") == true)
        #expect(try SmallDisk.contents(clips.folder).filter { $0.hasSuffix(".mp4") } == ["a.mp4", "b.mp4"])
    }

    @Test func `more than the disk holds cannot stay free`() async throws {
        let clips = try await Clips(["a.mp4"])
        try await Refusal.expect(
            ["transcode", "in", "--output-directory", "out/of/them", "--min-free", "900000T"] + Clips.settings,
            status: 64, saying: ["The disk of", "--min-free cannot be", "let less stay free"], in: clips.folder)
    }

    @Test(arguments: [[], ["--min-free", "0"]]) func `a small disk takes small files`(options: [String]) async throws {
        let clips = try await Clips(["a.mp4"])
        let result = try await SmallDisk.run(
            ["transcode", clips.folder.file("in"), "--output-directory", ".", "--progress", "none"] + options
                + Clips.settings, size: "12M", in: clips.folder, limit: .seconds(60))
        #expect(result.status == 0, "\(result)")
        #expect(try SmallDisk.contents(clips.folder).contains("a.mp4"))
    }

    @Test func `two files that the disk has space for only one after the other do not wait for each other`()
        async throws
    {
        let clips = try await Clips([])
        for (name, number) in [("a", 1), ("b", 2)] {
            // Its index says nothing of its length, so its size is not known before.
            try await clips.make("\(name).mp4", number: number, duration: 8)
            _ = try await Tool.succeed(
                "ffmpeg",
                ["-nostdin", "-v", "error", "-i", clips.folder.file("\(name).mp4"), "-c", "copy"]
                    + [clips.folder.file("in/\(name).ts")])
        }
        // Each takes 54 MB. What is done is taken away, as people do who are told that the disk is full.
        let meanwhile = "while true; do sleep 0.2; for f in a.mov b.mov; do [ ! -e $f ] || mv $f ..; done; done"
        let result = try await SmallDisk.run(
            ["transcode", clips.folder.file("in"), "--output-directory", ".", "--jobs", "2", "--preset", "prores-hq"]
                + ["--size", "1280x720", "--progress", "plain"], size: "90M", meanwhile: meanwhile, in: clips.folder,
            limit: .seconds(600))
        #expect(result.status == 0 && result.errors.contains("2 done"), "\(result)")
    }
}
