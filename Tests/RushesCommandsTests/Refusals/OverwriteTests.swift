import Foundation
import TestSupport
import Testing

/// `--overwrite`: the old movie stays until the new one is complete.
@Suite(.timeLimit(.minutes(25)), .turn) struct OverwriteTests {
    private let folder: TemporaryFolder
    private let old = Data("the only copy of the old take".utf8)

    init() throws {
        folder = try TemporaryFolder()
        try old.write(to: URL(filePath: folder.file("take.mov")))
    }

    private func start(_ options: [String]) throws -> RunningCommand {
        try BuiltCommand.rushes.start(
            ["record"] + Takes.small + ["--overwrite", "--json"] + options + ["take.mov"], folder: folder.path)
    }

    private var current: Data { get throws { try Data(contentsOf: URL(filePath: folder.file("take.mov"))) } }

    @Test func `the old file is there while the take runs, and the new one in its place afterwards`() async throws {
        let take = try start([])
        var updates = 0
        for await line in take.lines where line.contains(#""event":"update""#) && line.contains(#""phase":"running""#) {
            updates += 1
            // However old the line is, the take runs until it is stopped.
            if updates <= 4 { #expect(try current == old) }
            if updates == 4 { take.signal(SIGINT) }
        }
        #expect(updates >= 4)
        let result = try await take.result(within: .seconds(60))
        #expect(result.status == 0, "\(result)")
        #expect(folder.contents == ["take.mov"])
        #expect(try await FFProbe.inspect(folder.file("take.mov")).video.count == 1)
    }

    @Test func `a recorder that is killed leaves the old file and, beside it, what it had of the new one`() async throws
    {
        let take = try start(["--codec", "h264"])
        for await line in take.lines {
            guard let event = try? Event(line), (event.state.mediaTime ?? 0) > 2 else { continue }
            take.signal(SIGKILL)
            break
        }
        _ = try await take.result(within: .seconds(60))
        #expect(try current == old)
        #expect(folder.contents == ["take.mov", "take.part.mov"])
        try await FFmpeg.decode(folder.file("take.part.mov"))
    }

    @Test(arguments: ["live.mov", "live.mkv"])
    func `a movie that is still recorded is not replaced`(name: String) async throws {
        let take = try BuiltCommand.rushes.start(
            ["record"] + Takes.small + ["--codec", "h264", "--json", name], folder: folder.path)
        for await line in take.lines {
            guard let event = try? Event(line), (event.state.mediaTime ?? 0) > 1 else { continue }
            break
        }
        try await Refusal.expect(
            ["record"] + Takes.small + ["--overwrite", "--duration", "0.2", name], status: 1,
            saying: ["being written by another program"], in: folder)
        take.signal(SIGINT)
        let result = try await take.result(within: .seconds(60))
        #expect(result.status == 0, "\(result)")
        #expect((try await FFProbe.inspect(folder.file(name)).format.duration?.value ?? 0) > 1)
    }

    @Test(arguments: [true, false]) func `of two takes to one name at the same time the second is refused`(
        isThere: Bool
    ) async throws {
        if !isThere { unlink(folder.file("take.mov")) }
        let both = try (start(["--codec", "h264"]), start(["--codec", "h264"]))
        // Whoever has a frame is the first.
        let results = try await withThrowingTaskGroup(of: ToolResult.self) { group in
            for (take, other) in [(both.0, both.1), (both.1, both.0)] {
                group.addTask {
                    // It records until the other, however late that was, has been refused.
                    for await line in take.lines where try Event(line).state.mediaTime ?? 0 > 2 && !other.isRunning {
                        take.signal(SIGINT)
                        break
                    }
                    return try await take.result(within: .seconds(120))
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        let (refused, done) = (results.filter { $0.status == 1 }, results.filter { $0.status == 0 })
        #expect(refused.count == 1 && done.count == 1, "\(results)")
        #expect(
            refused.first?.errors
                == "rushes: take.mov is being written by another program; wait until it has finished, or choose another name.\n",
            "\(refused)")
        #expect(folder.contents == ["take.mov"])
        #expect((try await FFProbe.inspect(folder.file("take.mov")).format.duration?.value ?? 0) > 2)
    }

    @Test func `a take that cannot start leaves the old file`() async throws {
        try await Refusal.expect(
            ["record"] + Takes.small + ["--overwrite", "--microphone", "nobody", "take.mov"], status: 1,
            saying: ["No microphone is called “nobody”"], in: folder)
        #expect(try current == old)
    }
}
