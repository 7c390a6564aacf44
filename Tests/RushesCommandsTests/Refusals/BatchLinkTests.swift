import Foundation
import TestSupport
import Testing

/// A batch's folder that leads elsewhere, and one of somebody else.
@Suite(.timeLimit(.minutes(25)), .turn) struct BatchLinkTests {
    private let folder: TemporaryFolder
    private let manager = FileManager.default

    init() throws {
        folder = try TemporaryFolder()
        for name in ["in", "out", "treasure/a1b", "treasure/work/a1b", "treasure/items"] {
            try manager.createDirectory(atPath: folder.file(name), withIntermediateDirectories: true)
        }
        for name in ["in/a.mov", "treasure/a1b/movie.mov", "treasure/work/a1b/movie.mov", "treasure/letter"] {
            try Data("mine".utf8).write(to: URL(filePath: folder.file(name)))
        }
    }

    private static let commands = [
        ["batch", "plan", "in", "--output-directory", "out"],
        ["transcode", "in", "--output-directory", "out", "--resume"],
        ["transcode", "--output-directory", "out", "--resume"],
        ["batch", "run-one", "out", "0"],
    ]

    private func expectRefusal(_ phrase: String) async throws {
        let before = try manager.subpathsOfDirectory(atPath: folder.path).sorted()
        for command in Self.commands {
            try await Refusal.expect(command, status: 1, saying: [phrase], in: folder)
        }
        #expect(try manager.subpathsOfDirectory(atPath: folder.path).sorted() == before)
    }

    @Test func `a hidden folder that is a link is refused, and what it leads to stays`() async throws {
        try manager.createSymbolicLink(
            atPath: folder.file("out/.rushes-batch"), withDestinationPath: folder.file("treasure"))
        try await expectRefusal("out/.rushes-batch is a link")
    }

    @Test func `a work folder that is a link is refused, and what it leads to stays`() async throws {
        let plan = try await BuiltCommand.rushes.run(Self.commands[0], folder: folder.path)
        #expect(plan.status == 0, "\(plan)")
        try manager.removeItem(atPath: folder.file("out/.rushes-batch/work"))
        try manager.createSymbolicLink(
            atPath: folder.file("out/.rushes-batch/work"), withDestinationPath: "../../treasure")
        let before = try manager.subpathsOfDirectory(atPath: folder.file("treasure")).sorted()
        for command in Self.commands {
            let result = try await BuiltCommand.rushes.run(command, folder: folder.path)
            #expect(result.status == 1 && result.errors.contains("work is a link"), "\(result)")
        }
        #expect(try manager.subpathsOfDirectory(atPath: folder.file("treasure")).sorted() == before)
    }

    @Test(.enabled(if: geteuid() == 0, "only root becomes another user"))
    func `another user's batch is not gone on with, by root neither`() async throws {
        for name in ["", "/in", "/out"] { _ = chmod(folder.path + name, 0o777) }
        let plan = try await AnotherUser.run(Self.commands[0], in: folder)
        #expect(plan.status == 0, "\(plan)")
        try await expectRefusal("belongs to another user")
    }
}
