import Foundation
import TestSupport
import Testing

/// Files that may not grow, too few of them, and disks that say too late that they failed.
@Suite(.timeLimit(.minutes(25)), .turn) struct DiskErrorTests {
    private let folder: TemporaryFolder
    private let old = Data("the only copy of the old take".utf8)

    init() throws { folder = try TemporaryFolder() }

    /// Frames that no encoder makes small.
    private static let snow = [
        "record", "--camera", "test:pattern=snow,size=320x240", "--microphone", "test", "--codec", "h264", "--bitrate",
        "6M", "--progress", "none", "--duration", "60",
    ]

    /// Runs a take that may write files of 600 kB, as FAT32 lets none grow beyond 4 GiB.
    private func limited(_ arguments: [String]) async throws -> ToolResult {
        try await Tool.run(
            "prlimit", ["--fsize=600000", try BuiltCommand.rushes.path] + Self.snow + arguments, limit: .seconds(120),
            folder: folder.path)
    }

    @Test(arguments: ["take.mov", "take.mp4"])
    func `a movie that may grow no more is complete as far as it came`(name: String) async throws {
        let result = try await limited([name])
        #expect(result.status == 3, "\(result)")
        #expect(result.errors.contains("File too large"), "\(result)")
        let info = try await BuiltCommand.rushes.run(["info", "--json", folder.file(name)])
        #expect(info.text.contains(#""complete":true"#) && info.text.contains(#""fragmented":false"#), "\(info)")
        try await FFmpeg.decode(folder.file(name))
    }

    @Test func `a batch opens as many files as it may, whatever it begins with`() async throws {
        try await Takes.record("0.mov", in: folder, ["--duration", "1", "--codec", "h264"])
        let movie = try Data(contentsOf: URL(filePath: folder.file("0.mov")))
        for number in 1..<8 { try movie.write(to: URL(filePath: folder.file("\(number).mov"))) }
        try FileManager.default.createDirectory(atPath: folder.file("out"), withIntermediateDirectories: false)
        let result = try await Tool.run(
            "prlimit",
            [
                "--nofile=64:4096", try BuiltCommand.rushes.path, "transcode", "--progress", "none", "--preset", "h264",
                "--reencode", "--jobs", "8", folder.path, "--output-directory", folder.file("out"),
            ], limit: .seconds(240), folder: folder.path)
        #expect(result.status == 0, "\(result)")
    }

    /// GLib ends a process that may open no file more: in the middle of a take nothing would be left of it.
    @Test(arguments: [16, 24, 32]) func `too few files are refused before one is made`(count: Int) async throws {
        let result = try await Tool.run(
            "prlimit", ["--nofile=\(count):\(count)", try BuiltCommand.rushes.path] + Self.snow + ["take.mov"],
            limit: .seconds(120), folder: folder.path)
        Refusal.expect(result, status: 1, saying: ["Only \(count) files may be open at once", "ulimit -n"])
        #expect(folder.contents == [])
    }

    /// Encoders and drivers do not say that they got none, and some wait for ever.
    @Test(arguments: [1, 12, 24]) func `too few threads are refused before a file is made`(count: Int) async throws {
        let result = try await AnotherUser.run(
            Self.snow + ["take.mov"], in: folder, limits: ["--nproc=\(count):\(count)"])
        Refusal.expect(result, status: 1, saying: ["threads that it needs", "ulimit -u"])
        #expect(folder.contents == [])
    }

    @Test(arguments: ["mkv", "mov"])
    func `a movie that could not be written to its end takes no old file's place`(ending: String) async throws {
        try old.write(to: URL(filePath: folder.file("take.\(ending)")))
        let result = try await limited(["--overwrite", "take.\(ending)"])
        #expect(result.status == 3, "\(result)")
        #expect(result.errors.contains("take.part.\(ending): "), "\(result)")
        #expect(try Data(contentsOf: URL(filePath: folder.file("take.\(ending)"))) == old)
        #expect(folder.contents == ["take.\(ending)", "take.part.\(ending)"])
        #expect(try await FFProbe.packets("v:0", of: folder.file("take.part.\(ending)")).count > 10)
    }

    @Test(.requires(tool: "cc", package: "gcc libc6-dev"))
    func `WAV whose disk takes nothing more says how long it is`() async throws {
        let library = try await PreloadedLibrary.build("quota", in: folder)
        let result = try await BuiltCommand.rushes.run(
            ["record", "--camera", "none", "--microphone", "test", "--progress", "none", "--duration", "60"]
                + ["voice.wav"],
            limit: .seconds(120),
            environment: ["LD_PRELOAD": library, "QUOTA_OF": "/voice.wav", "QUOTA_BYTES": "700000"], folder: folder.path
        )
        #expect(result.status == 1, "\(result)")
        let report = try await FFProbe.inspect(folder.file("voice.wav"))
        let told = try #require(report.format.duration?.value)
        let size = try FileManager.default.attributesOfItem(atPath: folder.file("voice.wav"))[.size] as? Int ?? 0
        // 24 bits of two channels, behind a head of less than two kilobytes, and a packet that was cut through.
        #expect(size > 600_000 && Double(size) / 288_000 - told < 0.03, "\(size) bytes, \(told) s, \(result)")
    }

    @Test(.requires(tool: "cc", package: "gcc libc6-dev"), arguments: ["take.mkv", "take.mov"])
    func `a movie that the disk did not take is not called good`(name: String) async throws {
        let library = try await PreloadedLibrary.build("fail-sync", in: folder)
        let result = try await BuiltCommand.rushes.run(
            Self.snow + ["--duration", "0.5", name], limit: .seconds(120),
            environment: ["LD_PRELOAD": library, "FAIL_SYNC": "/\(name)"], folder: folder.path)
        #expect(result.status == 1, "\(result)")
        #expect(result.errors.contains("Input/output error"), "\(result)")
    }

    @Test(.requires(tool: "cc", package: "gcc libc6-dev"), arguments: ["take.mkv", "take.mov", "take.mp4"])
    func `a movie whose disk takes not even its index plays as far as is told`(name: String) async throws {
        let library = try await PreloadedLibrary.build("quota", in: folder)
        let result = try await BuiltCommand.rushes.run(
            Self.snow + ["--json", name], limit: .seconds(120),
            environment: ["LD_PRELOAD": library, "QUOTA_OF": "/\(name)", "QUOTA_BYTES": "1000000"], folder: folder.path)
        let last = try #require(try Event.all(result.text).last).state
        #expect(result.status == 1 && last.phase == "failed" && last.fileIsGood == false, "\(result)")
        #expect(last.reason == "writing failed: the quota of the disk is used up", "\(result)")
        #expect(result.errors.contains("could not be completed (The quota of the disk is used up"), "\(result)")
        #expect(!result.errors.contains(".)"), "\(result)")
        // Nothing is cut off for an index that does not come.
        let left = try FileManager.default.attributesOfItem(atPath: folder.file(name))[.size] as? Int ?? 0
        #expect(left > 950_000, "\(left) bytes, \(result)")
        // ffmpeg counts a frame that is cut off at the end of a movie in fragments, and does not decode it.
        _ = try await Tool.succeed(
            try BuiltCommand.rushes.path, ["recover", name, "--output", "whole-\(name)"], folder: folder.path)
        let whole = folder.file("whole-\(name)")
        #expect(try await FFProbe.packets("v:0", of: whole).count == last.framesWritten, "\(result)")
        try await FFmpeg.decode(whole)
    }
}
