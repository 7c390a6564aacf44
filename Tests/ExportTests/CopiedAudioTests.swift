import Encoding
import Errors
import Export
import Foundation
import MediaTypes
import SystemPackage
import TestSupport
import Testing

/// Audio that goes into another container as it is, beside frames that are encoded; judged by ffprobe.
@Suite(.timeLimit(.minutes(5)), .requires(tool: "ffmpeg", package: "ffmpeg")) struct CopiedAudioTests {
    /// In samples of 44,100 a second: the second packet has more before the movie's beginning than behind it, or less.
    @Test(arguments: [1600, 1100])
    func `in Matroska stays with its frames, whatever its decoder is primed with`(_ priming: Int) async throws {
        let folder = try TemporaryFolder()
        _ = try await Tool.succeed(
            "ffmpeg",
            ["-nostdin", "-v", "error", "-f", "lavfi", "-i", "testsrc2=size=128x96:rate=25:duration=1"]
                + ["-f", "lavfi", "-i", "sine=sample_rate=44100:duration=1", "-pix_fmt", "yuv420p", "-c:v", "libx264"]
                + ["-c:a", "aac", folder.file("made.mp4")])
        var movie = try Data(contentsOf: URL(filePath: folder.file("made.mp4")))
        // The audio's is the second edit list; behind its name, version and flags, count and length stands where its media begins.
        let first = try #require(movie.range(of: Data("elst".utf8)))
        let second = try #require(movie.range(of: Data("elst".utf8), in: first.upperBound..<movie.endIndex))
        let place = second.upperBound + 12
        #expect(movie[place..<place + 4].elementsEqual([0, 0, 4, 0]))
        withUnsafeBytes(of: UInt32(priming).bigEndian) { movie.replaceSubrange(place..<place + 4, with: $0) }
        try movie.write(to: URL(filePath: folder.file("in.mp4")))
        _ = try await ExportSession(
            input: FilePath(folder.file("in.mp4")), settings: ExportSettings(preset: "hevc")
        ).export(to: MovieDestination(FilePath(folder.file("out.mkv"))))
        let streams = try await FFProbe.inspect(folder.file("out.mkv"))
        let video = try #require(streams.video.first?.startTime?.value)
        let audio = try #require(streams.audio.first?.startTime?.value)
        // The second packet, of 1024 samples, is the first that is presented in part.
        let early = Double(priming - 1024) / 44_100
        #expect(abs(video - audio - early) < 0.002, "\(video) \(audio)")
    }

    @Test(arguments: [2, 3.7, 2.02, 0.01])
    func `FLAC is copied to the sample, whose last block is shorter`(_ seconds: Double) async throws {
        let folder = try TemporaryFolder()
        let (input, output) = (folder.file("in.flac"), folder.file("out.flac"))
        _ = try await Tool.succeed(
            "ffmpeg",
            ["-nostdin", "-v", "error", "-f", "lavfi", "-i", "sine=sample_rate=44100:duration=\(seconds)", input])
        let result = try await ExportSession(input: FilePath(input), settings: ExportSettings(preset: "copy"))
            .export(to: MovieDestination(FilePath(output)))
        #expect(abs(result.duration.seconds - seconds) < 0.001)
        var samples: [Data] = []
        for path in [input, output] {
            #expect(abs((try await FFProbe.inspect(path).audio.first?.duration?.value ?? 0) - seconds) < 0.0001)
            samples.append(
                try await Tool.succeed("ffmpeg", ["-nostdin", "-v", "error", "-i", path, "-f", "s16le", "-"]).output)
        }
        #expect(samples[0] == samples[1] && !samples[0].isEmpty)
    }

    /// As mkvmerge writes them, of which the demuxer gives the first one's time alone.
    @Test(arguments: ["libopus", "libvorbis"])
    func `packets that share a block of Matroska are copied with their times`(encoder: String) async throws {
        let folder = try TemporaryFolder()
        let (input, output) = (folder.file("in.mka"), folder.file("out.mka"))
        try await Fixtures.make(
            folder.file("made.mka"), "ffmpeg",
            ["-nostdin", "-v", "error", "-f", "lavfi", "-i", "sine=sample_rate=48000:duration=1", "-c:a", encoder])
        let made = try Data(contentsOf: URL(filePath: folder.file("made.mka")))
        try Data(LacedBlocks.applied(to: Array(made), count: 8)).write(to: URL(filePath: input))
        let result = try await ExportSession(input: FilePath(input), settings: ExportSettings(preset: "copy"))
            .export(to: MovieDestination(FilePath(output)))
        #expect(abs(result.duration.seconds - 1) < 0.05, "\(result.duration)")
        func times(_ path: String) async throws -> [Double] {
            try await FFProbe.packets("a", of: path).compactMap { $0.ptsTime?.value }
        }
        let (wanted, copied) = (try await times(folder.file("made.mka")), try await times(output))
        #expect(wanted.count > 20 && copied.count == wanted.count)
        #expect(zip(wanted, copied).allSatisfy { abs($0 - $1) < 0.005 }, "\(copied)")
    }

    /// Where the container's demuxer hands on a description that no decoder understands.
    @Test(arguments: [("avi", "mpeg4", 6), ("avi", "mpeg4", 8), ("wmv", "wmv2", 6)])
    func `AAC of many channels in AVI and Windows Media is decoded, and copied`(
        ending: String, codec: String, channels: Int
    ) async throws {
        let movie = try await MadeMovie("in.\(ending)", "-c:v \(codec) -ac \(channels) -c:a aac", seconds: 1)
        let result = try await movie.export(ExportSettings(preset: "h264"), to: "out.mp4")
        #expect(result.frames == 25)
        let audio = try await FFmpeg.audio(of: movie.folder.file("out.mp4"), rate: 48_000)
        let length = Double(audio.count) / 48_000
        #expect(abs(length - 1) < 0.1, "\(audio.count)")
        #expect(audio.contains { abs($0) > 0.02 })
        let wanted = try await FFmpeg.audio(of: movie.path, rate: 48_000)
        for (choice, name) in [(ExportSettings.AudioHandling.preset, "copied.mkv"), (.codec(.flac), "flac.mkv")] {
            var settings = ExportSettings(preset: "copy")
            settings.audio = choice
            #expect(try await movie.export(settings, to: name).frames == 25)
            let copied = try await FFmpeg.audio(of: movie.folder.file(name), rate: 48_000)
            #expect(abs(copied.count - wanted.count) <= 2048 && copied.contains { abs($0) > 0.02 }, "\(copied.count)")
        }
    }

    @Test(arguments: ["mp4", "mkv"]) func `AAC of eight channels is copied from a transport stream`(ending: String)
        async throws
    {
        let movie = try await MadeMovie("in.ts", "-c:v libx264 -preset ultrafast -ac 8 -c:a aac", seconds: 1)
        _ = try await movie.export(ExportSettings(preset: "copy"), to: "out.\(ending)")
        let told = try #require(try await FFProbe.inspect(movie.folder.file("out.\(ending)")).audio.first)
        #expect(told.channels == 8 && told.channelLayout == "7.1", "\(told)")
        let audio = try await FFmpeg.audio(of: movie.folder.file("out.\(ending)"), rate: 48_000)
        #expect(abs(Double(audio.count) / 48_000 - 1) < 0.1 && audio.contains { abs($0) > 0.02 }, "\(audio.count)")
    }

    @Test(arguments: ["libopus", "flac"])
    func `a copy that QuickTime holds no audio of is refused, with the cure, as that of Matroska is`(codec: String)
        async throws
    {
        let movie = try await MadeMovie(
            "in.mp4", "-c:v libx264 -preset ultrafast -c:a \(codec) -strict -2", seconds: 1)
        let error = await #expect(throws: RushesError.self) {
            try await movie.export(ExportSettings(preset: "copy"), to: "out.mov")
        }
        let name = codec == "flac" ? "FLAC" : "Opus"
        #expect(error?.code == .invalidSettings)
        #expect(
            error?.description.hasPrefix("QuickTime cannot hold the audio as it is (\(name)); use ") == true,
            "\(error as Any)")
        #expect(!FileManager.default.fileExists(atPath: movie.folder.file("out.mov")))
        // What was asked to be left out is.
        var settings = ExportSettings(preset: "copy")
        settings.audio = .codec(.none)
        #expect(try await movie.export(settings, to: "mute.mov").frames == 25)
        settings.audio = .codec(.aac)
        _ = try await movie.export(settings, to: "aac.mov")
        #expect(try await FFProbe.inspect(movie.folder.file("aac.mov")).audio.map(\.codecName) == ["aac"])
    }

    @Test func `Opus that begins within its stream says what its decoders leave out`() async throws {
        let movie = try await MadeMovie(
            "in.webm", "-c:v libvpx-vp9 -deadline realtime -cpu-used 8 -g 25 -c:a libopus", seconds: 4)
        for (start, isTold) in [(MediaTime.zero, false), (2 * .second, true)] {
            var settings = ExportSettings(preset: "copy")
            settings.range = TimeRange(start: start, end: start + .second)
            let result = try await movie.export(settings, to: "from\(start.nanoseconds).webm")
            #expect(result.notes.contains { $0.contains("Copied Opus lacks") } == isTold, "\(result.notes)")
        }
    }

    @Test func `PCM that QuickTime does not take is refused with what it takes`() async throws {
        let folder = try TemporaryFolder()
        _ = try await Tool.succeed(
            "ffmpeg",
            [
                "-nostdin", "-v", "error", "-f", "lavfi", "-i", "sine=duration=1", "-c:a", "pcm_f64le",
                folder.file("in.mka"),
            ])
        func export(_ audio: ExportSettings.AudioHandling?, to name: String) async throws {
            var settings = ExportSettings(preset: "copy")
            if let audio { settings.audio = audio }
            _ = try await ExportSession(input: FilePath(folder.file("in.mka")), settings: settings)
                .export(to: MovieDestination(FilePath(folder.file(name))))
        }
        for (name, codec) in [("out.mov", AudioCodec.pcm), ("out.mp4", .aac)] {
            let error = await #expect(throws: RushesError.self) { try await export(nil, to: name) }
            #expect(error?.description.contains("\(codec.rawValue), or choose another ending") == true, "\(name)")
            try await export(.codec(codec), to: name)
            #expect(abs((try await FFProbe.inspect(folder.file(name)).audio.first?.duration?.value ?? 0) - 1) < 0.05)
        }
    }
}
