import Foundation
import TestSupport
import Testing

/// Each codec in each container that holds it, a second long, judged by players and analysers.
@Suite(.timeLimit(.minutes(25)), .turn) struct CodecMatrixTests {
    struct Cell: Sendable, CustomTestStringConvertible {
        var codec: String
        var file: String
        var audio: String
        var channels = 2
        var options: [String] = []
        var tag: String?
        var pixels: String?
        var profile: String?
        var testDescription: String { "\(codec) \(file) \(audio) \(channels) \(options.joined(separator: " "))" }

        /// ffprobe's names.
        var audioName: String? {
            switch audio {
            case "none": nil
            case "pcm": "pcm_s16le"
            default: audio
            }
        }
    }

    private static let cells = [
        Cell(codec: "hevc", file: "a.mov", audio: "aac", tag: "hvc1", pixels: "yuv420p", profile: "Main"),
        Cell(codec: "hevc", file: "a.mp4", audio: "opus", channels: 6, tag: "hvc1"),
        Cell(codec: "hevc", file: "a.mkv", audio: "flac", channels: 1),
        Cell(
            codec: "hevc", file: "a.mov", audio: "pcm", options: ["--bit-depth", "10"], tag: "hvc1",
            pixels: "yuv420p10le", profile: "Main 10"),
        Cell(codec: "h264", file: "a.mp4", audio: "aac", channels: 6, tag: "avc1"),
        Cell(codec: "h264", file: "a.mov", audio: "pcm", channels: 1, options: ["--bitrate", "2M"], tag: "avc1"),
        Cell(codec: "h264", file: "a.mkv", audio: "opus", options: ["--quality", "80"]),
        Cell(codec: "h264", file: "b.mp4", audio: "none", tag: "avc1"),
        Cell(codec: "av1", file: "a.mp4", audio: "aac", channels: 1, tag: "av01"),
        Cell(codec: "av1", file: "a.mov", audio: "aac", tag: "av01"),
        Cell(codec: "av1", file: "a.webm", audio: "opus", channels: 6),
        Cell(codec: "av1", file: "a.mkv", audio: "pcm"),
        Cell(codec: "vp9", file: "a.webm", audio: "opus"),
        Cell(codec: "vp9", file: "a.mkv", audio: "aac", channels: 1),
        Cell(codec: "mjpeg", file: "a.mov", audio: "aac"),
        Cell(codec: "mjpeg", file: "a.mkv", audio: "pcm", channels: 6),
        Cell(
            codec: "prores", file: "a.mov", audio: "pcm", options: ["--profile", "proxy"], tag: "apco",
            pixels: "yuv422p10le", profile: "Proxy"),
        Cell(codec: "prores", file: "a.mov", audio: "aac", options: ["--profile", "lt"], tag: "apcs", profile: "LT"),
        Cell(
            codec: "prores", file: "a.mov", audio: "aac", channels: 6, options: ["--profile", "422"], tag: "apcn",
            profile: "Standard"),
        Cell(codec: "prores", file: "a.mov", audio: "none", options: ["--profile", "hq"], tag: "apch", profile: "HQ"),
        Cell(
            codec: "prores", file: "a.mov", audio: "pcm", options: ["--profile", "4444"], tag: "ap4h", profile: "4444"),
        Cell(codec: "prores", file: "a.mkv", audio: "flac", options: ["--profile", "422"]),
    ]

    @Test(arguments: Cases.taken(of: cells)) func `every player reads what was asked for`(cell: Cell) async throws {
        let folder = try TemporaryFolder()
        let (file, dropped) = try await Takes.recordCounting(
            cell.file, in: folder,
            ["--duration", "1", "--codec", cell.codec, "--audio", cell.audio]
                + (cell.audio == "none" ? [] : ["--channels", "\(cell.channels)"]) + cell.options)
        try await Judges.expect(
            file,
            .init(video: cell.codec, audio: cell.audioName, frames: 30 - dropped, seconds: 1, channels: cell.channels))
        let stream = try #require(try await FFProbe.inspect(file).video.first)
        if let tag = cell.tag { #expect(stream.codecTagString == tag) }
        if let pixels = cell.pixels { #expect(stream.pixFmt == pixels) }
        if let profile = cell.profile { #expect(stream.profile == profile) }
        if cell.codec == "prores" { #expect(stream.fieldOrder == "progressive" || stream.fieldOrder == nil) }
    }

    @Test(arguments: [
        ("voice.mov", "aac"), ("voice.mp4", "opus"), ("voice.mkv", "flac"), ("voice.webm", "opus"),
        ("voice.mov", "pcm"),
    ])
    func `audio without a camera is a movie of audio`(file: String, audio: String) async throws {
        let folder = try TemporaryFolder()
        let path = try await Takes.record(
            file, in: folder, ["--duration", "1", "--audio", audio],
            sources: ["--camera", "none", "--microphone", "test:frequency=1000", "--progress", "none"])
        try await Judges.expect(
            path, .init(video: nil, audio: audio == "pcm" ? "pcm_s16le" : audio, frames: nil, seconds: 1))
        // The take begins when it is asked for, some milliseconds before the tone's first samples come; and a decoder goes on
        // to the end of the last packet, with whatever is beyond the take.
        let tone = ToneAnalysis(try await FFmpeg.audio(of: path, rate: 48000, start: 0.3, duration: 0.6), rate: 48000)
        #expect(abs(tone.frequency - 1000) < 2)
        #expect(tone.longestSilence < 0.005)
    }
}
