import Errors
import Foundation
import LiveActivity
import SystemPackage
import TestSupport
import Testing

/// Folders of the user's state that are full or no folders: a recording does not need them, and who reads them is told what is wrong.
@Suite(.timeLimit(.minutes(25)), .turn) struct StateFolderTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// Orc writes what it compiles into a file there, which ended the process before the first frame.
    @Test(arguments: ["XDG_RUNTIME_DIR", "HOME"])
    func `a recording needs no space where the system keeps a user's state`(variable: String) async throws {
        let result = try await SmallDisk.run(
            [
                "sh", "-c", "exec env -u XDG_RUNTIME_DIR \(variable)=\"$PWD\" \"$0\" \"$@\"",
                try BuiltCommand.rushes.path, "record",
                "--progress", "none", "--duration", "1", "../take.mov",
            ] + Takes.small, size: "64k", before: "cat /dev/zero >all", isCommand: false, in: folder)
        #expect(result.status == 0, "\(result)")
        #expect(try await FFProbe.packets("v:0", of: folder.file("take.mov")).count > 20)
        try await FFmpeg.decode(folder.file("take.mov"))
    }

    @Test(arguments: ["nan", "-5s", "0", "soon /tmp/x.mov"])
    func `what a program asks for that is no time is not saved`(text: String) async throws {
        let state = folder.file("state")
        let recording = try BuiltCommand.rushes.start(
            ["record", "--replay", "5s", "--json"] + Takes.small + ["take.mov"],
            environment: ["XDG_STATE_HOME": state], folder: folder.path)
        var id: String?
        for await line in recording.lines where try Event(line).event == "update" {
            id = try Event(line).id
            break
        }
        let journal = ActivityJournal(directory: FilePath(state).appending("rushes/activities"))
        let error = await #expect(throws: RushesError.self) {
            try await journal.control(try #require(id), .save, text: text)
        }
        let word = text.split(separator: " ")[0]
        #expect(error.map { "\($0)" } == "'\(word)' is not a duration; write 30s, say.")
        recording.signal(SIGINT)
        #expect(try await recording.result(within: .seconds(60)).status == 0)
        #expect(folder.contents.filter { $0.hasSuffix(".mov") } == ["take.mov"])
    }

    @Test func `a journal that cannot be read is named with its cure`() async throws {
        try Data("no folder".utf8).write(to: URL(filePath: folder.file("state")))
        try await Refusal.expect(
            ["activities"], status: 1, saying: ["journal", "Not a directory", "XDG_STATE_HOME"], in: folder,
            environment: ["XDG_STATE_HOME": folder.file("state")])
    }

    @Test func `an image that may not be so large is named with its cure`() async throws {
        try await Takes.record("take.mov", in: folder, ["--duration", "1", "--codec", "h264"])
        let result = try await Tool.run(
            "prlimit",
            ["--fsize=1000", try BuiltCommand.rushes.path, "snapshot", "take.mov", "--output", "frame.png"],
            folder: folder.path)
        Refusal.expect(result, status: 1, saying: ["frame.png", "File too large", "ulimit -f"])
        #expect(folder.contents == ["take.mov"])
    }
}
