import Foundation
import TestSupport
import Testing

/// Files that somebody deletes, replaces or moves while they are recorded: what was recorded is kept, and where is told.
@Suite(.timeLimit(.minutes(25)), .turn) struct LostFileTests {
    let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        try FileManager.default.createDirectory(atPath: folder.file("sub/takes"), withIntermediateDirectories: true)
        try Data("somebody else's".utf8).write(to: URL(filePath: folder.file("other")))
    }

    /// Records to a file in "sub/takes", and does something to it once there is a second of it; ends by itself or is stopped
    /// when an event names the file as it is called by then.
    private func record(
        _ name: String, _ options: [String] = [], stopsAs place: String? = nil, _ deed: () throws -> Void
    ) async throws -> (result: ToolResult, events: [Event]) {
        let take = try BuiltCommand.rushes.start(
            ["record"] + Takes.small + ["--json"] + options + ["sub/takes/\(name)"], folder: folder.path)
        var (isDone, isStopped) = (false, false)
        for await line in take.lines {
            let state = try Event(line).state
            if !isDone, state.mediaTime ?? 0 > 1 {
                try deed()
                isDone = true
            }
            // A second one would not wait for the file.
            if let place, state.output?.hasSuffix(place) == true, !isStopped {
                take.signal(SIGINT)
                isStopped = true
            }
        }
        let result = try await take.result(within: .seconds(60))
        return (result, try Event.all(result.text))
    }

    /// Replaces what is there.
    private func move(_ name: String, to other: String) throws {
        try #require(rename(folder.file(name), folder.file(other)) == 0, "\(errno)")
    }

    private func delete(_ name: String) throws { try #require(unlink(folder.file(name)) == 0, "\(errno)") }

    private func expectKept(_ run: (result: ToolResult, events: [Event]), as name: String, _ words: String) async throws
    {
        #expect(run.result.status == 3, "\(run.result)")
        let last = try #require(run.events.last).state
        #expect(last.phase == "finished" && last.fileIsGood == true, "\(run.result)")
        #expect(last.reason?.contains("was \(words) while ") == true, "\(run.result)")
        #expect(last.output.map { URL(filePath: $0).resolvingSymlinksInPath().path } == resolved(name), "\(run.result)")
        #expect(run.result.errors.contains("kept as "), "\(run.result)")
        try await expectHolds(folder.file(name), last)
    }

    func expectHolds(_ file: String, _ state: Event.State) async throws {
        try await FFmpeg.decode(file)
        let report = try await FFProbe.inspect(file)
        #expect(abs((report.format.duration?.value ?? 0) - (state.mediaTime ?? -1)) < 0.005)
        #expect(try await GstDiscoverer.inspect(file).isSeekable)
        if !report.video.isEmpty {
            #expect(try await FFProbe.packets("v:0", of: file).count == state.framesWritten)
        }
    }

    func resolved(_ name: String) -> String {
        URL(filePath: folder.file(name)).resolvingSymlinksInPath().path
    }

    @Test(arguments: ["take.mov", "take.mp4", "take.mkv", "take.webm"])
    func `a movie that is deleted gets its name again, complete`(name: String) async throws {
        let run = try await record(name) { try delete("sub/takes/\(name)") }
        try await expectKept(run, as: "sub/takes/\(name)", "deleted")
    }

    @Test(arguments: ["voice.mov", "voice.mkv"]) func `audio too`(name: String) async throws {
        let run = try await record(name, ["--camera", "none"]) { try delete("sub/takes/\(name)") }
        try await expectKept(run, as: "sub/takes/\(name)", "deleted")
    }

    @Test(arguments: ["take.mov", "take.mkv"])
    func `a movie that is replaced is kept beside what took its place`(name: String) async throws {
        let run = try await record(name) { try move("other", to: "sub/takes/\(name)") }
        let kept = name.replacing("take.", with: "take.rescued.")
        try await expectKept(run, as: "sub/takes/\(kept)", "replaced")
        #expect(try String(contentsOfFile: folder.file("sub/takes/\(name)"), encoding: .utf8) == "somebody else's")
    }

    @Test(arguments: ["take.mp4", "take.mkv"])
    func `a movie whose folder is deleted is kept in the nearest one`(name: String) async throws {
        let run = try await record(name) { try FileManager.default.removeItem(atPath: folder.file("sub")) }
        try await expectKept(run, as: name, "deleted")
        #expect(folder.contents == ["other", name].sorted())
    }

    @Test(arguments: ["take.mov", "take.mkv"])
    func `a movie that is given another name goes on under that, and the events name it`(name: String) async throws {
        let run = try await record(name, stopsAs: "sub/new-\(name)") {
            try move("sub/takes/\(name)", to: "sub/new-\(name)")
        }
        try await expectMoved(run, to: "sub/new-\(name)")
    }

    @Test func `so does one whose folder is given another name`() async throws {
        let run = try await record("take.mov", stopsAs: "elsewhere/takes/take.mov") {
            try move("sub", to: "elsewhere")
        }
        try await expectMoved(run, to: "elsewhere/takes/take.mov")
    }

    private func expectMoved(_ run: (result: ToolResult, events: [Event]), to name: String) async throws {
        #expect(run.result.status == 0, "\(run.result)")
        #expect(run.result.errors.contains("is now \(resolved(name));"), "\(run.result)")
        let named = run.events.filter { $0.state.output.map { $0.hasSuffix(name) } == true }
        #expect(named.contains { $0.state.phase == "running" }, "\(run.result)")
        let last = try #require(run.events.last).state
        #expect(last.output == resolved(name) && last.fileIsGood == true, "\(run.result)")
        try await expectHolds(folder.file(name), last)
    }

    /// As "cp" and a shell's ">" do: the open file becomes somebody else's.
    @Test(arguments: Cases.taken(of: ["take.mov", "take.mkv", "voice.wav"], [0, 1 << 20], most: 2))
    func `a movie that another program writes over is not called good, and what is there then is left alone`(
        name: String, size: Int
    ) async throws {
        let other = Data((0..<size).map { UInt8(truncatingIfNeeded: $0 &* 31) })
        let run = try await record(name, name == "voice.wav" ? ["--camera", "none"] : []) {
            let file = try FileHandle(forWritingTo: URL(filePath: folder.file("sub/takes/\(name)")))
            try file.truncate(atOffset: 0)
            try file.write(contentsOf: other)
            try file.close()
        }
        #expect(run.result.status == 1, "\(run.result)")
        let last = try #require(run.events.last).state
        #expect(last.phase == "failed" && last.fileIsGood != true, "\(run.result)")
        #expect(run.result.errors.contains("overwritten by another program"), "\(run.result)")
        #expect(try Data(contentsOf: URL(filePath: folder.file("sub/takes/\(name)"))) == other)
    }

    @Test func `a replacement that is deleted on its way takes the old movie's place all the same`() async throws {
        try Data("old".utf8).write(to: URL(filePath: folder.file("sub/takes/take.mov")))
        let run = try await record("take.mov", ["--overwrite"]) { try delete("sub/takes/take.part.mov") }
        try await expectKept(run, as: "sub/takes/take.mov", "deleted")
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.file("sub/takes")) == ["take.mov"])
    }

    @Test func `a replacement whose folder is deleted is kept in the nearest one under the old name`() async throws {
        try Data("old".utf8).write(to: URL(filePath: folder.file("sub/takes/take.mov")))
        let run = try await record("take.mov", ["--overwrite"]) {
            try FileManager.default.removeItem(atPath: folder.file("sub"))
        }
        try await expectKept(run, as: "take.mov", "deleted")
        #expect(folder.contents == ["other", "take.mov"])
    }

    @Test func `a replacement whose folder is given another name takes the old movie's place there`() async throws {
        try Data("old".utf8).write(to: URL(filePath: folder.file("sub/takes/take.mov")))
        let run = try await record("take.mov", ["--overwrite"], stopsAs: "elsewhere/takes/take.part.mov") {
            try move("sub", to: "elsewhere")
        }
        #expect(run.result.status == 0, "\(run.result)")
        let last = try #require(run.events.last).state
        #expect(last.output == resolved("elsewhere/takes/take.mov") && last.fileIsGood == true, "\(run.result)")
        try await expectHolds(folder.file("elsewhere/takes/take.mov"), last)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.file("elsewhere/takes")) == ["take.mov"])
    }

    @Test func `a replacement leaves a file alone that has taken the old movie's place`() async throws {
        let old = folder.file("sub/takes/take.mov")
        try Data("old".utf8).write(to: URL(filePath: old))
        // Nothing is wrong with the new one, so it goes on to its end.
        let run = try await record("take.mov", ["--overwrite", "--duration", "3s"]) {
            try move("other", to: "sub/takes/take.mov")
        }
        try await expectKept(run, as: "sub/takes/take.part.mov", "replaced")
        #expect(try String(contentsOfFile: old, encoding: .utf8) == "somebody else's")
    }
}
