import Foundation
import TestSupport
import Testing

/// A timelapse that cannot be created: one sentence, and nothing is left.
@Suite(.timeLimit(.minutes(25)), .turn) struct TimelapseRefusalTests {
    struct Mistake: Sendable, CustomTestStringConvertible {
        var options: [String]
        var status: Int32 = 64
        var phrase: String
        var testDescription: String { options.joined(separator: " ") }
    }

    private static let video = ["b.mp4", "--from-video", "a.mp4"]
    private static let usage = [
        Mistake(options: ["b.mp4", "--speed", "60x"], phrase: "--from-video"),
        Mistake(options: video, phrase: "--speed 60x"),
        Mistake(options: video + ["--speed", "60x", "--length", "2s"], phrase: "cannot be used together"),
        Mistake(options: video + ["--speed", "1x"], phrase: "above 1"),
        Mistake(options: video + ["--speed", "0.5x", "--deflicker"], phrase: "--speed is 1 or more"),
        Mistake(
            options: ["b.mp4", "--from-images", ".", "--speed", "1x", "--deflicker"], phrase: "above 1"),
        Mistake(
            options: ["b.mp4", "--every", "2s", "--deflicker"],
            phrase: "rushes timelapse even.mov --from-video b.mp4 --speed 1x --deflicker"),
        Mistake(options: video + ["--speed", "fast"], phrase: "--speed cannot be 'fast'"),
        Mistake(options: video + ["--length", "0"], phrase: "--length is zero"),
        Mistake(options: video + ["--speed", "9", "--codec", "copy"], phrase: "leave copy out"),
        Mistake(options: video + ["--speed", "100000"], phrase: "not even two frames; choose a lower --speed"),
        Mistake(options: video + ["--length", "1h"], phrase: "choose a shorter --length"),
        Mistake(options: ["a.mp4", "--from-video", "a.mp4", "--speed", "9"], phrase: "a.mp4 is the input itself"),
        Mistake(options: ["b.avi", "--from-video", "a.mp4", "--speed", "9"], phrase: ".mov, .mp4, .mkv or .webm"),
    ]
    private static let look = [
        Mistake(options: video + ["--ramp", "2x,60x@1s", "--speed", "9x"], phrase: "cannot be used together"),
        Mistake(options: video + ["--ramp", "2x,60x@5s,9x@4s"], phrase: "--ramp cannot be"),
        Mistake(options: video + ["--ramp", "60x"], phrase: "--ramp cannot be"),
        Mistake(options: video + ["--ramp", "1x,1x@4s"], phrase: "higher speeds of the ramp"),
        Mistake(options: video + ["--speed", "9x", "--blend", "4"], phrase: "an angle, such as 180deg"),
        Mistake(options: video + ["--speed", "9x", "--blend", "400deg"], phrase: "--blend cannot be"),
        Mistake(options: video + ["--speed", "9x", "--keep-time"], phrase: "--keep-time is for photos"),
        Mistake(options: video + ["--speed", "9x", "--pan-to", "x=60%,width=50%"], phrase: "--pan-to cannot be"),
        Mistake(options: video + ["--speed", "9x", "--keogram", "k.jpg"], phrase: "end k.jpg in .png"),
        Mistake(
            options: video + ["--speed", "9x", "--keogram", "k.png", "--trails", "k.png"], phrase: "the same file"),
        Mistake(
            options: video + ["--speed", "9x", "--trails", "gone/t.png"], status: 1, phrase: "gone does not exist"),
        Mistake(options: ["b.mp4", "--from-images", ".", "--blend", "90deg"], phrase: "such as 4"),
        Mistake(options: ["b.mp4", "--from-images", ".", "--ramp", "2x,9x@9s"], phrase: "--ramp is for videos"),
        Mistake(options: ["b.mp4", "--every", "2s", "--blend", "4"], phrase: "--blend is for videos and photos"),
        Mistake(
            options: ["b.mp4", "--camera", "test", "--every", "2s", "--resume", "--keogram", "k.png"],
            phrase: "--keogram would have the shots of this run alone"),
        Mistake(
            options: ["b.mp4", "--camera", "test,rotate=90", "--every", "2s", "--stamp", "%R"],
            phrase: "would lie as the camera does"),
        Mistake(
            options: [
                "b.mov", "--camera", "test", "--every", "2s", "--trails", "t.png", "--codec", "prores", "--profile",
                "4444",
            ],
            phrase: "choose another --profile"),
        Mistake(
            options: ["b.mp4", "--camera", "test", "--every", "2s", "--trails", "gone/t.png"], status: 1,
            phrase: "gone does not exist"),
        Mistake(
            options: ["b.mp4", "--camera", "test:size=320x240", "--every", "2s", "--stamp", "%A %B %c %A %B %c"],
            phrase: "wider than the frames"),
        Mistake(options: ["b.mp4", "--every", "2s", "--ramp", "2x,9x@9s"], phrase: "--ramp is for videos and photos"),
        Mistake(
            options: ["b.mp4", "--every", "2s", "--drop-flashes"],
            phrase: "--drop-flashes looks at the frames on both sides of each"),
        Mistake(
            options: video + ["--speed", "9x", "--deflicker-region", "width=50%,height=50%"],
            phrase: "goes with --deflicker or --drop-flashes"),
        Mistake(
            options: video + ["--speed", "9x", "--deflicker", "--deflicker-region", "width=50%"],
            phrase: "--deflicker-region cannot be"),
        Mistake(options: video + ["--speed", "9x", "--lut", "note.mp4"], phrase: "note.mp4 is not a look-up table"),
        Mistake(
            options: ["b.mp4", "--camera", "test", "--every", "2s", "--lut", "gone.cube"],
            phrase: "gone.cube cannot be read"),
        Mistake(options: ["b.mp4", "--from-images", ".", "--keep-time"], phrase: "give --speed 600x"),
        Mistake(options: video + ["--speed", "5x", "--audio"], phrase: "up to 4 times as fast, and this is 5.0 times"),
        Mistake(options: video + ["--ramp", "2x,3x@1s", "--audio"], phrase: "leave the --audio out"),
        Mistake(options: ["b.mp4", "--from-images", ".", "--audio"], phrase: "--audio is for videos"),
        Mistake(options: ["b.mp4", "--from-images", ".", "--idle", "5m"], phrase: "--idle goes with --watch"),
        Mistake(options: ["b.mp4", "--from-images", "a", "c", "--watch"], phrase: "the photos of one folder"),
        Mistake(options: ["b.mp4", "--from-images", "gone", "--watch"], status: 1, phrase: "create it first"),
    ]
    private static let inputs = [
        Mistake(options: ["b.mp4", "--from-video", "gone.mp4", "--speed", "9"], status: 1, phrase: "does not exist"),
        Mistake(options: ["b.mp4", "--from-video", "note.mp4", "--speed", "9"], status: 1, phrase: "note.mp4"),
        Mistake(options: ["note.mp4", "--from-video", "a.mp4", "--speed", "9"], status: 1, phrase: "already exists"),
    ]

    @Test(arguments: usage + look + inputs) func `it is refused in one sentence, and nothing is left`(mistake: Mistake)
        async throws
    {
        let folder = try TemporaryFolder()
        try FileManager.default.copyItem(atPath: Checkout.clip, toPath: folder.file("a.mp4"))
        try Data("a note".utf8).write(to: URL(filePath: folder.file("note.mp4")))
        try await Refusal.expect(
            ["timelapse"] + mistake.options, status: mistake.status, saying: [mistake.phrase], in: folder)
    }
}
