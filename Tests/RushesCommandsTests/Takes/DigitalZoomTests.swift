import Foundation
import TestSupport
import Testing

/// `zoom` of a camera that has none.
@Suite(.timeLimit(.minutes(25)), .turn, .requires(tool: "ffmpeg", package: "ffmpeg")) struct DigitalZoomTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private static let record = [
        "record", "--camera", "test:pattern=smpte100,size=320x240,rate=30", "--microphone", "none", "--codec", "mjpeg",
        "--quality", "95", "--progress", "none",
    ]

    /// How like frames of one movie are to those of another, changed by a filter; the worst of all.
    private func likeness(_ movie: String, _ other: String, _ filter: String) async throws -> Double {
        let image = folder.file("\(UUID()).png")
        _ = try await Tool.succeed(
            "ffmpeg",
            ["-nostdin", "-v", "error", "-i", folder.file(other), "-vf", filter, "-frames:v", "1", image])
        return try await FFmpeg.psnr(of: folder.file(movie), reference: image)
    }

    @Test func `the middle of the frames is scaled to their size`() async throws {
        for (options, file) in [([], "plain.mov"), (["--set", "zoom=2"], "near.mov")] {
            let result = try await BuiltCommand.rushes.run(
                Self.record + options + ["--duration", "0.5", file], folder: folder.path)
            #expect(result.status == 0, "\(result)")
            #expect(result.errors.contains("zoom 2x, by cropping.") == (file == "near.mov"), "\(result)")
        }
        #expect(try await FFProbe.inspect(folder.file("near.mov")).video.first?.width == 320)
        let near = try await likeness("near.mov", "plain.mov", "crop=iw/2:ih/2,scale=320:240:flags=bilinear")
        let plain = try await likeness("near.mov", "plain.mov", "null")
        #expect(near > 28 && plain < 20, "\(near) and \(plain)")
    }

    @Test func `it moves while it is recorded, and no frame is lost`() async throws {
        let state = try TemporaryFolder()
        let journal = ["XDG_STATE_HOME": state.path]
        let begin = ContinuousClock.now
        let take = try BuiltCommand.rushes.start(
            Self.record + ["--json", "take.mov"], environment: journal, folder: folder.path)
        var asked: Double?
        for await line in take.lines {
            let event = try Event(line)
            if let time = asked, event.state.mediaTime ?? 0 > time + 2 {
                asked = .infinity
                take.signal(SIGINT)
            }
            // At its start it may not have a socket yet.
            if asked == nil, event.event == "update", event.state.phase == "running" {
                let answer = try await BuiltCommand.rushes.run(
                    ["control", event.id, "set", "zoom=4 over 0.5s"], environment: journal)
                #expect(answer.status == 0, "\(answer)")
                #expect(
                    (answer.text + answer.errors).contains("zoom moves to 4x over 500 ms, by cropping."), "\(answer)")
                let refused = try await BuiltCommand.rushes.run(
                    ["control", event.id, "set", "zoom=9"], environment: journal)
                #expect(refused.status != 0 && refused.errors.contains("is 1x to 8x, not '9'"), "\(refused)")
                // However long that took: no time in the movie is later than the clock's.
                asked = begin.duration(to: .now) / .seconds(1)
            }
        }
        let result = try await take.result(within: .seconds(60))
        #expect(result.status == 0, "\(result)")
        try await FFmpeg.decode(folder.file("take.mov"))
        _ = try await Tool.succeed(
            "ffmpeg",
            [
                "-nostdin", "-v", "error", "-sseof", "-0.2", "-i", folder.file("take.mov"), "-c", "copy",
                folder.file("end.mov"),
            ])
        let end = try await likeness("end.mov", "take.mov", "crop=iw/4:ih/4,scale=320:240:flags=bilinear")
        #expect(end > 26, "\(end)")
    }
}
