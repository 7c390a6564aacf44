import Foundation
import TestSupport
import Testing

/// A recorder that is killed while it finishes its movie, at each of the calls by which it does so.
@Suite(.timeLimit(.minutes(25)), .turn, .requires(tool: "cc", package: "gcc libc6-dev"))
struct KilledFinishTests {
    @Test(arguments: ["take.mp4", "take.mov"]) func `every moment of the finish leaves a movie that plays`(name: String)
        async throws
    {
        let folder = try TemporaryFolder()
        let library = try await PreloadedLibrary.build("kill-at-call", in: folder)
        var kills = 0
        // The last round is that in which there are no more calls.
        for call in 1...20 {
            // One that replaces another movie: that takes a rename more.
            unlink(folder.file("take.part.\(name.suffix(3))"))
            try Data("the old one".utf8).write(to: URL(filePath: folder.file(name)))
            let result = try await BuiltCommand.rushes.run(
                ["record"] + Takes.small + [
                    "--overwrite", "--codec", "h264", "--duration", "0.4", "--rotation", "90", name,
                ],
                environment: ["LD_PRELOAD": library, "KILL_CALL": "\(call)"], folder: folder.path)
            let files = folder.contents.filter { folder.file($0) != library }
            if result.status == 0 {
                #expect(files == [name])
                try await expectPlays(folder.file(name))
                break
            }
            kills += 1
            #expect(result.status == 128 + SIGKILL, "\(result)")
            // Under its own name, or beside the old one, which then is as it was.
            let part = files.first { $0 != name }
            if part != nil {
                let old = try Data(contentsOf: URL(filePath: folder.file(name)))
                #expect(old == Data("the old one".utf8), "killed at call \(call)")
            }
            try await expectPlays(folder.file(part ?? name), "killed at call \(call)")
        }
        // The index, its sync, the head, its sync, the rename, the closing.
        #expect(kills >= 5 && kills < 20)
    }

    private func expectPlays(_ file: String, _ comment: Comment? = nil) async throws {
        let result = try await Tool.run(
            "ffmpeg", ["-nostdin", "-v", "warning", "-i", file, "-map", "0:v", "-map", "0:a", "-f", "null", "-"])
        // Before the last step there are two indexes, of which the first one counts.
        let words = result.errors.split(separator: "\n").filter { !$0.contains("Found duplicated MOOV Atom") }
        #expect(result.status == 0 && words.isEmpty, comment)
        // Twelve, but for what a machine that stands still costs.
        #expect(try await FFProbe.packets("v:0", of: file).count >= 5, comment)
        #expect(try await MediaInfo.inspect(file).video.first?.number("Rotation") == 90, comment)
    }
}
