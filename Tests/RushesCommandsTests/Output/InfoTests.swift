import Foundation
import TestSupport
import Testing

/// What `rushes info` tells of all kinds of files, compared with what ffprobe tells.
@Suite(.timeLimit(.minutes(25)), .turn, .requires(tool: "ffmpeg", package: "ffmpeg")) struct InfoTests {
    /// As its JSON has it.
    struct Info: Decodable {
        struct Video: Decodable {
            var codec: String
            var width: Int
            var height: Int
            var frameRate: Double?
            var frameCount: Int
            var duration: Double
        }
        struct Audio: Decodable {
            var codec: String
            var channels: Int
            var sampleRate: Int
            var duration: Double
        }
        var container: String
        var duration: Double
        var creationDate: String?
        var video: [Video]
        var audio: [Audio]

        static func read(_ file: String) async throws -> Info {
            let result = try await BuiltCommand.rushes.run(["info", "--json", file])
            guard result.status == 0 else { throw ToolError.unexpectedOutput(result, "rushes info") }
            return try JSONDecoder().decode(Info.self, from: result.output)
        }
    }

    static let h264 = "-c:v libx264 -preset ultrafast -bf 2 -g 12 -pix_fmt yuv420p"
    static let kinds: [(name: String, options: String)] = [
        ("h264-aac.ts", "\(h264) -c:a aac"), ("latm.ts", "-c:v mpeg2video -c:a aac -mpegts_flags latm"),
        ("mpeg2-mp2.ts", "-c:v mpeg2video -c:a mp2"),
        ("image.gif", "-an -r 10"), ("mpeg2-ac3.mpg", "-c:v mpeg2video -c:a ac3 -f vob"),
        ("h264-aac.flv", "\(h264) -c:a aac"), ("sorenson.flv", "-c:v flv -c:a libmp3lame -ar 44100"),
        ("h264-aac.mkv", "\(h264) -c:a aac"), ("vp8-vorbis.webm", "-c:v libvpx -deadline realtime -c:a libvorbis"),
        ("ffv1-pcm.mkv", "-c:v ffv1 -c:a pcm_s16le"), ("mpeg4-dts.mkv", "-c:v mpeg4 -c:a dca -strict -2 -ac 6"),
        ("prores-flac.mkv", "-c:v prores_ks -c:a flac"), ("mpeg4-mp3.avi", "-c:v mpeg4 -c:a libmp3lame"),
        ("raw.dv", "-s 720x576 -r 25 -frames:v 25 -c:v dvvideo -c:a pcm_s16le -ac 2 -f dv"),
        ("wmv2-wma.wmv", "-c:v wmv2 -c:a wmav2"), ("theora.ogv", "-c:v libtheora -c:a libvorbis"),
        ("dts.mp4", "\(h264) -c:a dca -strict -2 -ac 6"), ("mp3-mono.mp4", "\(h264) -c:a libmp3lame -ac 1"),
        ("png-ima.mov", "-c:v png -c:a adpcm_ima_qt"), ("audio.flac", "-vn -c:a flac"),
        ("audio.wav", "-vn -c:a pcm_s24le"), ("audio.mp3", "-vn -c:a libmp3lame"),
        ("audio.caf", "-vn -c:a pcm_s16be"), ("truehd.mp4", "\(h264) -ac 6 -c:a truehd -strict -2"),
        ("listed-channels.mp4", "\(h264) -af aformat=channel_layouts=hexagonal -c:a aac"),
        ("avrp.mov", "-c:v avrp -c:a pcm_s16le"), ("r10k.mov", "-c:v r10k -c:a pcm_s16le"),
    ]

    private func make(_ name: String, _ options: String, in folder: TemporaryFolder) async throws -> String {
        let file = folder.file(name)
        _ = try await Tool.succeed(
            "ffmpeg",
            [
                "-nostdin", "-v", "error", "-f", "lavfi", "-i", "testsrc2=size=96x64:rate=30:duration=1", "-f", "lavfi",
                "-i", "sine=sample_rate=48000:duration=1", "-threads", "1",
            ] + Tool.words(options) + [file])
        return file
    }

    @Test(arguments: Cases.taken(of: kinds, most: 9)) func `a file is told as ffprobe tells it`(
        name: String, options: String
    ) async throws {
        let folder = try TemporaryFolder()
        let file = try await make(name, options, in: folder)
        let (info, report) = (try await Info.read(file), try await FFProbe.inspect(file))
        #expect(info.container == name.split(separator: ".").last.map(String.init))
        #expect(info.video.map(\.codec) == report.video.compactMap(\.codecName))
        #expect(info.audio.map(\.codec) == report.audio.compactMap(\.codecName))
        #expect(info.audio.map(\.channels) == report.audio.compactMap(\.channels))
        #expect(info.audio.map(\.sampleRate) == report.audio.compactMap { $0.sampleRate.map { Int($0.value) } })
        let duration = report.format.duration?.value ?? 0
        #expect(abs(info.duration - duration) < 0.08, "\(info.duration), not \(duration)")
        guard let video = info.video.first, let stream = report.video.first else { return }
        #expect(video.width == stream.width && video.height == stream.height)
        #expect(video.frameCount == (try await FFProbe.packets("v:0", of: file)).count)
        #expect(abs((video.frameRate ?? 0) - (stream.frameRate ?? 0)) < 0.02, "\(video), \(stream)")
        #expect(abs(video.duration - duration) < 0.15, "\(video), \(duration)")
    }

    @Test func `what cannot be decoded here is told by its head`() async throws {
        let folder = try TemporaryFolder()
        let whole = try await make("in.flac", "-vn -c:a flac", in: folder)
        let bytes = try Data(contentsOf: URL(filePath: whole))
        let frame = try #require(bytes.range(of: Data([0xFF, 0xF8]))).lowerBound
        try bytes.prefix(frame + 20).write(to: URL(filePath: folder.file("head.flac")))
        let audio = try #require(try await Info.read(folder.file("head.flac")).audio.first)
        #expect(audio.codec == "flac" && audio.sampleRate == 48_000, "\(audio)")
    }

    @Test func `a camera's clock that was never set dates no DV`() async throws {
        let folder = try TemporaryFolder()
        let options = "-s 720x576 -r 25 -frames:v 25 -c:v dvvideo -c:a pcm_s16le -ac 2 -f dv"
        #expect(try await Info.read(make("raw.dv", options, in: folder)).creationDate == nil)
    }

    @Test func `a still WebP is one frame of its size, whichever way it is coded`() async throws {
        let folder = try TemporaryFolder()
        for (name, format) in [("lossy", "yuv420p"), ("lossless", "bgra"), ("alpha", "yuva420p")] {
            let file = folder.file("\(name).webp")
            _ = try await Tool.succeed(
                "ffmpeg",
                [
                    "-nostdin", "-v", "error", "-f", "lavfi", "-i", "color=red@0.5:s=90x62,format=\(format)",
                    "-frames:v", "1",
                    "-c:v", "libwebp", file,
                ])
            let video = try await Info.read(file).video
            #expect(video.map { [$0.width, $0.height, $0.frameCount] } == [[90, 62, 1]], "\(name): \(video)")
        }
    }

    @Test(arguments: ["amr", "3gp"]) func `AMR is mono, whatever its description says`(ending: String) async throws {
        let folder = try TemporaryFolder()
        let file = folder.file("voice.\(ending)")
        try Self.writeAMR(to: folder.file("voice.amr"))
        if ending == "3gp" {
            _ = try await Tool.succeed(
                "ffmpeg", ["-nostdin", "-v", "error", "-i", folder.file("voice.amr"), "-c", "copy", file])
        }
        let audio = try #require(try await Info.read(file).audio.first)
        #expect(audio.codec == "amr_nb" && audio.channels == 1 && audio.sampleRate == 8000, "\(audio)")
        #expect(abs(audio.duration - 1) < 0.05)
    }

    /// A second of silence at 12.2 kbit/s: 50 frames of a type and 31 bytes (RFC 4867 section 5).
    private static func writeAMR(to path: String) throws {
        let frame: [UInt8] = [0x3C] + [UInt8](repeating: 0, count: 31)
        let bytes = Array("#!AMR\n".utf8) + [[UInt8]](repeating: frame, count: 50).flatMap(\.self)
        try Data(bytes).write(to: URL(filePath: path))
    }
}
