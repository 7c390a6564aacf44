import Foundation
import TestSupport
import Testing

/// Movies that have lost their name on a disk that has no room for them and a copy.
extension LostFileTests {
    @Test(arguments: SmallDisk.FileSystem.mountable)
    func `a large movie is kept where there is no room for two`(disk: SmallDisk.FileSystem) async throws {
        // Twice 60 % of the disk is not to be had.
        let (size, share) = disk == .btrfs ? ("150M", 40_000_000) : ("60M", 32_000_000)
        let result = try await SmallDisk.run(
            [
                "record", "--camera", "test:pattern=snow,size=640x360", "--microphone", "test", "--json", "--progress",
                "none", "--codec", "mjpeg", "--quality", "95", "--min-free", "0", "take.mov",
            ], on: disk, size: size,
            meanwhile: "until [ \"$(stat -c %s take.mov)\" -gt \(share) ]; do sleep 0.02; done; rm take.mov", in: folder
        )
        #expect(result.status == 3, "\(result)")
        let last = try #require(try Event.all(result.text).last).state
        #expect(last.fileIsGood == true && (last.bytesWritten ?? 0) > Int64(share), "\(result)")
        try await expectHolds(SmallDisk.left("take.mov", in: folder), last)
    }

    /// As "umount -l" does it, and desktops that are told to take a disk out now.
    @Test(arguments: ["take.mov", "take.mkv"])
    func `a movie whose disk is unmounted is kept where the disk was`(name: String) async throws {
        let script = """
            mkdir disk && mount -t tmpfs none disk || exit 99
            "$0" "$@" & take=$!
            until [ "$(stat -c %s "disk/\(name)")" -gt 30000 ]; do sleep 0.02; done
            umount -l disk
            wait "$take"
            """
        let result = try await Tool.run(
            "unshare",
            Tool.mountNamespace + ["sh", "-c", script, try BuiltCommand.rushes.path, "record"] + Takes.small
                + ["--json", "disk/\(name)"], folder: folder.path)
        let last = try #require(try Event.all(result.text).last).state
        #expect(result.status == 3 && last.fileIsGood == true, "\(result)")
        #expect(last.reason == "disk/\(name) was unmounted with its disk while it was being recorded", "\(result)")
        #expect(last.output == resolved("disk/\(name)"), "\(result)")
        try await expectHolds(folder.file("disk/\(name)"), last)
    }

    /// A program that takes what the recording gives back, at its second piece.
    private func filled(from folders: String, before: String? = nil) async throws -> ToolResult {
        let library = try await PreloadedLibrary.build("fill-at-hole", in: folder)
        return try await SmallDisk.run(
            ["env", "LD_PRELOAD=\(library)", "FILL_AT_HOLE=2", "FILL_FILE=\(folder.file("disk/all"))"] + [folders]
                + [
                    try BuiltCommand.rushes.path, "record", "--camera", "test:pattern=snow,size=640x360",
                    "--microphone",
                    "test", "--json", "--progress", "none", "--codec", "mjpeg", "--quality", "95", "--min-free", "0",
                    "take.mov",
                ], size: "60M", before: before,
            meanwhile: "until [ \"$(stat -c %s take.mov)\" -gt 32000000 ]; do sleep 0.02; done; rm take.mov",
            after: before.map { _ in "mount -o remount,bind,rw /" }, isCommand: false, in: folder)
    }

    @Test(.requires(tool: "cc", package: "gcc libc6-dev"))
    func `a movie whose disk is filled while it is kept in pieces is kept whole on another disk`() async throws {
        let result = try await filled(from: "HOME=/")
        #expect(result.status == 3, "\(result)")
        let last = try #require(try Event.all(result.text).last).state
        #expect(last.fileIsGood == true && last.output == resolved("take.mov"), "\(result)")
        try await expectHolds(folder.file("take.mov"), last)
        // What had come of it there is needed no longer.
        #expect(try SmallDisk.contents(folder) == ["all"])
    }

    /// Nothing else may be written to but the disk.
    @Test(.requires(tool: "cc", package: "gcc libc6-dev"))
    func `where no other disk takes it, what had come of it stays, is told, and plays`() async throws {
        let result = try await filled(from: "HOME=\(folder.file("disk"))", before: "mount -o remount,bind,ro /")
        #expect(result.status == 1, "\(result)")
        let last = try #require(try Event.all(result.text).last).state
        #expect(last.phase == "failed" && last.fileIsGood != true, "\(result)")
        #expect(result.errors.contains("take.mov was deleted while "), "\(result)")
        #expect(
            result.errors.contains(
                "Its beginning is left as \(folder.file("disk/take.mov")), which 'rushes recover' completes."),
            "\(result)")
        // What runs is told in the home folder where nothing else can be written to.
        #expect(try SmallDisk.contents(folder).filter { !$0.hasPrefix(".") } == ["all", "take.mov"])
        _ = try await BuiltCommand.rushes.run(["recover", "--in-place", SmallDisk.left("take.mov", in: folder)])
        try await FFmpeg.decode(SmallDisk.left("take.mov", in: folder))
        #expect(try await FFProbe.packets("v:0", of: SmallDisk.left("take.mov", in: folder)).count > 10)
    }
}
