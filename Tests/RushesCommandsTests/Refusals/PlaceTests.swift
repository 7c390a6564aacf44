import Foundation
import TestSupport
import Testing

/// A movie that cannot be where it was asked for.
@Suite(.timeLimit(.minutes(25)), .turn) struct PlaceTests {
    private func take(_ file: String, _ options: String...) -> [String] {
        ["record"] + Takes.small + ["--duration", "1"] + options + [file]
    }

    @Test func `a folder that does not exist is named`() async throws {
        try await Refusal.expect(take("nowhere/take.mov"), status: 1, saying: ["nowhere does not exist", "create it"])
    }

    @Test func `a file in the place of a folder, and a folder in the place of a file, are named`() async throws {
        let folder = try TemporaryFolder()
        try Data("x".utf8).write(to: URL(filePath: folder.file("notes")))
        try FileManager.default.createDirectory(atPath: folder.file("take.mov"), withIntermediateDirectories: false)
        try await Refusal.expect(take("notes/take.mov"), status: 1, saying: ["notes is not a folder"], in: folder)
        try await Refusal.expect(take("take.mov"), status: 1, saying: ["take.mov is a folder"], in: folder)
        try await Refusal.expect(
            take("take.mov", "--overwrite"), status: 1, saying: ["take.mov is a folder"], in: folder)
    }

    @Test func `a name that is too long is refused before a device is opened`() async throws {
        let name = String(repeating: "é", count: 126) + ".mov"
        try await Refusal.expect(take(name), status: 1, saying: [name, "255 bytes", "shorter"])
    }

    @Test func `a link to nothing, a pipe and a device are not written to`() async throws {
        let folder = try TemporaryFolder()
        symlink("/nonexistent/x.mov", folder.file("link.mov"))
        symlink("/dev/null", folder.file("null.mov"))
        mkfifo(folder.file("pipe.mov"), 0o600)
        for name in ["link.mov", "null.mov", "pipe.mov"] {
            try await Refusal.expect(take(name, "--overwrite"), status: 1, saying: [name], in: folder)
        }
    }

    @Test func `a folder of somebody else is named, and why it cannot be written`() async throws {
        let folder = try TemporaryFolder()
        #expect(chmod(folder.path, 0o555) == 0)
        let result = try await AnotherUser.run(take("take.mov"), in: folder)
        #expect(folder.contents == [])
        Refusal.expect(result, status: 1, saying: ["cannot be written (Permission denied)", "choose another"])
    }

    /// Before an export of hours, which would have nowhere to go.
    @Test(.enabled(if: geteuid() == 0), arguments: [["record"], ["timelapse", "--every", "1s"]])
    func `a file of somebody else in a sticky folder is not to be replaced`(command: [String]) async throws {
        let folder = try TemporaryFolder()
        try Data("another's".utf8).write(to: URL(filePath: folder.file("take.mov")))
        #expect(chmod(folder.path, 0o1777) == 0)
        let result = try await AnotherUser.run(
            command + ["--camera", "test:size=160x120", "--duration", "1", "--overwrite", "take.mov"], in: folder,
            mode: 0o1777)
        Refusal.expect(result, status: 1, saying: ["take.mov is another user's", "choose another name"])
        #expect(folder.contents == ["take.mov"])
    }

    @Test func `a disk that is mounted read-only is named`() async throws {
        let folder = try TemporaryFolder()
        let result = try await SmallDisk.run(take("take.mov"), size: "90M", options: "ro", in: folder)
        Refusal.expect(result, status: 1, saying: ["cannot be written (Read-only file system)"])
        #expect(try SmallDisk.contents(folder) == [])
    }

    @Test func `a disk that is full already is refused with what is free`() async throws {
        let folder = try TemporaryFolder()
        let result = try await SmallDisk.run(take("take.mov"), size: "10M", in: folder)
        Refusal.expect(
            result, status: 1, saying: ["Only 10 MB free in ", "but 50 MB must stay free", "free some space"])
        #expect(try SmallDisk.contents(folder) == [])
    }

    @Test func `an existing file is kept, and --overwrite named`() async throws {
        let folder = try TemporaryFolder()
        try Data("precious".utf8).write(to: URL(filePath: folder.file("take.mov")))
        try await Refusal.expect(
            take("take.mov"), status: 1, saying: ["take.mov already exists", "--overwrite"], in: folder)
        #expect(try Data(contentsOf: URL(filePath: folder.file("take.mov"))) == Data("precious".utf8))
    }

    @Test func `info names a file that is missing, forbidden, empty, no media, or a folder`() async throws {
        let folder = try TemporaryFolder()
        try Data().write(to: URL(filePath: folder.file("empty.mov")))
        try Data("hello, world\n".utf8).write(to: URL(filePath: folder.file("notes.txt")))
        try FileManager.default.createDirectory(atPath: folder.file("folder.mov"), withIntermediateDirectories: false)
        try await Refusal.expect(
            ["info", "nothing.mov"], status: 1, saying: ["nothing.mov does not exist"], in: folder)
        for name in ["empty.mov", "notes.txt", "folder.mov"] {
            try await Refusal.expect(["info", name], status: 1, saying: [name], in: folder)
        }
        #expect(chmod(folder.file("notes.txt"), 0) == 0)
        let result = try await AnotherUser.run(["info", "notes.txt"], in: folder)
        Refusal.expect(result, status: 1, saying: ["notes.txt", "Permission denied"])
    }
}
