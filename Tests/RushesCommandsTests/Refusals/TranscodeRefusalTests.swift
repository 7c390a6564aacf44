import Foundation
import TestSupport
import Testing

/// An export that cannot be meant: one sentence, as nothing was under way.
@Suite(.timeLimit(.minutes(25)), .turn) struct TranscodeRefusalTests {
    struct Mistake: Sendable, CustomTestStringConvertible {
        var options: [String]
        var status: Int32 = 64
        var phrases: [String]
        var testDescription: String { options.joined(separator: " ") }
    }

    private static let copies = [
        ["--size", "320x180"], ["--crop", "320x180+0+0"], ["--rate", "10"], ["--rotation", "apply"],
        ["--deinterlace", "always"], ["--quality", "20"], ["--bitrate", "1M"], ["--bit-depth", "10"],
        ["--chroma", "4:4:4"], ["--channels", "2"], ["--lut", "a.cube"],
        ["--video-filter", "hflip"], ["--audio-filter", "volume=2"],
        ["--encoder-speed", "slow"],
    ].map { option in
        Mistake(options: ["--preset", "copy", "--output", "b.mp4"] + option, phrases: ["leave \(option[0]) out"])
    }

    private static let places = [
        Mistake(options: ["--output", "a.mp4"], phrases: ["a.mp4 is the input itself"]),
        Mistake(options: ["--output", "folder"], phrases: ["folder is a folder", "--output-directory"]),
        Mistake(options: ["--output", "nowhere/b.mp4"], status: 1, phrases: ["nowhere does not exist"]),
        Mistake(options: ["--output", "taken.mp4"], status: 1, phrases: ["taken.mp4 already exists"]),
        Mistake(options: ["--output", "b.avi"], phrases: [".mov, .mp4, .mkv or .webm"]),
        Mistake(options: ["--output", "b.mp4", "--preset", "hevec"], phrases: ["“hevec”", "hevc-fast"]),
        Mistake(options: ["--output", "b.mp4", "--start", "1h"], phrases: ["choose an earlier --start or --part"]),
        Mistake(options: ["--output", "b.mp4", "--part", "3s-2s"], phrases: ["--part 3s-2s does not end behind"]),
        Mistake(options: ["--output", "b.mp4", "--size", "720"], phrases: ["720p, 1280x, x720 or WxH"]),
        Mistake(options: ["--output", "b.mp4", "--crop", "big"], phrases: ["640x360+0+60"]),
        Mistake(options: ["--output", "b.mp4", "--chroma", "420"], phrases: ["keep, 4:2:0, 4:2:2 or 4:4:4"]),
        Mistake(options: ["--output", "b.mp4", "--lut", "a.mp4"], phrases: ["a.mp4 is not a look-up table"]),
        Mistake(options: ["--output", "b.mp4", "--lut", "gone.cube"], phrases: ["gone.cube cannot be read"]),
        Mistake(
            options: ["-o", "b.mp4", "-c", "h264", "--encoder-speed", "quick"],
            phrases: ["H.264 has no speed “quick”", "x264enc has placebo, veryslow, slower, slow"]),
        Mistake(
            options: ["-o", "b.mp4", "--audio-track", "7"], phrases: ["no audio track 7: a.mp4 has", "audio track"]),
        Mistake(
            options: ["-o", "b.mp4", "--subtitle-track", "de"], phrases: ["no German subtitle track: a.mp4 has no"]),
        Mistake(options: ["-o", "b.mp4", "--audio-track", "0"], phrases: ["--audio-track", "1 is the first"]),
        Mistake(
            options: ["-o", "b.mp4", "--audio-track", "1", "--audio-track", "none"],
            phrases: ["--audio-track all and none"]),
        Mistake(
            options: ["-o", "b.mp4", "--audio-track", "1", "--audio", "none"], phrases: ["--audio none leaves out"]),
        Mistake(
            options: ["-o", "b.mp4", "--video-filter", "hqdn3"], phrases: ["--video-filter “hqdn3”", "No such filter"]),
        Mistake(
            options: ["-o", "b.mp4", "--audio-filter", "volume=2", "--loudness", "-16"],
            phrases: ["before the --audio-filter", "loudnorm"]),
        Mistake(options: ["-o", "b.mp4", "--loudness", "-80"], phrases: ["from -70 to -5"]),
        Mistake(options: ["-o", "b.mp4", "--loudness", "-16", "--audio", "copy"], phrases: ["keeps its loudness"]),
        Mistake(options: ["-o", "b.mp4", "--loudness", "-16", "--audio", "none"], phrases: ["all audio is left out"]),
        Mistake(options: ["-o", "b.mp4", "--loudness", "-16", "--print-pipeline"], phrases: ["use one or the other"]),
        Mistake(options: ["-o", "b.mkv", "--fast-start"], phrases: ["leave --fast-start out"]),
        Mistake(options: ["-o", "b.wav", "--fast-start"], phrases: ["leave --fast-start out"]),
        Mistake(options: ["-o", "b.gif", "--preset", "copy"], phrases: ["set --preset to gif"]),
        Mistake(options: ["-o", "b.gif", "--preset", "h264"], phrases: ["GIF cannot hold H.264"]),
        Mistake(options: ["-o", "b.gif", "--rate", "60"], phrases: ["choose a --rate of at most 50"]),
        Mistake(options: ["-o", "b.gif", "--quality", "60"], phrases: ["256 colors", "leave --quality out"]),
        Mistake(options: ["-o", "b.gif", "--bitrate", "1M"], phrases: ["leave --bitrate out"]),
        Mistake(options: ["-o", "b.gif", "--target-size", "1M"], phrases: ["leave --target-size out"]),
        Mistake(options: ["-o", "b.gif", "--audio", "copy"], phrases: ["leave --audio out"]),
        Mistake(options: ["-o", "b.gif", "--audio-track", "1"], phrases: ["leave --audio-track out"]),
        Mistake(options: ["-o", "b.gif", "--fast-start"], phrases: ["leave --fast-start out"]),
        Mistake(options: ["-o", "b.gif", "--print-pipeline"], phrases: ["leave it out"]),
        Mistake(
            options: ["-o", "b.mp4", "--preset", "gif"], phrases: ["MP4 cannot hold GIF here; name the file .gif"]),
        Mistake(options: ["-o", "b.mp4", "--preset", "copy", "--reencode"], phrases: ["leave --reencode out"]),
        Mistake(options: ["-o", "b.flac", "--preset", "copy", "--reencode"], phrases: ["leave --reencode out"]),
        Mistake(
            options: ["-o", "b.mov", "--preset", "prores-hq", "--bit-depth", "8"], phrases: ["leave --bit-depth out"]),
        Mistake(options: ["-o", "b.mp4", "--audio", "none", "--channels", "2"], phrases: ["leave --channels out"]),
        Mistake(
            options: ["-o", "b.mp4", "--audio-track", "none", "--channels", "1"], phrases: ["leave --channels out"]),
        Mistake(options: ["-o", "b.mp4", "--audio-track", "none", "--audio", "copy"], phrases: ["leave --audio out"]),
        Mistake(options: [], phrases: ["--output is missing"]),
    ]

    @Test(arguments: copies + places) func `it is refused in one sentence, and nothing is left`(mistake: Mistake)
        async throws
    {
        try await Refusal.expect(
            ["transcode", "a.mp4"] + mistake.options, status: mistake.status, saying: mistake.phrases, in: try folder())
    }

    @Test(
        arguments: [
            (["folder"], 64, "--output-directory"), (["folder", "--output", "b.mp4"], 1, "is a folder"),
            (["gone.mp4", "--output", "b.mp4"], 1, "gone.mp4 does not exist"),
            (["taken.mp4", "--output", "b.mp4"], 1, "not a movie or audio file that Rushes can read"),
        ] as [([String], Int32, String)]) func `so is what cannot be read`(
            arguments: [String], status: Int32, phrase: String
        ) async throws
    {
        try await Refusal.expect(["transcode"] + arguments, status: status, saying: [phrase], in: try folder())
    }

    @Test(.requires(tool: "ffmpeg", package: "ffmpeg")) func `a list opens none of the files that it names`()
        async throws
    {
        let folder = try folder()
        _ = try await Tool.succeed(
            "ffmpeg", ["-nostdin", "-v", "error", "-f", "lavfi", "-i", "sine=duration=0.5", folder.file("tone.wav")])
        try Data("ffconcat version 1.0\nfile tone.wav\n".utf8).write(to: URL(filePath: folder.file("list.ffconcat")))
        try await Refusal.expect(
            ["transcode", "list.ffconcat", "--output", "b.wav"], status: 1,
            saying: ["not a movie or audio file that Rushes can read"], in: folder)
    }

    private func folder() throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        try FileManager.default.copyItem(atPath: Checkout.clip, toPath: folder.file("a.mp4"))
        try FileManager.default.createDirectory(atPath: folder.file("folder"), withIntermediateDirectories: false)
        try Data("a note".utf8).write(to: URL(filePath: folder.file("taken.mp4")))
        return folder
    }
}
