import Foundation
import TestSupport
import Testing

/// `rushes rotate`: as players show the movie afterwards, with its samples untouched.
@Suite(.timeLimit(.minutes(25)), .turn) struct RotateCommandTests {
    private static let orientations = [0, 90, 180, 270].flatMap { angle in [(angle, false), (angle, true)] }

    @Test(arguments: Cases.taken(of: orientations, most: 4)) func `every orientation is read back by everybody`(
        angle: Int, mirror: Bool
    )
        async throws
    {
        let folder = try TemporaryFolder()
        let movie = try await MovieFixture.finished.make("take.mp4", in: folder)
        let packets = try await packets(movie)
        let options = ["--angle", "\(angle)"] + (mirror ? ["--mirror"] : [])
        let copied = try await BuiltCommand.rushes.run(
            ["rotate", "--progress", "none", "take.mp4", "--output", "new.mp4"] + options, folder: folder.path)
        let turn = angle == 0 ? nil : "rotated \(angle)° clockwise"
        let parts = [mirror ? "mirrored" : nil, turn].compactMap(\.self)
        let words = parts.isEmpty ? "as it was recorded, not rotated" : parts.joined(separator: " and ")
        #expect(copied.status == 0 && copied.text.isEmpty, "\(copied)")
        #expect(copied.errors == "new.mp4 is a copy of take.mp4 that plays \(words).\n")
        let result = try await BuiltCommand.rushes.run(
            ["rotate", "--progress", "none", "take.mp4"] + options, folder: folder.path)
        #expect(result.status == 0 && result.text.isEmpty, "\(result)")
        #expect(result.errors == "take.mp4 now plays \(words).\n")
        #expect(folder.contents == ["new.mp4", "take.mp4"])
        #expect(folder.snapshot["new.mp4"] == folder.snapshot["take.mp4"])

        #expect(try await self.packets(movie) == packets)
        try await FFmpeg.decode(movie)
        let discovered = try await GstDiscoverer.inspect(movie)
        #expect(discovered.isSeekable)
        if angle != 0, !mirror { #expect(discovered["image orientation"] == "rotate-\(angle)") }
        let info = try await BuiltCommand.rushes.run(["info", "--json", movie])
        #expect(
            info.text.contains(#""mirrored":\#(mirror)"#) && info.text.contains(#""rotation":\#(angle)"#), "\(info)")
        // mediainfo knows no mirrors.
        if !mirror {
            let rotation = try await MediaInfo.inspect(movie).video.first?.number("Rotation") ?? 0
            #expect(rotation == Double(angle))
        }
    }

    @Test func `a browser shows a turned movie upright, and an unturned one as it is`() async throws {
        let folder = try TemporaryFolder()
        let upright = try await MovieFixture.finished.make("take.mp4", in: folder)
        for angle in ["90", "180"] {
            let result = try await BuiltCommand.rushes.run(
                ["rotate", "--progress", "none", "take.mp4", "--angle", angle, "--output", "\(angle).mp4"],
                folder: folder.path)
            #expect(result.status == 0, "\(result)")
        }
        let playback = try await Browser.play(upright, folder.file("90.mp4"), folder.file("180.mp4"))
        #expect(playback.allSatisfy { $0.plays }, "\(playback)")
        #expect(playback.map { [$0.width, $0.height] } == [[160, 120], [120, 160], [160, 120]])
    }

    @Test func `a movie in fragments is turned in place, and stays in fragments`() async throws {
        let folder = try TemporaryFolder()
        let movie = try await MovieFixture.fragments.make("take.mp4", in: folder)
        let result = try await BuiltCommand.rushes.run(
            ["rotate", "--progress", "none", "take.mp4", "--angle", "270"], folder: folder.path)
        #expect(result.status == 0, "\(result)")
        #expect(try await MediaInfo.inspect(movie).video.first?.number("Rotation") == 270)
        try await FFmpeg.decode(movie)
        let recovered = try await BuiltCommand.rushes.run(
            ["recover", "--progress", "none", "take.mp4"], folder: folder.path)
        #expect(recovered.status == 0, "\(recovered)")
        let media = try await MediaInfo.inspect(folder.file("take.recovered.mp4"))
        #expect(media.video.first?.number("Rotation") == 270)
    }

    @Test func `audio alone cannot be turned, and says so`() async throws {
        let folder = try TemporaryFolder()
        _ = try await Tool.succeed(
            "ffmpeg", ["-v", "error", "-f", "lavfi", "-i", "sine=duration=1", "-c:a", "aac", folder.file("take.mp4")])
        try await Refusal.expect(
            ["rotate", "--progress", "none", "take.mp4", "--angle", "90"], status: 1,
            saying: ["take.mp4", "no video"], in: folder)
    }

    private func packets(_ file: String) async throws -> String {
        try await Tool.succeed("ffmpeg", ["-v", "error", "-i", file, "-c", "copy", "-f", "framemd5", "-"]).text
    }

    @Test func `a new movie is of the kind that its ending says`() async throws {
        let folder = try TemporaryFolder()
        _ = try await Tool.succeed(
            "ffmpeg",
            [
                "-nostdin", "-v", "error", "-f", "lavfi", "-i", "testsrc2=size=160x96:rate=25:duration=1", "-f",
                "lavfi", "-i",
                "sine=duration=1", "-c:v", "libx264", "-preset", "ultrafast", "-pix_fmt", "yuv420p", "-c:a", "aac",
                folder.file("a.mov"), "-c:v", "libx264", "-pix_fmt", "yuv420p", "-c:a", "pcm_s16le",
                folder.file("pcm.mov"),
            ])
        let turned = try await BuiltCommand.rushes.run(
            ["rotate", "--progress", "none", "a.mov", "--angle", "90", "--output", "b.mp4"], folder: folder.path)
        #expect(turned.status == 0, "\(turned)")
        let report = try await FFProbe.inspect(folder.file("b.mp4"))
        #expect(report.format.tags?["major_brand"] == "isom", "\(report.format)")
        #expect(try await MediaInfo.inspect(folder.file("b.mp4")).video.first?.number("Rotation") == 90)
        func samples(_ name: String) async throws -> [Substring] {
            try await packets(folder.file(name)).split(separator: "\n").filter { !$0.hasPrefix("#") }
        }
        #expect(try await samples("b.mp4") == samples("a.mov"))
        // What MP4 cannot hold is no price for a turn.
        let refused = try await BuiltCommand.rushes.run(
            ["rotate", "--progress", "none", "pcm.mov", "--angle", "90", "--output", "c.mp4"], folder: folder.path)
        #expect(refused.status == 1 && refused.errors.contains("MP4 cannot hold all of it"), "\(refused)")
        #expect(folder.contents == ["a.mov", "b.mp4", "pcm.mov"])
    }
}
