import Foundation
import TestSupport
import Testing

/// A file system that needs room even to overwrite what is there: a step of an edit may fail that fails on no other.
@Suite(
    .timeLimit(.minutes(25)), .turn,
    .requirement("needs root, btrfs and loop devices; install btrfs-progs") { SmallDisk.FileSystem.btrfs.isAvailable })
struct FullDiskTests {
    /// btrfs gives nothing of an extent back as long as a part of it is in use: what the take gives up makes no room, and only
    /// what it has kept for its index does.
    @Test(arguments: ["take.mov", "take.mkv"])
    func `a take on btrfs that another program fills ends with a complete movie, and keeps no room`(name: String)
        async throws
    {
        let folder = try TemporaryFolder()
        let result = try await SmallDisk.run(
            [
                "record", "--camera", "test:pattern=snow,size=640x360", "--microphone", "test", "--json", "--codec",
                "h264", "--bitrate", "20M", "--min-free", "0", name,
            ], on: .btrfs, size: "120M",
            meanwhile:
                #"until [ "$(stat -c %s take.* | head -n 1)" -gt 2000000 ]; do sleep 0.02; done; cat /dev/urandom >all"#,
            after: "sync; stat -c '%s %b' take.* >blocks", in: folder)
        let last = try #require(try Event.all(result.text).last)
        #expect(result.status == 3 && last.state.fileIsGood == true, "\(result)")
        let movie = SmallDisk.left(name, in: folder)
        let info = try await BuiltCommand.rushes.run(["info", "--json", movie])
        #expect(info.text.contains(#""complete":true"#) && info.text.contains(#""fragmented":false"#), "\(info)")
        try await FFmpeg.decode(movie)
        try expectNoRoomKept(folder)
    }

    @Test func `a killed take's room is given back when it is recovered`() async throws {
        let folder = try TemporaryFolder()
        let result = try await SmallDisk.run(
            [
                "sh", "-c",
                """
                "$0" record --camera test:pattern=snow,size=320x240 --microphone test --codec h264 --bitrate 300k --min-free 0 --progress none take.mov &
                until [ "$(stat -c %s take.mov)" -gt 30000 ]; do sleep 0.02; done
                kill -KILL $!
                sync; stat -c '%s %b' take.mov >killed
                "$0" recover --in-place take.mov
                """, try BuiltCommand.rushes.path,
            ], on: .btrfs, size: "120M", after: "sync; stat -c '%s %b' take.mov >blocks", isCommand: false, in: folder)
        #expect(result.status == 0, "\(result)")
        let (size, blocks) = try numbers("killed", folder)
        #expect(blocks * 512 > size + 900_000 && size < 900_000)
        try expectNoRoomKept(folder)
        try await FFmpeg.decode(SmallDisk.left("take.mov", in: folder))
    }

    private func expectNoRoomKept(_ folder: TemporaryFolder) throws {
        let (size, blocks) = try numbers("blocks", folder)
        #expect(blocks * 512 < size + 500_000, "\(size) bytes in \(blocks) blocks")
    }

    private func numbers(_ name: String, _ folder: TemporaryFolder) throws -> (Int, Int) {
        let text = try String(contentsOfFile: SmallDisk.left(name, in: folder), encoding: .utf8)
        let numbers = text.split { $0.isWhitespace }.compactMap { Int($0) }
        try #require(numbers.count == 2)
        return (numbers[0], numbers[1])
    }

    @Test(arguments: [
        ["tag", "--title", String(repeating: "A long title. ", count: 500), "movie.mp4"],
        ["rotate", "--angle", "90", "movie.mp4"],
        ["recover", "--in-place", "movie.mp4"],
    ])
    func `an edit on a full btrfs is refused, and the movie stays as it is`(arguments: [String]) async throws {
        let folder = try TemporaryFolder()
        let isRecovery = arguments[0] == "recover"
        try await (isRecovery ? MovieFixture.fragments : .finished).make("movie.mp4", in: folder)
        // Small files take the room that metadata had left, too.
        let fill =
            "for n in 1 2 3 4; do cat /dev/urandom >big$n; sync; done; "
            + "for n in $(seq 2000); do head -c 2000 /dev/urandom >small$n || break; done; sync; cat /dev/urandom >>big4; sync"
        let result = try await SmallDisk.run(
            arguments, on: .btrfs, size: "120M", before: "cp ../movie.mp4 . && sync; \(fill)", in: folder)
        let after = try Data(contentsOf: URL(filePath: SmallDisk.left("movie.mp4", in: folder)))
        if result.status == 0 {
            // Where the file system had a block in reserve after all.
            #expect(after != (try Data(contentsOf: URL(filePath: folder.file("movie.mp4")))))
        } else {
            Refusal.expect(result, status: 1, saying: ["The disk is full", "free some space"])
            #expect(after == (try Data(contentsOf: URL(filePath: folder.file("movie.mp4")))))
        }
        try await FFmpeg.decode(SmallDisk.left("movie.mp4", in: folder))
    }
}
