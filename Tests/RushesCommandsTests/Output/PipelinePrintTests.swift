import Foundation
import TestSupport
import Testing

/// `--print-pipeline`: what is printed runs in gst-launch-1.0 and writes the movie.
@Suite(.timeLimit(.minutes(25)), .turn) struct PipelinePrintTests {
    struct Wish: Sendable, CustomTestStringConvertible {
        var options: [String]
        var file: String
        var testDescription: String { (options + [file]).joined(separator: " ") }
    }

    private static let wishes = [
        Wish(options: [], file: "take.mov"),
        Wish(options: ["--codec", "h264", "--channels", "1"], file: "two words' \"take\".mp4"),
        Wish(options: ["--codec", "prores", "--profile", "hq"], file: "take.mov"),
        Wish(options: ["--codec", "vp9"], file: "take.webm"),
        Wish(options: ["--codec", "av1", "--bit-depth", "8", "--audio", "flac"], file: "take.mkv"),
        Wish(options: ["--camera", "none"], file: "take.mp4"),
        Wish(
            options: [
                "--camera",
                "gst:videotestsrc is-live=true ! video/x-raw,format=I420,width=320,height=240,framerate=25/1",
                "--codec", "mjpeg", "--microphone", "none",
            ], file: "take.mov"),
    ]

    @Test(arguments: wishes) func `what is printed runs in a shell and writes the movie`(wish: Wish) async throws {
        let folder = try TemporaryFolder()
        let printed = try await BuiltCommand.rushes.run(
            ["record"] + Takes.small + wish.options + ["--print-pipeline", wish.file], folder: folder.path)
        #expect(printed.status == 0, "\(printed)")
        #expect(folder.contents == [])
        let line = printed.text.trimmingCharacters(in: .whitespacesAndNewlines)
        let text = line.hasPrefix("gst-launch-1.0") ? line : "gst-launch-1.0 -e -q \(line)"
        let run = try await Tool.run(
            "bash",
            [
                "-c",
                "timeout -k 10 -s INT 2 \(text.replacing("gst-launch-1.0", with: "gst-launch-1.0 -e", maxReplacements: 1))",
            ],
            limit: .seconds(120), folder: folder.path)
        #expect(folder.contents == [wish.file], "\(text)\n\(run)")
        try await Judges.expectDecodes(folder.file(wish.file))
    }
}
