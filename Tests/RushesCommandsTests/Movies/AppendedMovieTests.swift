import Foundation
import TestSupport
import Testing

/// Files in which another movie lies behind the one that players show, as `cat one.mp4 other.mp4` makes them.
@Suite(.timeLimit(.minutes(5)), .requires(tool: "ffmpeg", package: "ffmpeg")) struct AppendedMovieTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func make(_ ending: String) async throws -> (both: String, one: String) {
        var bytes = Data()
        for (name, seconds) in [("one", 1), ("other", 2)] {
            let path = folder.file("\(name).\(ending)")
            _ = try await Tool.succeed(
                "ffmpeg",
                Tool.words(
                    "-nostdin -v error -f lavfi -i testsrc2=size=160x96:rate=25:duration=\(seconds) -c:v libx264 "
                        + "-preset ultrafast -pix_fmt yuv420p") + [path])
            bytes += try Data(contentsOf: URL(filePath: path))
        }
        let both = folder.file("both.\(ending)")
        try bytes.write(to: URL(filePath: both))
        return (both, folder.file("one.\(ending)"))
    }

    @Test(arguments: ["mp4", "mkv"]) func `a join and a timelapse tell what they leave out`(ending: String) async throws
    {
        let (both, one) = try await make(ending)
        let told = "Another movie follows in the same file"
        let output = folder.file("joined.\(ending)")
        let joined = try await BuiltCommand.rushes.run(["join", both, one, "--output", output])
        #expect(joined.status == 0 && joined.errors.contains("both.\(ending): \(told)"), "\(joined)")
        #expect(try await FFProbe.packets("v:0", of: output).count == 50)
        let lapse = try await BuiltCommand.rushes.run(
            ["timelapse", folder.file("lapse.mp4"), "--from-video", both, "--speed", "2x", "--rate", "25"])
        #expect(lapse.status == 0 && lapse.errors.contains(told), "\(lapse)")
        let whole = try await BuiltCommand.rushes.run(["join", one, one, "--output", folder.file("whole.\(ending)")])
        #expect(whole.status == 0 && !whole.errors.contains(told), "\(whole)")
    }

    @Test func `a tag that would have the other one played is refused`() async throws {
        let (both, _) = try await make("mp4")
        let before = try Data(contentsOf: URL(filePath: both))
        let result = try await BuiltCommand.rushes.run(["tag", both, "--title", "One"])
        #expect(result.status == 1 && result.errors.contains("another movie lies behind it"), "\(result)")
        #expect(try Data(contentsOf: URL(filePath: both)) == before)
    }
}
