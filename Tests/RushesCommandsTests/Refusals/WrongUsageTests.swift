import TestSupport
import Testing

/// A command line that cannot be meant: status 64 and the cure, before a file is created.
@Suite(.timeLimit(.minutes(25)), .turn) struct WrongUsageTests {
    struct Mistake: Sendable, CustomTestStringConvertible {
        var arguments: [String]
        var phrases: [String]
        var testDescription: String { arguments.joined(separator: " ") }

        /// A take of test sources with these options.
        init(_ options: [String], file: String = "take.mov", _ phrases: String...) {
            arguments = ["record"] + Takes.small + ["--duration", "1"] + options + [file]
            self.phrases = phrases
        }

        init(whole arguments: [String], _ phrases: String...) {
            (self.arguments, self.phrases) = (arguments, phrases)
        }
    }

    private static let values = [
        Mistake(["--quality", "101"], "--quality is a number from 0 to 100"),
        Mistake(["--quality", "high"], "--quality cannot be 'high'"),
        Mistake(["--quality", "50", "--bitrate", "8M"], "cannot be used together"),
        Mistake(["--bitrate", "fast"], "--bitrate cannot be 'fast'", "8M"),
        Mistake(["--codec", "xyz"], "--codec cannot be 'xyz'", "hevc, prores"),
        Mistake(
            ["--codec", "hevc", "--bitrate", "200M"], "--bitrate is at most 102400k for HEVC, as x265enc takes no more"),
        Mistake(["--profile", "ultra"], "--profile cannot be 'ultra'", "4444"),
        Mistake(["--codec", "h264", "--profile", "hq"], "--codec prores"),
        Mistake(["--codec", "prores", "--bitrate", "8M"], "--profile"),
        Mistake(["--codec", "prores", "--quality", "50"], "--profile"),
        Mistake(["--audio", "wma"], "--audio cannot be 'wma'", "opus"),
        Mistake(["--bit-depth", "ten"], "--bit-depth cannot be 'ten'", "bits per color, 8 or 10"),
        Mistake(["--bit-depth", "12"], "--bit-depth is 8 or 10"),
        Mistake(["--codec", "mjpeg", "--bit-depth", "10"], "8 bit"),
        Mistake(["--codec", "av1", "--bit-depth", "10"], "8 bit", "--codec hevc"),
        Mistake(["--channels", "7"], "1 to 6"), Mistake(["--channels", "two"], "; it is a number (from 1 (mono) to 6"),
        Mistake(["--trigger", "noise"], "--trigger cannot be 'noise'; it is motion[,sensitivity=0-100] or sound=dB."),
        Mistake(["--gain", "loud"], "--gain cannot be 'loud'", "decibels"),
        Mistake(["--gain", "100"], "-60 to 40"),
        Mistake(["--audio-delay", "soon"], "--audio-delay cannot be 'soon'"),
        Mistake(["--audio-delay", "1m"], "from -1s"), Mistake(["--audio-delay=-3s"], "to 10s"),
        Mistake(["--audio-delay", "-40mss"], "--audio-delay cannot be '-40mss' (moves the audio"),
        Mistake(["--gain", "-3dbs"], "--gain cannot be '-3dbs' (amplification"),
        Mistake(["--set", "exposure"], "NAME=VALUE", "'rushes devices --controls'"),
        Mistake(["--set", "exposure=10ms"], "Test pattern has no controls but zoom", "V4L2"),
        Mistake(["--rotation", "45"], "0, 90, 180, 270 or auto"),
        Mistake(["--rotation", "90"], file: "take.mkv", "or leave --rotation out"),
        Mistake(
            whole: ["record", "--camera", "test:size=160x120,rotate=90", "--duration", "1", "take.mkv"],
            "name the file .mov or .mp4, or leave rotate= and mirror after the camera out"),
        Mistake(
            whole: [
                "record", "--camera", "test:size=160x120", "--inset", "test:size=80x60,mirror", "--also-separate",
                "--duration", "1", "take.mkv",
            ], "name the file .mov or .mp4, or leave rotate= and mirror after the camera out"),
        Mistake(["--size", "big"], "--size cannot be 'big'", "1920x1080"),
        Mistake(["--size", "0x0"], "--size cannot be '0x0'"),
        Mistake(["--rate", "0"], "--rate cannot be '0'", "29.97"),
        Mistake(["--duration", "soon"], "--duration cannot be 'soon'", "1h30m"),
        Mistake(["--duration", "0"], "40 milliseconds"),
        Mistake(["--duration", "-5"], "--duration cannot be negative; '-5' is."),
        Mistake(["--duration=-5s"], "--duration cannot be negative; '-5s' is."),
        Mistake(["--max-size", "-1"], "--max-size cannot be negative"),
        Mistake(["--max-size", "10"], "--max-size must be at least 1M"),
        Mistake(["--min-free", "much"], "--min-free cannot be 'much'", "50M"),
        Mistake(["--progress", "dots"], "--progress cannot be 'dots'", "plain"),
        Mistake(["--location", "Paris"], "ISO 6709"), Mistake(["--location", "+91+000"], "ISO 6709"),
        Mistake(["--date", "2026-02-30"], "ISO 8601"), Mistake(["--date", "2026-02-28T24:30:00Z"], "ISO 8601"),
        Mistake(["--date", "yesterday"], "ISO 8601"),
        Mistake(["--title", "a\nb", "--codec", "a\nb"], "--codec cannot be 'a\\nb'; it is hevc, "),
        Mistake([], file: "", "<file> cannot be empty."), Mistake(["--lut", ""], "--lut cannot be empty."),
        Mistake(["--separate-codec", "copy"], "--separate-codec cannot be 'copy'; it is hevc, prores, h264"),
        Mistake(["--wobble"], "Unknown option '--wobble'", "rushes record --help"),
        Mistake(["--durations", "2"], "Unknown option '--durations'"),
        Mistake(["other.mov"], "Unexpected argument 'take.mov'"), Mistake([], file: "-hash.mov", "'./-hash.mov'"),
    ]

    private static let combinations = [
        Mistake([], file: "take", ".mov, .mp4, .mkv or .webm"),
        Mistake([], file: "take.avi", ".avi", ".mov, .mp4, .mkv or .webm"),
        Mistake(["--codec", "vp9"], "QuickTime cannot hold VP9", ".mkv or .webm", "--codec hevc"),
        Mistake(["--codec", "vp9"], file: "take.mp4", "MP4 cannot hold VP9"),
        Mistake(["--codec", "prores"], file: "take.mp4", "MP4 cannot hold ProRes", ".mov"),
        Mistake(["--codec", "mjpeg"], file: "take.mp4", "MP4 cannot hold Motion JPEG"),
        Mistake(["--codec", "h264"], file: "take.webm", "WebM cannot hold H.264"),
        Mistake(["--audio", "flac"], "QuickTime cannot hold FLAC", ".mkv"),
        Mistake(["--audio", "opus"], "QuickTime cannot hold Opus"),
        Mistake(["--audio", "pcm"], file: "take.mp4", "MP4 cannot hold PCM", ".mov"),
        Mistake(["--audio", "aac"], file: "take.webm", "WebM cannot hold AAC", "opus"),
        Mistake(["--rotation", "90"], file: "take.mkv", "Matroska cannot", "--rotation"),
        Mistake(["--mirror"], file: "take.mkv", "Matroska cannot", "--mirror"),
        Mistake(["--codec", "copy"], "no compressed stream to copy", "--codec"),
        Mistake(["--meter"], "Return at a terminal"), Mistake(["--meter", "--microphone", "none"], "--meter"),
        Mistake(["--camera", "none", "--microphone", "none"], "neither a camera nor a microphone"),
        Mistake(["--camera", "none", "--audio", "none"], "neither a camera nor a microphone"),
        Mistake(["--camera", "test:colour=red"], "no option “colour”", "pattern, size, rate"),
        Mistake(["--camera", "test:pattern=nonsense"], "no such pattern", "smpte"),
        Mistake(["--camera", "test:rate=fast"], "rate cannot be “fast”"),
        Mistake(["--camera", "test:ball"], "test:pattern=ball"),
        Mistake(["--microphone", "test:frequency=high"], "frequency cannot be “high”"),
        Mistake(["--camera", "test:size=8x8"], "8×8", "--size"),
        Mistake(["--camera", "test:size=321x241", "--codec", "h264", "--size", "640x480"], "two sizes"),
        Mistake(["--camera", "gst:"], "gst-launch"),
        Mistake(["--camera", "gst:nosuchelement"], "no element \"nosuchelement\"", "gst-launch"),
        Mistake(["--camera", "gst:videotestsrc ! ! identity"], "syntax error"),
        Mistake(["--camera", "gst:videotestsrc nonsense=1"], "nonsense"),
        Mistake(["--microphone", "gst:audiotestsrc ! fakesink"], "without a sink"),
        Mistake(["--camera", ""], "cannot be empty"),
        Mistake(whole: ["wobble"], "There is no command 'wobble'", "rushes --help"),
        Mistake(whole: ["recrod", "take.mov"], "There is no command 'recrod'; did you mean 'record'?"),
        Mistake(whole: ["help", "transcod"], "did you mean 'transcode'?"),
        Mistake(whole: ["control", "", "stop"], "The id is empty"),
        Mistake(whole: ["transcode", "https://a.org/b.mp4", "-o", "a.mov"], "download what is to be read"),
        Mistake(whole: ["transcode", "a.mov", "-o", "b.mp4", "--mute"], "it is --audio here: '--audio none'."),
        Mistake(whole: ["record", "-o", "a.mov", "b.mov"], "a.mov and b.mov; give one"),
        Mistake(["--codec", "gif"], "GIFs are made of movies, and not recorded"),
        Mistake(whole: ["info"], "Missing expected argument '<file> ...'", "rushes info --help"),
        Mistake(whole: ["devices", "--colour"], "Unknown option '--colour'", "rushes devices --help"),
        Mistake(whole: ["activities", "--foo"], "Unknown option '--foo'; see 'rushes activities --help'"),
        Mistake(whole: ["encoders", "extra"], "Unexpected argument 'extra'"),
        Mistake(whole: ["transcode", "/dev/null", "out.mp4"], "There is no file out.mp4", "--output"),
        Mistake(
            whole: ["transcode", "a.mov", "--output", "-1.mov"],
            "--output is missing its value; to name a file that begins with a dash, write './-1.mov'."),
        Mistake(
            whole: ["transcode", "a.mov", "-oq.mp4"], "Unknown option '-oq.mp4'; write '-o q.mp4', or './-oq.mp4'"),
        Mistake(
            whole: ["transcode", "a.mov", "-o", "b.mov", "--loudness", "-16LUFS"], "--loudness cannot be '-16LUFS' ("),
        Mistake(
            whole: ["transcode", "a.mov", "-o", "b.mov", "--subtitle-track", "x,y"], "a number, language, all or none"),
        Mistake(
            whole: ["transcode", "a.mov", "-o", "b.mov", "--bit-depth", "ten"],
            "--bit-depth cannot be 'ten'; it is 8 or 10"),
        Mistake(
            whole: ["timelapse", "a.mov", "--from-images", "b", "--pan-to", "50%"],
            "--pan-to cannot be '50%'; it is x=%,y=%,width=%"),
        Mistake(whole: ["info", ""], "<file> cannot be empty."),
        Mistake(["--duration="], "--duration has no value behind its '='; write --duration '' for an empty one."),
        Mistake(whole: ["tag", "a.mov", "--title=", "b.mov"], "--title has no value behind its '='"),
        Mistake(whole: ["transcode", "a.mov", "--start=5s\n", "--output", "b.mov"], "--start cannot be '5s\\n'"),
        Mistake(whole: ["batch", "plan", "", "--output-directory", "o"], "<inputs> cannot be empty."),
        Mistake(whole: ["batch", "run-one", "", "0"], "<manifest> cannot be empty."),
        Mistake(whole: ["recover", ""], "<file> cannot be empty."),
        Mistake(
            whole: ["transcode", "a.mov", "-output", "b.mov"], "Unknown option '-output'; did you mean '--output'?"),
    ]

    @Test(arguments: values) func `a value that an option cannot have is named with those it can`(mistake: Mistake)
        async throws
    {
        try await expectRefused(mistake)
    }

    @Test(arguments: combinations) func `what does not go together is named with what does`(mistake: Mistake)
        async throws
    {
        try await expectRefused(mistake)
    }

    private func expectRefused(_ mistake: Mistake) async throws {
        let folder = try TemporaryFolder()
        let result = try await BuiltCommand.rushes.run(mistake.arguments, limit: .seconds(120), folder: folder.path)
        #expect(folder.contents == [])
        Refusal.expect(result, status: 64, saying: mistake.phrases)
    }
}
