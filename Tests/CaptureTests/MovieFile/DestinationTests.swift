import Capture
import Encoding
import Errors
import Foundation
import SystemPackage
import TestSupport
import Testing

/// Where a movie may be and where not, and what a disk does to it.
@Suite(.timeLimit(.minutes(10)), .requires(tool: "ffprobe", package: "ffmpeg")) struct DestinationTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func refusal(_ destination: MovieDestination, needing bytes: Int64 = 1_000_000) -> RushesError? {
        do {
            try destination.check(needing: bytes)
            return nil
        } catch {
            return error
        }
    }

    @Test func `a name that is taken, a folder that is missing, no folder at all, a broken link: each is refused`()
        throws
    {
        try Data("old".utf8).write(to: URL(filePath: folder.file("old.mov")))
        try FileManager.default.createSymbolicLink(
            atPath: folder.file("link.mov"), withDestinationPath: "/nonexistent/x.mov")
        let taken = refusal(TestTake.destination(folder, "old.mov"))
        #expect(taken?.code == .fileExists && taken?.subject == folder.file("old.mov"))
        #expect(taken?.description.hasSuffix("choose another name, or let it be replaced.") == true)
        #expect(refusal(TestTake.destination(folder, "old.mov", replaces: true)) == nil)
        #expect(refusal(TestTake.destination(folder, "missing/new.mov"))?.code == .noFolder)
        #expect(refusal(TestTake.destination(folder, "old.mov/new.mov"))?.code == .noFolder)
        #expect(refusal(TestTake.destination(folder, "link.mov"))?.code == .fileExists)
        #expect(refusal(MovieDestination(FilePath(folder.path), replacesExisting: true))?.code == .fileExists)
        #expect(refusal(MovieDestination("/dev/null", replacesExisting: true))?.code == .fileExists)
        #expect(refusal(TestTake.destination(folder, "new.mov"), needing: .max)?.code == .diskFull)
        #expect(folder.contents == ["link.mov", "old.mov"])
    }

    @Test func `a folder in which nothing can be created is refused, for root too`() {
        #expect(refusal(MovieDestination("/proc/new.mov"))?.code == .notWritable)
    }

    @Test func `a replaced file stays until the new one is whole`() async throws {
        try Data("old".utf8).write(to: URL(filePath: folder.file("take.mov")))
        let session = try await TestTake.session(microphone: nil)
        let take = try await TestTake.output(of: session).startRecording(
            to: TestTake.destination(folder, replaces: true), settings: TestTake.settings, limits: TestTake.limits())
        await take.reaches(seconds: 1)
        #expect(try String(contentsOfFile: folder.file("take.mov"), encoding: .utf8) == "old")
        #expect(folder.contents.contains("take.part.mov"))
        #expect(await take.stop().isPlayable)
        await session.stop()
        #expect(folder.contents == ["take.mov"])
        #expect(try Data(contentsOf: URL(filePath: folder.file("take.mov"))).count > 1000)
    }

    @Test(.requiresMounts) func `a full disk ends the take, and what is there plays`() async throws {
        // A small disk of its own, which something else fills up to the last byte while the take runs.
        let script = """
            mount -t tmpfs -o size=6m none "$1" || exit 99
            (while ! [ -s "$1/take.mov" ]; do sleep 0.1; done; sleep 1; cat /dev/zero >"$1/other") 2>/dev/null &
            "$2" record "$1/take.mov" --camera test:pattern=snow,size=320x180 --microphone test --codec h264 \\
                --min-free 1k --duration 20s --progress none
            status=$?
            cp "$1/take.mov" "$3"
            exit $status
            """
        try FileManager.default.createDirectory(atPath: folder.file("disk"), withIntermediateDirectories: true)
        let result = try await Tool.run(
            "unshare",
            Tool.mountNamespace + [
                "sh", "-c", script, "sh", folder.file("disk"), BuiltCommand.rushes.path, folder.file("saved.mov"),
            ])
        #expect([0, 1, 3].contains(result.status))
        #expect(result.errors.contains("full"), "\(result.errors)")
        let packets = try await FFProbe.packets("v:0", of: folder.file("saved.mov"))
        #expect(packets.count > 10)
    }
}
