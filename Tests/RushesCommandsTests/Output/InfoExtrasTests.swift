import Foundation
import TestSupport
import Testing

/// What `rushes info` tells beside the video and the audio.
@Suite(.timeLimit(.minutes(25)), .turn, .requires(tool: "ffmpeg", package: "ffmpeg")) struct InfoExtrasTests {
    private struct Info: Decodable {
        struct Other: Decodable {
            var codec: String
            var language: String?
            var sampleCount: Int
        }
        struct Video: Decodable {
            struct Display: Decodable {
                struct Place: Decodable { var x: Double, y: Double }
                var red: Place
                var maximumLuminance: Double
                var minimumLuminance: Double
            }
            struct Light: Decodable { var maximum: Int, average: Int }
            var masteringDisplay: Display?
            var contentLight: Light?
        }
        var video: [Video]
        var subtitles: [Other]?
        var data: [Other]?
        var covers: [String]?
    }

    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func info(_ file: String) async throws -> Info {
        let result = try await BuiltCommand.rushes.run(["info", "--json", file])
        return try JSONDecoder().decode(Info.self, from: result.output)
    }

    @Test(arguments: [
        ("in.adx", "adpcm_adx", ""), ("in.mlp", "mlp", "-c:a mlp -strict -2"), ("in.nut", "flac", "-c:a flac"),
    ])
    func `audio that GStreamer does not read is told`(name: String, codec: String, options: String) async throws {
        struct Music: Decodable {
            struct Audio: Decodable { var codec: String, sampleRate: Int, channels: Int, duration: Double }
            var audio: [Audio]
        }
        let file = folder.file(name)
        _ = try await Tool.succeed(
            "ffmpeg",
            ["-nostdin", "-v", "error", "-f", "lavfi", "-i", "sine=duration=1.5:sample_rate=48000", "-ac", "2"]
                + Tool.words(options) + [file])
        let result = try await BuiltCommand.rushes.run(["info", "--json", file])
        let audio = try JSONDecoder().decode(Music.self, from: result.output).audio
        #expect(audio.map(\.codec) == [codec] && audio.first?.sampleRate == 48_000 && audio.first?.channels == 2)
        #expect(abs((audio.first?.duration ?? 0) - 1.5) < 0.01, "\(audio)")
    }

    @Test func `music tells of its artist, and shows its cover`() async throws {
        struct Song: Decodable { var artist: String?, album: String?, comment: String?, covers: [String]? }
        for (name, codec) in [("in.mp3", "libmp3lame"), ("in.flac", "flac")] {
            let file = folder.file(name)
            _ = try await Tool.succeed(
                "ffmpeg",
                ["-nostdin", "-v", "error", "-f", "lavfi", "-i", "sine=duration=1", "-f", "lavfi", "-i"]
                    + ["color=red:size=64x64:duration=0.04", "-map", "0", "-map", "1", "-c:v", "png", "-frames:v", "1"]
                    + ["-c:a", codec, "-disposition:v", "attached_pic", "-metadata", "artist=Ann", "-metadata"]
                    + ["album=Songs", "-metadata", "comment=loud", file])
            let result = try await BuiltCommand.rushes.run(["info", "--json", file])
            let song = try JSONDecoder().decode(Song.self, from: result.output)
            #expect(song.artist == "Ann" && song.album == "Songs" && song.covers == ["png"], "\(name)")
            let words = try await BuiltCommand.rushes.run(["info", file]).text
            #expect(words.contains("artist   Ann") && words.contains("cover    png"), "\(words)")
        }
    }

    @Test func `Musepack has its audio`() async throws {
        struct Music: Decodable {
            struct Audio: Decodable { var codec: String, channels: Int, sampleRate: Int }
            var audio: [Audio]
        }
        let result = try await BuiltCommand.rushes.run(["info", "--json", Checkout.media("sweep.mpc")])
        let audio = try JSONDecoder().decode(Music.self, from: result.output).audio
        #expect(audio.map(\.sampleRate) == [44_100] && audio.first?.codec.hasPrefix("musepack") == true)
    }

    @Test func `a movie behind another one in its file is told`() async throws {
        let file = folder.file("one.mkv")
        _ = try await Tool.succeed(
            "ffmpeg",
            ["-nostdin", "-v", "error", "-f", "lavfi", "-i", "sine=sample_rate=48000:duration=2", "-c:a", "flac", file])
        let one = try Data(contentsOf: URL(filePath: file))
        try (one + one).write(to: URL(filePath: folder.file("two.mkv")))
        let told = try await BuiltCommand.rushes.run(["info", folder.file("two.mkv")]).text
        #expect(told.contains("another movie (") && told.contains("0:02.0), which is not played"), "\(told)")
        #expect(try await !BuiltCommand.rushes.run(["info", file]).text.contains("another movie"))
    }

    @Test func `WAV of an odd number of bytes is as long as it is`() async throws {
        struct Sound: Decodable { var duration: Double }
        let file = folder.file("in.wav")
        _ = try await Tool.succeed(
            "ffmpeg",
            ["-nostdin", "-v", "error", "-f", "lavfi", "-i", "sine=sample_rate=48000", "-af", "atrim=end_sample=72001"]
                + ["-c:a", "pcm_s24le", "-bitexact", file])
        let result = try await BuiltCommand.rushes.run(["info", "--json", file])
        let told = try JSONDecoder().decode(Sound.self, from: result.output).duration
        #expect(abs(told - 72_001 / 48_000.0) < 0.001)
    }

    @Test(
        arguments: [
            ("in.wav", "sine=sample_rate=44100:duration=0.1", "libmp3lame", "mp3"),
            ("in.wav", "sine=sample_rate=44100:duration=1", "ac3", "ac3"),
            ("in.w64", "sine=sample_rate=44100:duration=1", "pcm_s16le", "pcm_s16le"),
        ])
    func `Packets in WAV, and Wave64, are described`(
        name: String, source: String, encoder: String, codec: String
    ) async throws {
        struct Sound: Decodable {
            struct Audio: Decodable { var codec: String }
            var duration: Double
            var audio: [Audio]
        }
        let file = folder.file(name)
        _ = try await Tool.succeed(
            "ffmpeg", ["-nostdin", "-v", "error", "-f", "lavfi", "-i", source, "-c:a", encoder, file])
        let result = try await BuiltCommand.rushes.run(["info", "--json", file])
        let told = try JSONDecoder().decode(Sound.self, from: result.output)
        #expect(told.audio.map(\.codec) == [codec])
        let wanted = try await FFmpeg.audio(of: file, rate: 44_100).count
        #expect(abs(told.duration - Double(wanted) / 44_100) < 0.06)
    }

    @Test func `AV1 without a container has 25 frames a second, as its export has`() async throws {
        struct Movie: Decodable {
            struct Video: Decodable { var frameRate: Double? }
            var duration: Double
            var video: [Video]
        }
        let file = folder.file("in.obu")
        _ = try await Tool.succeed(
            "ffmpeg",
            ["-nostdin", "-v", "error", "-f", "lavfi", "-i", "testsrc=size=128x96:rate=25:duration=1"]
                + ["-pix_fmt", "yuv420p", "-c:v", "libsvtav1", "-preset", "10", "-f", "obu", file])
        let result = try await BuiltCommand.rushes.run(["info", "--json", file])
        let told = try JSONDecoder().decode(Movie.self, from: result.output)
        #expect(told.video.first?.frameRate == 25 && told.duration == 1)
    }

    @Test func `A-law in AIFF-C is described`() async throws {
        struct Sound: Decodable {
            struct Audio: Decodable {
                var codec: String
                var channels: Int
                var sampleRate: Int
            }
            var duration: Double
            var audio: [Audio]
        }
        let file = folder.file("in.aif")
        _ = try await Tool.succeed(
            "ffmpeg",
            [
                "-nostdin", "-v", "error", "-f", "lavfi", "-i", "sine=sample_rate=8000:duration=2", "-c:a", "pcm_alaw",
                file,
            ])
        let result = try await BuiltCommand.rushes.run(["info", "--json", file])
        let told = try JSONDecoder().decode(Sound.self, from: result.output)
        let audio = try #require(told.audio.first)
        #expect(told.duration == 2 && audio.codec == "pcm_alaw" && audio.channels == 1 && audio.sampleRate == 8000)
    }

    @Test(arguments: ["mp4", "mkv"]) func `subtitles, time codes and covers are listed`(ending: String) async throws {
        let (cues, cover, file) = (folder.file("cues.srt"), folder.file("cover.png"), folder.file("in.\(ending)"))
        try "1\n00:00:00,100 --> 00:00:00,800\nOne\n\n".write(toFile: cues, atomically: true, encoding: .utf8)
        let frames = ["-f", "lavfi", "-i", "testsrc2=size=96x64:rate=25:duration=1"]
        _ = try await Tool.succeed("ffmpeg", ["-nostdin", "-v", "error"] + frames + ["-frames:v", "1", cover])
        let isMovie = ending == "mp4"
        _ = try await Tool.succeed(
            "ffmpeg",
            ["-nostdin", "-v", "error"] + frames + ["-i", cues] + (isMovie ? ["-i", cover] : []) + [
                "-map", "0:v", "-map", "1:s", "-c:v:0", "libx264", "-preset", "ultrafast", "-pix_fmt", "yuv420p",
                "-c:s",
                isMovie ? "mov_text" : "srt", "-metadata:s:s:0", "language=ger",
            ]
                + (isMovie
                    ? ["-map", "2:v", "-c:v:1", "copy", "-disposition:v:1", "attached_pic", "-timecode", "01:02:03:04"]
                    : ["-attach", cover, "-metadata:s:t:0", "mimetype=image/png"]) + [file])
        let info = try await info(file)
        #expect(info.video.count == 1 && info.covers == ["png"])
        let subtitle = try #require(info.subtitles?.first)
        #expect(subtitle.codec == (isMovie ? "mov_text" : "subrip") && subtitle.language == "de")
        // An MP4 has samples without text between those with one.
        #expect(isMovie ? subtitle.sampleCount > 0 : subtitle.sampleCount == 1)
        // ffmpeg numbers the frames of the cover too.
        #expect(Set((info.data ?? []).map(\.codec)) == (isMovie ? ["tmcd"] : []))
        let text = try await BuiltCommand.rushes.run(["info", file]).text
        #expect(text.contains("subtitle ") && text.contains("cover    png"), "\(text)")
    }

    @Test func `the light of HDR10 is told, and kept by copies`() async throws {
        let file = folder.file("in.mp4")
        _ = try await Tool.succeed(
            "ffmpeg",
            [
                "-nostdin", "-v", "error", "-f", "lavfi", "-i", "testsrc2=size=96x64:rate=25:duration=0.5", "-pix_fmt",
                "yuv420p10le", "-c:v", "libx265", "-preset", "ultrafast", "-x265-params",
                "log-level=none:pools=1", "-color_primaries", "bt2020", "-color_trc", "smpte2084",
                "-colorspace", "bt2020nc", "-tag:v", "hvc1", file,
            ])
        try LightBoxes.add(to: file)
        for copy in ["in.mp4", "copy.mov", "copy.mkv", "back.mp4"] {
            if copy != "in.mp4" {
                let source = copy == "back.mp4" ? folder.file("copy.mkv") : file
                let arguments = ["transcode", source, "--output", folder.file(copy), "--preset", "copy"]
                let result = try await BuiltCommand.rushes.run(arguments + ["--progress", "none"])
                #expect(result.status == 0, "\(result)")
            }
            let video = try #require(try await info(folder.file(copy)).video.first)
            let display = try #require(video.masteringDisplay, "\(copy)")
            #expect(abs(display.red.x - 0.68) < 0.0001 && abs(display.red.y - 0.32) < 0.0001, "\(copy)")
            #expect(display.maximumLuminance == 1000 && abs(display.minimumLuminance - 0.005) < 1e-6, "\(copy)")
            #expect(video.contentLight?.maximum == 1000 && video.contentLight?.average == 400, "\(copy)")
        }
        let text = try await BuiltCommand.rushes.run(["info", file]).text
        #expect(text.contains("mastered on 0.005 to 1000 cd/m², MaxCLL 1000, MaxFALL 400"), "\(text)")
    }

    @Test(
        arguments: [
            ("libx265", "mp4"), ("libx265", "mkv"), ("libx265", "ts"), ("libsvtav1", "mp4"), ("libsvtav1", "mkv"),
        ])
    func `the light of HDR10 is told where only the frames tell it`(encoder: String, ending: String) async throws {
        let file = folder.file("in.\(ending)")
        let light =
            encoder == "libx265"
            ? [
                "-x265-params",
                "log-level=none:master-display=G(13250,34500)B(7500,3000)R(34000,16000)WP(15635,16450)L(40000000,50)"
                    + ":max-cll=1600,400",
            ]
            : [
                "-preset", "10", "-svtav1-params",
                "mastering-display=G(0.265,0.69)B(0.15,0.06)R(0.68,0.32)WP(0.3127,0.329)L(4000,0.005):content-light=1600,400",
            ]
        _ = try await Tool.succeed(
            "ffmpeg",
            ["-nostdin", "-v", "error", "-f", "lavfi", "-i", "testsrc2=size=128x96:rate=25", "-frames:v", "6"]
                + ["-pix_fmt", "yuv420p10le", "-c:v", encoder] + light + [file])
        // Of the stream and not of its frames: the container says nothing.
        let told = try await Tool.succeed("ffprobe", ["-v", "error", "-show_streams", file]).text
        #expect(!told.contains("Mastering"), "\(told)")
        let video = try #require(try await info(file).video.first)
        let display = try #require(video.masteringDisplay)
        #expect(abs(display.red.x - 0.68) < 0.0001 && abs(display.red.y - 0.32) < 0.0001)
        #expect(display.maximumLuminance == 4000 && abs(display.minimumLuminance - 0.005) < 1e-4)
        #expect(video.contentLight?.maximum == 1600 && video.contentLight?.average == 400)
    }
}

