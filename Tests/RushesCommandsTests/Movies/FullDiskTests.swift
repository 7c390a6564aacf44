import Foundation
import TestSupport
import Testing

/// A file system that needs room even to overwrite what is there: a step of an edit may fail that fails on no other.
@Suite(
    .timeLimit(.minutes(25)), .turn,
    .enabled("needs root, btrfs and loop devices; install btrfs-progs") { SmallDisk.FileSystem.btrfs.isAvailable })
struct FullDiskTests {
    /// btrfs gives nothing of an extent back as long as a part of it is in use, so what the take gives up for its index may
    /// not be enough; then it says so, and the movie is completed elsewhere.
    @Test func `a take on btrfs that another program fills ends with a movie that is complete or can be completed`()
        async throws
    {
        let folder = try TemporaryFolder()
        let result = try await SmallDisk.run(
            [
                "record", "--camera", "test:pattern=snow,size=640x360", "--microphone", "test", "--json", "--codec",
                "h264", "--bitrate", "20M", "--min-free", "1", "take.mov",
            ], on: .btrfs, size: "120M",
            meanwhile:
                #"until [ "$(stat -c %s take.* | head -n 1)" -gt 2000000 ]; do sleep 0.02; done; cat /dev/urandom >all"#,
            in: folder)
        let last = try #require(try Event.all(result.text).last)
        var movie = SmallDisk.left("take.mov", in: folder)
        if last.state.fileIsGood != true {
            #expect(result.status == 1 && result.errors.contains("can be recovered"), "\(result)")
            let recovered = try await BuiltCommand.rushes.run(
                ["recover", "--progress", "none", "--output", "whole.mov", movie], folder: folder.path)
            #expect(recovered.status == 0, "\(recovered)")
            movie = folder.file("whole.mov")
        }
        let info = try await BuiltCommand.rushes.run(["info", "--json", movie])
        #expect(info.text.contains(#""complete":true"#) && info.text.contains(#""fragmented":false"#), "\(info)")
        try await FFmpeg.decode(movie)
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
            Refusal.expect(result, status: 1, saying: ["The disk is full", "make room"])
            #expect(after == (try Data(contentsOf: URL(filePath: folder.file("movie.mp4")))))
        }
        try await FFmpeg.decode(SmallDisk.left("movie.mp4", in: folder))
    }
}
