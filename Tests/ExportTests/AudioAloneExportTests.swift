import Encoding
import Errors
import Foundation
import MediaTypes
import SystemPackage
import TestSupport
import Testing

@testable import Export

/// A movie's audio alone, in files that hold nothing else.
@Suite(.timeLimit(.minutes(10)), .requires(tool: "ffmpeg", package: "ffmpeg")) struct AudioAloneExportTests {
    @Test(arguments: [
        ("out.m4a", "aac"), ("out.wav", "pcm_s24le"), ("out.flac", "flac"), ("out.mka", "opus"), ("out.mp3", "mp3"),
        ("out.opus", "opus"), ("out.ogg", "opus"),
    ])
    func `the video is left out and told, and each sample of the audio is there`(
        name: String, codec: String
    ) async throws {
        let movie = try await MadeMovie("in.mov", "-c:v libx264 -preset ultrafast -c:a aac", seconds: 1)
        let result = try await movie.export(MadeMovie.settings(), to: name)
        #expect(result.notes.contains { $0.hasPrefix("The video was left out: ") }, "\(result.notes)")
        let report = try await FFProbe.inspect(movie.folder.file(name))
        #expect(report.video.isEmpty)
        #expect(report.audio.map(\.codecName) == [codec])
        let wanted = try await FFmpeg.audio(of: movie.path, rate: 48_000)
        let audio = try await FFmpeg.audio(of: movie.folder.file(name), rate: 48_000)
        // ffmpeg decodes the last packet of AAC and Opus to its end, and counts all frames of MP3; the others hold what the input's edit list tells.
        let tolerance = name == "out.mka" || codec == "aac" ? 1024 : 0
        if !["opus", "mp3"].contains(codec) { #expect(abs((report.format.duration?.value ?? 0) - 1) < 0.001) }
        #expect(abs(audio.count - 48_000) <= tolerance, "\(audio.count) of \(wanted.count)")
    }

    @Test(arguments: [("out.m4a", 64_000), ("out.mp3", 40_000)])
    func `audio has the bit rate that was asked for, also where it would have fitted, and keeps its sample rate`(
        name: String, bitrate: Int
    ) async throws {
        let movie = try await MadeMovie(
            "in.mov",
            "-c:v libx264 -preset ultrafast -c:a aac -b:a 160k -af aeval=random(0)-0.5,aformat=channel_layouts=mono"
        )
        var settings = ExportSettings(preset: "h264")
        settings.audioBitrate = bitrate
        _ = try await movie.export(settings, to: name)
        let audio = try #require(try await FFProbe.inspect(movie.folder.file(name)).audio.first)
        #expect(audio.sampleRate?.value == 48_000)
        #expect(abs(try #require(audio.bitRate?.value) / Double(bitrate) - 1) < 0.05)
    }

    @Test func `audio that fits is copied, and of several tracks one is taken`() async throws {
        let folder = try TemporaryFolder()
        let input = folder.file("in.mkv")
        let sources = ["testsrc2=size=160x96:rate=25:duration=1", "sine=1000:duration=1", "sine=2000:duration=1"]
        _ = try await Tool.succeed(
            "ffmpeg",
            ["-nostdin", "-v", "error"] + sources.flatMap { ["-f", "lavfi", "-i", $0] }
                + ["-map", "0", "-map", "1", "-map", "2", "-c:v", "libx264", "-c:a", "flac", input])
        var settings = ExportSettings(preset: "copy")
        let output = folder.file("out.flac")
        let result = try await ExportSession(input: FilePath(input), settings: settings)
            .export(to: MovieDestination(FilePath(output)))
        #expect(result.notes.contains("Further audio was left out: FLAC holds one track."), "\(result.notes)")
        #expect(result.notes.contains { $0.contains("FLAC is copied as it is") }, "\(result.notes)")
        try await FFmpeg.decode(output)
        let tone = ToneAnalysis(try await FFmpeg.audio(of: output, rate: 44_100), rate: 44_100)
        #expect(abs(tone.frequency - 1000) < 2)

        settings.size = VideoSize(80, 48)
        let error = await #expect(throws: RushesError.self) {
            try await ExportSession(input: FilePath(input), settings: settings)
                .export(to: MovieDestination(FilePath(folder.file("other.flac"))))
        }
        #expect(
            error?.description.contains("FLAC holds audio alone; leave size out") == true,
            "\(String(describing: error))")
    }
}
