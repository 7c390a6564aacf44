import Encoding
import Errors
import Foundation
import MediaTypes
import SystemPackage
import TestSupport
import Testing

@testable import Export

/// Exports through libavfilter, beside ffmpeg's `-vf` and `-af`.
@Suite(.timeLimit(.minutes(10)), .requires(tool: "ffmpeg", package: "ffmpeg")) struct FilterTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// Four seconds of moving colors and a tone.
    private func movie(_ name: String, _ options: String = "-c:v libx264 -qp 4 -c:a aac") async throws -> String {
        let path = folder.file(name)
        _ = try await Tool.succeed(
            "ffmpeg",
            ["-nostdin", "-v", "error", "-f", "lavfi", "-i", "testsrc2=size=160x96:rate=25,gblur=sigma=2"]
                + ["-f", "lavfi", "-i", "sine=frequency=441:sample_rate=44100", "-t", "4"] + Tool.words(options)
                + [path])
        return path
    }

    private func settings(_ video: String?, _ audio: String? = nil, preset: String = "h264") -> ExportSettings {
        var settings = ExportSettings(preset: preset)
        (settings.videoFilter, settings.audioFilter) = (video, audio)
        if preset != "prores-4444", video != nil { settings.rateControl = .quality(95) }
        return settings
    }

    private func export(_ input: String, _ settings: ExportSettings, to name: String = "out.mov") async throws -> (
        result: ExportResult, path: String
    ) {
        let path = folder.file(name)
        let session = ExportSession(input: FilePath(input), settings: settings)
        return (try await session.export(to: MovieDestination(FilePath(path))), path)
    }

    /// What ffmpeg makes of the frames, without loss.
    private func reference(_ input: String, _ filter: String, _ before: [String] = []) async throws -> String {
        let path = folder.file("wanted.mkv")
        let output = ["-an", "-c:v", "ffv1", "-y", path]
        _ = try await Tool.succeed(
            "ffmpeg", ["-nostdin", "-v", "error"] + before + ["-i", input, "-vf", filter] + output)
        return path
    }

    @Test func `a filter that measures at a rate of its own does not change that of the audio`() async throws {
        let folder = try TemporaryFolder()
        _ = try await Tool.succeed(
            "ffmpeg",
            [
                "-nostdin", "-v", "error", "-f", "lavfi", "-i", "sine=duration=4:sample_rate=48000",
                folder.file("in.wav"),
            ])
        for (filter, rate) in [("loudnorm", 48000), ("loudnorm,aresample=32000", 32000)] {
            var settings = ExportSettings(preset: "h264")
            settings.audioFilter = filter
            let output = MovieDestination(FilePath(folder.file("out.wav")), replacesExisting: true)
            _ = try await ExportSession(input: FilePath(folder.file("in.wav")), settings: settings).export(to: output)
            let report = try await FFProbe.inspect(folder.file("out.wav"))
            #expect(report.streams.first?.sampleRate?.value == Double(rate))
            #expect(abs((report.format.duration?.value ?? 0) - 4) < 0.05)
        }
    }

    @Test(arguments: [
        ("in.mp4", "-c:v libx264 -qp 4 -c:a aac", "hqdn3d=8,unsharp,hflip,vflip", 100),
        ("in.mkv", "-pix_fmt yuv420p10le -c:v libx264 -qp 4 -c:a aac", "scale=80:48,fps=10", 40),
        // Several inputs, labels, and what is known only of a frame.
        (
            "in.mov", "-c:v libx264 -qp 4 -c:a aac", "[in]split[a][b];[b]negate,crop=40:40[c];[a][c]overlay=8:8[out]",
            100
        ),
        // Frames of other sizes would be refused by it.
        ("in.mov", "-vf scale=2560:1536 -t 0.2 -c:v libx264 -qp 4 -preset ultrafast", "crop=2400:1400,scale=120:70", 5),
        ("in.mov", "-c:v libx264 -qp 4 -metadata:s:v rotate=90", "drawbox=0:0:40:20:red:fill,crop=64:96:0:0", 100),
    ]) func `frames are those of ffmpeg's filters`(
        name: String, options: String, filter: String, frames: Int
    ) async throws {
        let input = try await movie(name, options)
        let (result, path) = try await export(input, settings(filter))
        #expect(result.notes.count { $0.contains("missing") || $0.contains("ends") } == 0, "\(result.notes)")
        let wanted = try await reference(input, filter)
        let (own, other) = (try await FFProbe.inspect(path), try await FFProbe.inspect(wanted))
        #expect(own.video.first?.nbFrames?.value == Double(frames))
        #expect(own.video.first?.width == other.video.first?.width)
        #expect(own.video.first?.height == other.video.first?.height)
        // Turned upright before.
        #expect(own.video.first?.displayMatrixRotation == nil)
        #expect(try await FFmpeg.psnr(of: path, reference: wanted) > 40)
    }

    @Test func `times count from the beginning of the part`() async throws {
        let input = try await movie("in.mp4", "-c:v libx264 -qp 4 -g 10 -an")
        var settings = settings("fade=in:st=0:d=1")
        settings.range = TimeRange(start: 2 * .second)
        let (_, path) = try await export(input, settings)
        let wanted = try await reference(input, "fade=in:st=0:d=1", ["-ss", "2"])
        #expect(try await FFmpeg.psnr(of: path, reference: wanted) > 40)
    }

    @Test func `what changes the length changes the movie's`() async throws {
        let chapters = folder.file("chapters")
        try Data(";FFMETADATA1\n[CHAPTER]\nTIMEBASE=1/1\nSTART=1\nEND=4\ntitle=One\n".utf8)
            .write(to: URL(filePath: chapters))
        let (plain, input) = (try await movie("plain.mp4"), folder.file("in.mp4"))
        _ = try await Tool.succeed(
            "ffmpeg", ["-v", "error", "-i", plain, "-i", chapters, "-map_metadata", "1", "-c", "copy", input])
        let (result, path) = try await export(input, settings("setpts=PTS/2", "atempo=2"))
        #expect(result.notes.count { $0.contains("missing") || $0.contains("ends") } == 0, "\(result.notes)")
        #expect(result.notes.contains { $0.contains("chapters and subtitles keep their times") })
        let report = try await FFProbe.inspect(path)
        #expect(report.video.first?.nbFrames?.value == 100)
        for stream in report.streams { #expect(abs((stream.duration?.value ?? 0) - 2) < 0.05) }
    }

    @Test func `colors that change are tagged`() async throws {
        let input = try await movie("in.mp4", "-c:v libx264 -qp 4 -colorspace smpte170m -an")
        let filter =
            "scale=out_color_matrix=bt709,setparams=colorspace=bt709:color_primaries=bt709:color_trc=bt709"
        let (_, path) = try await export(input, settings(filter))
        let video = try #require(try await FFProbe.inspect(path).video.first)
        #expect([video.colorSpace, video.colorPrimaries, video.colorTransfer] == ["bt709", "bt709", "bt709"])
        #expect(try await FFmpeg.psnr(of: path, reference: try await reference(input, filter)) > 38)
    }

    @Test func `how opaque frames are is filtered too`() async throws {
        let input = try await movie("in.mov", "-vf format=yuva444p10le,geq=lum='lum(X,Y)':a='X*6' -c:v prores_ks -an")
        let (_, path) = try await export(input, settings("hflip", preset: "prores-4444"))
        let planes = [(input, "hflip,alphaextract,format=gray"), (path, "alphaextract,format=gray")]
        var frames: [[UInt8]] = []
        for (file, filter) in planes {
            let decoded = try await Tool.succeed(
                "ffmpeg",
                ["-nostdin", "-v", "error", "-i", file, "-vf", filter, "-frames:v", "1", "-f", "rawvideo", "-"])
            frames.append([UInt8](decoded.output))
        }
        #expect(frames[0].count == 160 * 96 && frames[0].first.map { $0 > 150 } == true)
        #expect(Pixels.squaredError(frames[0], frames[1]) < 4)
    }

    @Test func `audio is that of ffmpeg's filters`() async throws {
        let input = try await movie("in.mkv", "-vn -c:a flac")
        var settings = settings(nil, "adelay=500:all=1,volume=-6dB,pan=stereo|c0=c0|c1=0*c0")
        settings.audio = .codec(.flac)
        let (_, path) = try await export(input, settings, to: "out.flac")
        let wanted = folder.file("wanted.flac")
        _ = try await Tool.succeed(
            "ffmpeg", ["-nostdin", "-v", "error", "-i", input, "-af", settings.audioFilter ?? "", wanted])
        let (own, other) = (
            try await FFmpeg.audio(of: path, rate: 44100), try await FFmpeg.audio(of: wanted, rate: 44100)
        )
        #expect(own.count == other.count && own.count > 150_000)
        #expect(zip(own, other).allSatisfy { abs($0 - $1) < 0.0002 })
    }

    @Test(
        arguments: [
            ("hqdn3", nil, "video filter “hqdn3” is refused by libavfilter: No such filter: 'hqdn3'."),
            ("scale=a:b", nil, "refused by libavfilter"), ("[in]split", nil, "refused by libavfilter"),
            ("crop=2000:2000", nil, "refused by libavfilter: Invalid too big"),
            (nil, "volume=loud", "audio filter “volume=loud” is refused by libavfilter"),
            ("select=0", nil, "No frame comes out of the video filter"),
        ] as [(String?, String?, String)])
    func `what cannot work is refused, and the old file stays`(
        video: String?, audio: String?, words: String
    ) async throws {
        let input = try await movie("in.mp4")
        try Data("old".utf8).write(to: URL(filePath: folder.file("out.mov")))
        let error = await #expect(throws: RushesError.self) {
            let session = ExportSession(input: FilePath(input), settings: settings(video, audio))
            _ = try await session.export(
                to: MovieDestination(FilePath(folder.file("out.mov")), replacesExisting: true))
        }
        #expect(error?.description.contains(words) == true, "\(String(describing: error))")
        #expect(try Data(contentsOf: URL(filePath: folder.file("out.mov"))) == Data("old".utf8))
    }

    @Test func `what filters would change the meaning of is refused with them`() async throws {
        let input = try await movie("in.mp4")
        var (cropped, loud, copied) = (settings("hflip"), settings(nil, "volume=2"), ExportSettings(preset: "copy"))
        cropped.crop = CropArea(x: 0, y: 0, size: VideoSize(64, 64))
        loud.loudness = -16
        copied.videoFilter = "hflip"
        for settings in [cropped, loud, copied] {
            await #expect(throws: RushesError.self) { try await export(input, settings) }
        }
        #expect(!FileManager.default.fileExists(atPath: folder.file("out.mov")))
    }
}
