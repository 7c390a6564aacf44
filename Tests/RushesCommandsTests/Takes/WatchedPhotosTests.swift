import Foundation
import TestSupport
import Testing

/// `rushes timelapse --from-images --watch`: photos that come while it waits.
@Suite(.timeLimit(.minutes(25)), .turn) struct WatchedPhotosTests {
    private let folder: TemporaryFolder

    init() async throws {
        folder = try TemporaryFolder()
        for name in ["made", "in"] {
            try FileManager.default.createDirectory(
                atPath: folder.file(name), withIntermediateDirectories: true)
        }
        _ = try await Tool.succeed(
            "ffmpeg",
            ["-nostdin", "-v", "error", "-f", "lavfi", "-i", "testsrc2=size=160x120:rate=1", "-frames:v", "4"]
                + [folder.file("made/%d.jpg")])
    }

    private func start(_ options: [String]) throws -> RunningCommand {
        try BuiltCommand.rushes.start(
            ["timelapse", "out.mp4", "--from-images", "in", "--watch", "--json", "--progress", "none"] + options,
            folder: folder.path)
    }

    private func copy(_ number: Int) throws {
        try FileManager.default.copyItem(
            atPath: folder.file("made/\(number).jpg"), toPath: folder.file("in/\(number).jpg"))
    }

    /// One that is being written is no photo yet, and what is no photo never is one.
    @Test func `it is made of as many as were wanted, the last of them when it is complete`() async throws {
        try copy(1)
        let command = try start(["--count", "3"])
        let bytes = try Data(contentsOf: URL(filePath: folder.file("made/3.jpg")))
        var last: FileHandle?
        var steps: Set<Int> = []
        for await line in command.lines {
            let event = try Event(line)
            guard event.state.phase == "waiting", let count = event.state.completedItems, steps.insert(count).inserted
            else { continue }
            if count == 1 {
                try Data().write(to: URL(filePath: folder.file("in/3.jpg")))
                last = FileHandle(forWritingAtPath: folder.file("in/3.jpg"))
                try last?.write(contentsOf: bytes.prefix(bytes.count / 2))
                try Data("no photo".utf8).write(to: URL(filePath: folder.file("in/notes.txt")))
                try copy(2)
            }
            if count == 2 {
                try last?.write(contentsOf: bytes.dropFirst(bytes.count / 2))
                try last?.close()
            }
        }
        let result = try await command.result(within: .seconds(60))
        #expect(result.status == 0 && result.errors.contains("3 photos came."), "\(result)")
        #expect(try await FFProbe.packets("v:0", of: folder.file("out.mp4")).count == 3)
        try await FFmpeg.decode(folder.file("out.mp4"))
        #expect(!result.errors.contains("skipped"), "\(result)")
    }

    @Test func `at Ctrl-C it is made of what has come`() async throws {
        for number in [1, 2] { try copy(number) }
        let command = try start([])
        for await line in command.lines {
            if try Event(line).state.phase == "waiting", try Event(line).state.completedItems == 2 {
                command.signal(SIGINT)
                break
            }
        }
        let result = try await command.result(within: .seconds(60))
        #expect(result.status == 0, "\(result)")
        #expect(try await FFProbe.packets("v:0", of: folder.file("out.mp4")).count == 2)
    }
}
