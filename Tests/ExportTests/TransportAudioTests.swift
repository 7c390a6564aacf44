import Encoding
import Export
import Foundation
import MediaTypes
import SystemPackage
import TestSupport
import Testing

/// Audio of transport streams that GStreamer's demuxer and parsers do not hand on as it is: all of it is there, at its time.
@Suite(.timeLimit(.minutes(5)), .requires(tool: "ffmpeg", package: "ffmpeg")) struct TransportAudioTests {
    /// A movie whose audio has a click each half second, from its first frame on.
    private func clicks(_ codec: String) async throws -> (folder: TemporaryFolder, path: String) {
        let folder = try TemporaryFolder()
        let path = folder.file("in.ts")
        let clicks = "aevalsrc='if(lt(mod(t,0.5),0.02),0.8*sin(2*PI*1000*t),0)':s=48000:d=2"
        var arguments = ["-nostdin", "-v", "error", "-f", "lavfi", "-i", "testsrc=size=160x120:rate=25:duration=2"]
        arguments += ["-f", "lavfi", "-i", clicks, "-c:v", "libx264", "-preset", "ultrafast", "-pix_fmt", "yuv420p"]
        arguments += Tool.words(codec)
        _ = try await Tool.succeed("ffmpeg", arguments + [path])
        return (folder, path)
    }

    /// When clicks begin, in seconds from the first frame on, as ffmpeg decodes and places them.
    private func times(of path: String) async throws -> [Double] {
        let start = try await Tool.succeed(
            "ffprobe",
            ["-v", "error", "-select_streams", "v", "-show_entries", "frame=pts_time", "-read_intervals", "%+#1"]
                + ["-of", "csv=p=0", path]
        ).text
        let first = try #require(Double(start.prefix { $0.isNumber || $0 == "." || $0 == "-" }))
        // Silence in front of audio that begins late, so that the samples count from the file's own zero.
        let result = try await Tool.succeed(
            "ffmpeg",
            ["-nostdin", "-v", "error", "-copyts", "-i", path, "-map", "0:a"]
                + ["-af", "aresample=async=1:first_pts=0", "-ac", "1", "-ar", "48000", "-f", "f32le", "-"])
        let samples = result.output.withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
        var (clicks, last) = ([Double](), -1.0)
        for (index, sample) in samples.enumerated() where abs(sample) > 0.3 {
            let time = Double(index) / 48_000
            if time - last > 0.2 { clicks.append(time - first) }
            last = time
        }
        return clicks
    }

    @Test(arguments: ["libopus", "libopus -frame_duration 60", "aac"])
    func `audio of a transport stream is where it was beside the frames`(codec: String) async throws {
        let (folder, input) = try await clicks("-c:a \(codec)")
        let wanted = try await times(of: input)
        #expect(wanted.count == 4 && abs(wanted[1] - 0.5) < 0.002, "\(wanted)")
        var pcm = MadeMovie.settings()
        pcm.audio = .codec(.pcm)
        for (name, settings) in [
            ("encoded.mov", pcm), ("copied.mkv", ExportSettings(preset: "copy")),
        ] {
            let output = folder.file(name)
            let result = try await ExportSession(input: FilePath(input), settings: settings)
                .export(to: MovieDestination(FilePath(output)))
            let times = try await times(of: output)
            #expect(times.count == 4, "\(name): \(times) \(result.notes)")
            for (time, wanted) in zip(times, wanted) {
                #expect(abs(time - wanted) < 0.002, "\(name): \(times), not \(wanted)")
            }
        }
    }

    @Test(arguments: [0.25, 3])
    func `AAC in LATM is decoded from its first packet to its last`(seconds: Double) async throws {
        let movie = try await MadeMovie(
            "in.ts", "-c:v libx264 -preset ultrafast -c:a aac -mpegts_flags latm", seconds: seconds)
        var settings = MadeMovie.settings()
        settings.audio = .codec(.pcm)
        let result = try await movie.export(settings, to: "out.mov")
        let wanted = try await FFmpeg.audio(of: movie.path, rate: 48_000)
        let audio = try await FFmpeg.audio(of: movie.folder.file("out.mov"), rate: 48_000)
        #expect(abs(audio.count - wanted.count) <= 1024, "\(audio.count), not \(wanted.count): \(result.notes)")
        // As loud in each hundredth of a second, wherever that begins to the packet.
        func silent(_ samples: [Float]) -> Int {
            stride(from: 0, to: samples.count - 480, by: 480).count { place in
                samples[place..<place + 480].allSatisfy { abs($0) < 0.01 }
            }
        }
        #expect(silent(audio) <= silent(wanted) + 2, "\(silent(audio)) of \(audio.count / 480), not \(silent(wanted))")
    }

    /// ffmpeg calls it as discs do, and does not say that it is one.
    @Test(arguments: ["copied.mkv", "encoded.mp4", "part.mp4"])
    func `DTS is there whatever the map calls it`(name: String) async throws {
        let movie = try await MadeMovie("in.ts", "-c:v libx264 -preset ultrafast -c:a dca -strict -2", seconds: 2)
        let range = name.hasPrefix("part") ? TimeRange(start: .second) : nil
        let settings = name.hasPrefix("copied") ? ExportSettings(preset: "copy") : MadeMovie.settings(range)
        let result = try await movie.export(settings, to: name)
        #expect(!result.notes.contains { $0.contains("left out") }, "\(result.notes)")
        let audio = try #require(try await FFProbe.inspect(movie.folder.file(name)).audio.first)
        #expect(audio.codecName == (name.hasPrefix("copied") ? "dts" : "aac"))
        let samples = try await FFmpeg.audio(of: movie.folder.file(name), rate: 48_000).count
        #expect(abs(samples - (range == nil ? 96_000 : 48_000)) < 2500, "\(samples)")
    }

    @Test(arguments: ["copied.mkv", "copied.mp4", "encoded.mp4"])
    func `AAC that a map calls MPEG audio is AAC`(name: String) async throws {
        let movie = try await MadeMovie("in.ts", "-c:v libx264 -preset ultrafast -c:a aac", seconds: 2)
        let made = try Data(contentsOf: URL(filePath: movie.path))
        try Data(MisnamedStreams.applied(to: Array(made), calling: 0x0F, 0x04)).write(to: URL(filePath: movie.path))
        let settings = name.hasPrefix("copied") ? ExportSettings(preset: "copy") : MadeMovie.settings()
        let result = try await movie.export(settings, to: name)
        #expect(try await movie.frames(of: name) == Array(0..<50), "\(result.notes)")
        let audio = try #require(try await FFProbe.inspect(movie.folder.file(name)).audio.first)
        #expect(audio.codecName == "aac")
        let samples = try await Tool.succeed(
            "ffmpeg",
            ["-nostdin", "-v", "error", "-i", movie.folder.file(name), "-map", "0:a", "-ac", "1", "-f", "s16le", "-"])
        #expect(abs(samples.output.count / 2 - 96_000) < 2500)
    }
}
