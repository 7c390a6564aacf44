import Foundation
import TestSupport
import Testing

/// What happens to a timelapse's files while it is shot: every shot that was told is in a movie that is complete.
@Suite(.timeLimit(.minutes(25)), .turn) struct TimelapseFaultTests {
    private let folder: TemporaryFolder
    private let camera: String

    init() throws {
        folder = try TemporaryFolder()
        camera = try NumberedFrames.camera(seconds: 60, in: folder)
        try FileManager.default.createDirectory(atPath: folder.file("sub/shots"), withIntermediateDirectories: true)
    }

    private func options(_ name: String, _ more: [String] = [], codec: String = "mjpeg") -> [String] {
        [
            "timelapse", name, "--every", "200ms", "--codec", codec, "--quality", "90", "--json", "--progress",
            "none",
            "--camera", camera,
        ] + more
    }

    /// The shots in these files are those that were told: in order, none twice, and as far apart as their slots.
    private func expectShots(_ files: [String], _ state: Event.State) async throws {
        var numbers: [Int] = []
        for file in files {
            try await FFmpeg.decode(file)
            let info = try await BuiltCommand.rushes.run(["info", "--json", file])
            #expect(info.text.contains(#""complete":true"#) && info.text.contains(#""fragmented":false"#), "\(info)")
            let packets = try await FFProbe.packets("v:0", of: file)
            #expect(zip(packets, 0...).allSatisfy { abs(($0.ptsTime?.value ?? -1) - Double($1) / 30) < 0.001 })
            numbers += try await NumberedFrames.numbers(in: file)
        }
        #expect(numbers.count == state.completedItems, "\(numbers), \(state)")
        #expect(zip(numbers.dropFirst(), numbers).allSatisfy { $0 > $1 }, "\(numbers)")
        // A shot every second frame, or the one behind that where a machine is late; what is missing is told.
        let span = (numbers.last ?? 0) - (numbers.first ?? 0)
        let most = 2 * (numbers.count - 1 + (state.framesDropped ?? 0)) + 1
        #expect((2 * numbers.count - 3...max(most, 2 * numbers.count)).contains(span), "\(numbers), \(state)")
    }

    /// In files of 240 kB each: `ulimit -f`, as FAT has its limit at 4 GiB.
    @Test(arguments: ["a.mov", "a.mkv"])
    func `a file that may grow no more is followed by another, and no shot is lost`(
        name: String
    ) async throws {
        let result = try await Tool.run(
            "prlimit",
            ["--fsize=240000", try BuiltCommand.rushes.path] + options("sub/\(name)", ["--length", "1"]),
            limit: .seconds(120), folder: folder.path)
        #expect(result.status == 0, "\(result)")
        #expect(result.errors.contains("\(name) ends here, as its disk cannot hold a larger file"), "\(result)")
        let last = try #require(try Event.all(result.text).last)
        #expect(last.state.completedItems == 30, "\(result)")
        let files = try FileManager.default.contentsOfDirectory(atPath: folder.file("sub")).filter { $0 != "shots" }
        #expect(files.count >= 3, "\(files)")
        // "a-002.mov" comes before "a.mov" by name.
        let ordered = files.filter { $0 == name } + files.filter { $0 != name }.sorted()
        try await expectShots(ordered.map { folder.file("sub/\($0)") }, last.state)
    }

    /// What nothing tells before: the limit comes while the file is written, as a file server's does.
    @Test func `a file that is suddenly refused is complete, and the next begins with the shot that it did not take`()
        async throws
    {
        let command = try BuiltCommand.rushes.start(options("sub/a.mov", ["--duration", "8s"]), folder: folder.path)
        var isLimited = false
        for await line in command.lines {
            guard !isLimited, try Event(line).state.completedItems ?? 0 >= 8 else { continue }
            isLimited = true
            let size = try FileManager.default.attributesOfItem(atPath: folder.file("sub/a.mov"))[.size] as? Int ?? 0
            _ = try await Tool.succeed("prlimit", ["--pid", "\(command.pid)", "--fsize=\(size + 90_000)"])
        }
        let result = try await command.result(within: .seconds(60))
        #expect(result.status == 0, "\(result)")
        #expect(result.errors.contains("a.mov ends here, as its disk cannot hold a larger file"), "\(result)")
        let last = try #require(try Event.all(result.text).last)
        let next = try FileManager.default.contentsOfDirectory(atPath: folder.file("sub")).filter { $0.contains("-0") }
        #expect(!next.isEmpty)
        try await expectShots([folder.file("sub/a.mov")] + next.sorted().map { folder.file("sub/\($0)") }, last.state)
    }

    @Test(arguments: ["a.mov", "a.mkv"]) func `a disk that fills ends it with a complete movie of all shots`(
        name: String
    ) async throws {
        let result = try await SmallDisk.run(
            options(name, ["--min-free", "400k"]), size: "1500k", in: folder)
        let last = try #require(try Event.all(result.text).last)
        #expect(result.status == 0 && last.state.reason == "disk nearly full", "\(result)")
        try await expectShots([SmallDisk.left(name, in: folder)], last.state)
    }

    /// Another program takes all that is left in one go.
    @Test(arguments: ["a.mov", "a.mkv"]) func `a disk that is full at once ends it, and says so`(name: String)
        async throws
    {
        let result = try await SmallDisk.run(
            options(name, ["--min-free", "0"]), size: "4M",
            meanwhile: "until [ \"$(stat -c %s \(name))\" -gt 150000 ]; do sleep 0.02; done; cat /dev/zero >all",
            in: folder)
        let last = try #require(try Event.all(result.text).last)
        #expect(last.state.reason?.hasPrefix("writing failed: the disk is full") == true, "\(result)")
        #expect(result.status == 3 && last.state.fileIsGood == true, "\(result)")
        Quiet.expect(result.errors)
        #expect(last.state.completedItems ?? 0 >= 5)
        try await expectShots([SmallDisk.left(name, in: folder)], last.state)
    }

    /// Shots that an encoder still has when the disk takes nothing more are in no file.
    @Test func `of an encoder that holds shots back, those that a full disk did not take are missed`() async throws {
        let result = try await SmallDisk.run(
            options("a.mov", ["--min-free", "0"], codec: "h264"), size: "4M",
            meanwhile: "until [ \"$(stat -c %s a.mov)\" -gt 60000 ]; do sleep 0.02; done; cat /dev/zero >all",
            in: folder)
        let last = try #require(try Event.all(result.text).last)
        #expect(result.status == 3 && last.state.fileIsGood == true, "\(result)")
        let (shots, missed) = (try #require(last.state.completedItems), try #require(last.state.framesDropped))
        #expect(try await NumberedFrames.numbers(in: SmallDisk.left("a.mov", in: folder)).count == shots)
        // Since the first shot, one each 200 ms of the camera's frames.
        #expect(missed > 0 && result.text.contains("\"\(shots) of \(shots + missed) shots"), "\(result)")
    }

    @Test func `where no other file can be made, the first is complete as far as it came`() async throws {
        // Of two inodes the folder itself takes one.
        let result = try await SmallDisk.run(
            ["prlimit", "--fsize=300000", try BuiltCommand.rushes.path]
                + options("a.mov", ["--duration", "20s", "--min-free", "0"]), size: "20M",
            options: "nr_inodes=2", isCommand: false, in: folder)
        #expect(result.status == 3 && result.errors.contains("No space left on device"), "\(result)")
        #expect(result.errors.contains("no other can be begun"), "\(result)")
        let last = try #require(try Event.all(result.text).last)
        #expect(last.state.fileIsGood == true)
        try await expectShots([SmallDisk.left("a.mov", in: folder)], last.state)
    }

    private func shoot(_ name: String, stopsAs place: String? = nil, _ deed: () throws -> Void) async throws -> (
        result: ToolResult, last: Event.State
    ) {
        let command = try BuiltCommand.rushes.start(options("sub/shots/\(name)"), folder: folder.path)
        var (isDone, isStopped) = (false, false)
        for await line in command.lines {
            let state = try Event(line).state
            if !isDone, state.completedItems ?? 0 >= 5 {
                try deed()
                isDone = true
            }
            if let place, state.output?.hasSuffix(place) == true, !isStopped {
                command.signal(SIGINT)
                isStopped = true
            }
        }
        let result = try await command.result(within: .seconds(60))
        return (result, try #require(try Event.all(result.text).last).state)
    }

    @Test func `a movie that is deleted is kept under its name with all shots`() async throws {
        let run = try await shoot("a.mov") { unlink(folder.file("sub/shots/a.mov")) }
        #expect(run.result.status == 3, "\(run.result)")
        #expect(run.last.reason?.contains("was deleted while it was being recorded") == true, "\(run.result)")
        try await expectShots([folder.file("sub/shots/a.mov")], run.last)
    }

    @Test func `a movie whose folder is deleted is kept in the nearest one`() async throws {
        let run = try await shoot("a.mov") { try FileManager.default.removeItem(atPath: folder.file("sub")) }
        #expect(run.result.status == 3 && run.last.fileIsGood == true, "\(run.result)")
        try await expectShots([folder.file("a.mov")], run.last)
    }

    @Test func `a movie that is given another name goes on under that, and the events name it`() async throws {
        let run = try await shoot("a.mov", stopsAs: "sub/b.mov") {
            rename(folder.file("sub/shots/a.mov"), folder.file("sub/b.mov"))
        }
        #expect(
            run.result.status == 0 && run.result.errors.contains("sub/b.mov; the shots continue there"), "\(run.result)"
        )
        #expect(run.last.output?.hasSuffix("sub/b.mov") == true && run.last.fileIsGood == true)
        try await expectShots([folder.file("sub/b.mov")], run.last)
    }

    // MARK: A movie a day

    /// At a real midnight: that of a time zone in which it is one in a few seconds.
    @Test func `at midnight the next day's movie begins, or the old one goes on where none can be made`() async throws {
        // The same camera, for longer.
        _ = try NumberedFrames.camera(seconds: 90, in: folder)
        let now = Int(Date().timeIntervalSince1970)
        let midnight = (now + 12 + 59) / 60 * 60
        let ahead = (1440 - midnight / 60 % 1440) % 1440
        let minutes = ahead > 720 ? 1440 - ahead : ahead
        let zone = "GMT\(ahead > 720 ? "-" : "+")" + String(format: "%02d%02d", minutes / 60, minutes % 60)
        let more = ["--daily", "--duration", "\(midnight - now + 4)s"]
        async let plain = Tool.run(
            "env", ["TZ=\(zone)", try BuiltCommand.rushes.path] + options("sub/a.mov", more), limit: .seconds(180),
            folder: folder.path)
        async let full = SmallDisk.run(
            ["env", "TZ=\(zone)", try BuiltCommand.rushes.path] + options("a.mov", more + ["--min-free", "0"]),
            size: "40M", options: "nr_inodes=2", isCommand: false, in: folder)
        let (two, one) = try await (plain, full)
        #expect(two.status == 0 && one.status == 0, "\(two) \(one)")
        #expect(one.errors.contains("No movie of the new day can be begun"), "\(one)")
        let days = try FileManager.default.contentsOfDirectory(atPath: folder.file("sub")).filter { $0 != "shots" }
            .sorted()
        try #require(days.count == 2, "\(days)")
        try await expectShots(days.map { folder.file("sub/\($0)") }, #require(try Event.all(two.text).last).state)
        let second = try await FFProbe.inspect(folder.file("sub/\(days[1])"))
        let date = try Date(#require(second.format.tags?["creation_time"]), strategy: .iso8601)
        // As much later as slots were missed.
        let late = date.timeIntervalSince1970 - Double(midnight)
        let missed = try #require(try Event.all(two.text).last).state.framesDropped ?? 0
        #expect((-1...1 + 0.2 * Double(missed)).contains(late), "\(date)")
        let left = try SmallDisk.contents(folder)
        try #require(left.count == 1, "\(left)")
        try await expectShots([SmallDisk.left(left[0], in: folder)], #require(try Event.all(one.text).last).state)
    }

    @Test func `a day that a kill left open is completed when it is gone on with the next day`() async throws {
        let command = try BuiltCommand.rushes.start(options("sub/a.mov", ["--daily"]), folder: folder.path)
        for await line in command.lines {
            guard try Event(line).state.completedItems ?? 0 >= 5 else { continue }
            command.signal(SIGKILL)
            break
        }
        _ = try await command.result(within: .seconds(60))
        let sub = folder.file("sub")
        let name = try #require(try FileManager.default.contentsOfDirectory(atPath: sub).first { $0 != "shots" })
        let old = try Data(contentsOf: URL(filePath: "\(sub)/\(name)"))
        for copy in ["a-2020-02-02.mov", "a-2020-02-03-002.mov"] {
            try old.write(to: URL(filePath: "\(sub)/\(copy)"))
        }
        rename("\(sub)/\(name)", "\(sub)/a-2020-02-03.mov")
        let shots = try await NumberedFrames.numbers(in: "\(sub)/a-2020-02-03.mov")
        let result = try await BuiltCommand.rushes.run(
            options("sub/a.mov", ["--daily", "--resume", "--length", "0.1"]), folder: folder.path)
        #expect(result.status == 0, "\(result)")
        for done in ["a-2020-02-03-002.mov", "a-2020-02-03.mov"] {
            let words = "sub/\(done) had been left open; it is now complete, with \(shots.count) shots"
            #expect(result.errors.contains(words), "\(result)")
            let info = try await BuiltCommand.rushes.run(["info", "--json", "\(sub)/\(done)"])
            #expect(info.text.contains(#""complete":true"#) && info.text.contains(#""fragmented":false"#), "\(info)")
            #expect(try await NumberedFrames.numbers(in: "\(sub)/\(done)") == shots)
        }
        #expect(try Data(contentsOf: URL(filePath: "\(sub)/a-2020-02-02.mov")) == old)
        #expect(try await FFProbe.packets("v:0", of: "\(sub)/\(name)").count == 3)
    }
}
