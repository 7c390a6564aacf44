import Foundation
import TestSupport
import Testing

/// The killer at every system call that changes a file: whatever the moment, the movie plays.
///
/// strace kills before the call is made; what the call itself does is seen at the next one.
@Suite(.timeLimit(.minutes(25)), .turn, .serialized, .requires(tool: "strace", package: "strace"))
struct KilledEditTests {
    /// A way to change `take.mp4`, and whether another file is made of it.
    private struct Edit: Sendable, CustomTestStringConvertible {
        var arguments: [String]
        var fixture: MovieFixture
        /// A new movie that is there as a whole, or not at all.
        var output: String?
        var testDescription: String { arguments.joined(separator: " ") + " (\(fixture))" }
    }

    private static let edits = [
        Edit(arguments: ["recover", "--in-place"], fixture: .fragments),
        Edit(arguments: ["recover"], fixture: .fragments, output: "take.recovered.mp4"),
        Edit(arguments: ["recover", "--overwrite", "--output", "old.mp4"], fixture: .fragments, output: "old.mp4"),
        Edit(arguments: ["rotate", "--angle", "90"], fixture: .finished),
        Edit(arguments: ["rotate", "--angle", "90"], fixture: .fragments),
        Edit(arguments: ["rotate", "--angle", "90", "--output", "new.mp4"], fixture: .finished, output: "new.mp4"),
        Edit(arguments: ["tag", "--title", "A longer title", "--chapter", "0=One"], fixture: .finished),
        Edit(arguments: ["tag", "--title", "A longer title"], fixture: .indexFirst),
    ]

    /// All calls by which a file gets, loses or changes bytes or names.
    private static let calls = [
        "pwrite64", "fdatasync", "ftruncate", "sendfile", "ioctl", "linkat", "link", "unlink", "rename", "flock",
    ]

    @Test(arguments: Cases.taken(of: edits))
    private func `every moment leaves a movie that plays`(edit: Edit) async throws {
        try await killEverywhere(edit, in: try TemporaryFolder())
    }

    @Test func `so does every moment on a disk in memory`() async throws {
        let folder = try TemporaryFolder(in: "/dev/shm")
        for edit in [Self.edits[0], Self.edits[6]] { try await killEverywhere(edit, in: folder) }
    }

    private func killEverywhere(_ edit: Edit, in folder: TemporaryFolder) async throws {
        let movie = folder.file("take.mp4")
        let original = try await edit.fixture.make("take.mp4", in: folder)
        let before = try Data(contentsOf: URL(filePath: original))
        let frames = try await frames(movie)
        var kills = 0
        for call in Self.calls {
            // Far more than any of them is made; it ends when the command does.
            for number in 1...50 {
                for name in folder.contents { unlink(folder.file(name)) }
                try before.write(to: URL(filePath: movie))
                if edit.output == "old.mp4" { try before.write(to: URL(filePath: folder.file("old.mp4"))) }
                let result = try await Tool.run(
                    "strace",
                    [
                        "-f", "-qq", "-o", "/dev/null", "-e", "trace=\(call)", "-e",
                        "inject=\(call):signal=KILL:when=\(number)", try BuiltCommand.rushes.path,
                    ] + edit.arguments + ["take.mp4"], folder: folder.path)
                if result.status == 0 { break }
                #expect(result.status == 128 + SIGKILL, "\(result)")
                kills += 1
                try await expectUnbroken(edit, folder, before, frames, "killed at \(call) \(number)")
            }
        }
        // A write, a sync and the lock at least.
        #expect(kills >= 3)
        try await expectUnbroken(edit, folder, before, frames, "not killed")
    }

    private func expectUnbroken(
        _ edit: Edit, _ folder: TemporaryFolder, _ before: Data, _ frames: String, _ comment: String
    ) async throws {
        let movie = folder.file("take.mp4")
        var judged = [movie]
        if let output = edit.output {
            #expect(try Data(contentsOf: URL(filePath: movie)) == before, "\(comment)")
            judged = folder.contents.contains(output) ? [folder.file(output)] : []
            // A file that takes another one's place needs a name before.
            let spare = folder.contents.filter { $0 != "take.mp4" && $0 != output }
            #expect(
                spare.isEmpty || output == "old.mp4" && spare.allSatisfy { $0.hasPrefix(".") }, "\(comment): \(spare)")
        } else {
            #expect(folder.contents == ["take.mp4"], "\(comment)")
        }
        for file in judged { #expect(try await self.frames(file) == frames, "\(comment)") }
    }

    /// The decoded frames and sounds; throws where ffmpeg has something to say but for a second index, which it ignores.
    private func frames(_ file: String) async throws -> String {
        let result = try await Tool.succeed(
            "ffmpeg",
            [
                "-nostdin", "-v", "warning", "-noautorotate", "-i", file, "-map", "0:v", "-map", "0:a", "-c:a", "copy",
                "-fps_mode",
                "passthrough", "-enc_time_base", "-1", "-f",
                "framehash", "-",
            ])
        let words = result.errors.split(separator: "\n").filter { !$0.contains("Found duplicated MOOV Atom") }
        guard words.isEmpty else {
            throw ToolError.unexpectedOutput(result, "ffmpeg has something to say about \(file)")
        }
        return result.text.split(separator: "\n").filter { !$0.hasPrefix("#") }.map { line in
            // Stream, size and hash; times are those of the container's clock, which an index has another of.
            let fields = line.split(separator: ",")
            return [0, 4, 5].compactMap { fields.indices.contains($0) ? String(fields[$0]) : nil }.joined()
        }.joined(separator: "\n")
    }
}