/// Puts HDR10's boxes behind the only sample description of an MP4 whose index is its last box.
private enum LightBoxes {
    static func add(to path: String) throws {
        var bytes = [UInt8](try Data(contentsOf: URL(filePath: path)))
        func number(_ value: Int, _ count: Int) -> [UInt8] {
            (0..<count).reversed().map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
        }
        let places = [13_250, 34_500, 7500, 3000, 34_000, 16_000, 15_635, 16_450].flatMap { number($0, 2) }
        let boxes =
            number(32, 4) + Array("mdcv".utf8) + places + number(10_000_000, 4) + number(50, 4)
            + number(12, 4) + Array("clli".utf8) + number(1000, 2) + number(400, 2)
        func size(_ start: Int) -> Int { bytes[start..<start + 4].reduce(0) { $0 << 8 | Int($1) } }
        var start = 0
        var (opened, end) = ([Int](), bytes.count)
        // Where each box's children begin.
        for (type, skipped) in [
            ("moov", 8), ("trak", 8), ("mdia", 8), ("minf", 8), ("stbl", 8), ("stsd", 16), ("hvc1", 86),
        ] {
            while !bytes[start + 4..<start + 8].elementsEqual(type.utf8) {
                start += size(start)
                guard start + 8 <= end else { throw CocoaError(.fileReadCorruptFile) }
            }
            opened.append(start)
            end = start + size(start)
            start += skipped
        }
        for place in opened { bytes.replaceSubrange(place..<place + 4, with: number(size(place) + boxes.count, 4)) }
        bytes.insert(contentsOf: boxes, at: end)
        try Data(bytes).write(to: URL(filePath: path))
    }
}
