import Encoding
import Errors
import Export
import Foundation
import MediaTypes
import SystemPackage
import TestSupport
import Testing

/// Audio of other files that becomes tracks of a movie, as ffmpeg decodes it there.
@Suite(.timeLimit(.minutes(5)), .requires(tool: "ffmpeg", package: "ffmpeg")) struct AddedAudioTests {
    /// Its pitch rises, so that it is like itself at one place alone.
    private static func sweep(_ seconds: Double) -> String {
        "aevalsrc='0.4*sin(2*PI*(200+150*t)*t)':s=48000:d=\(seconds)"
    }

    private struct Made {
        let movie: MadeMovie
        func path(_ name: String) -> String { movie.folder.file(name) }

        func voice(_ name: String, seconds: Double, _ options: String = "") async throws {
            _ = try await Tool.succeed(
                "ffmpeg",
                ["-nostdin", "-v", "error", "-f", "lavfi", "-i", AddedAudioTests.sweep(seconds)] + Tool.words(options)
                    + [path(name)])
        }

        func export(_ added: [String], _ settings: ExportSettings, to name: String) async throws -> ExportResult {
            var settings = settings
            settings.addedAudio = added.map { AddedAudio($0) { FilePath(path($0)) } }
            return try await movie.export(settings, to: name)
        }

        /// - Parameter options: ffmpeg's, for what is taken.
        func samples(_ name: String, _ options: String) async throws -> [Float] {
            let result = try await Tool.succeed(
                "ffmpeg",
                ["-nostdin", "-v", "error", "-i", path(name)] + Tool.words(options)
                    + ["-ac", "1", "-f", "f32le", "-"])
            let bytes = Array(result.output)
            return stride(from: 0, to: bytes.count / 4 * 4, by: 4).map { place in
                bytes.withUnsafeBytes { Float(bitPattern: $0.loadUnaligned(fromByteOffset: place, as: UInt32.self)) }
            }
        }

        func languages(_ name: String) async throws -> [String?] {
            try await FFProbe.inspect(path(name)).streams.filter { $0.codecType == "audio" }.map {
                $0.tags?["language"]
            }
        }
    }

    private func make(_ name: String = "main.mp4") async throws -> Made {
        Made(movie: try await MadeMovie(name, "-c:v libx264 -preset ultrafast -g 12 -bf 2 -c:a aac", seconds: 2))
    }

    /// How like each other two signals are from a place on, 1 for the same; moved by a sample, the sweep is below.
    private func likeness(_ one: [Float], _ other: ArraySlice<Float>, at places: Range<Int>) -> Float {
        guard one.count >= places.upperBound, other.count >= places.upperBound else { return 0 }
        let other = Array(other)
        var (product, first, second): (Float, Float, Float) = (0, 0, 0)
        for place in places {
            product += one[place] * other[place]
            first += one[place] * one[place]
            second += other[place] * other[place]
        }
        return product / max(1e-9, (first * second).squareRoot())
    }

    private static let copy = ExportSettings(preset: "copy")

    @Test func `is encoded behind the movie's own, in step with it to the sample`() async throws {
        let made = try await make()
        try await made.voice("voice.de.wav", seconds: 2)
        let result = try await made.export(["voice.de.wav"], MadeMovie.settings(), to: "out.mp4")
        #expect(try await made.languages("out.mp4") == ["und", "deu"])
        let (samples, voice) = (
            try await made.samples("out.mp4", "-map 0:a:1"), try await made.samples("voice.de.wav", "-map 0:a")
        )
        #expect(likeness(samples, voice[...], at: 10_000..<90_000) > 0.999)
        #expect(likeness(Array(samples[1...]), voice[...], at: 10_000..<90_000) < 0.999, "a sample is told")
        #expect(try await made.movie.frames(of: "out.mp4") == Array(0..<50))
        #expect(result.notes.contains { $0.contains("added as German audio") }, "\(result.notes)")
        #expect(!result.notes.contains { $0.contains("before") }, "\(result.notes)")
    }

    @Test(arguments: ["out.mp4", "out.mov", "out.mkv"])
    func `is copied beside a movie that is copied, and ends with it`(output: String) async throws {
        let made = try await make()
        try await made.voice("voice.m4a", seconds: 3, "-c:a aac")
        var settings = Self.copy
        settings.audioTracks = TrackSelection.none
        let result = try await made.export(["voice.m4a:fr"], settings, to: output)
        #expect(try await made.languages(output) == [output == "out.mkv" ? "fre" : "fra"])
        let (samples, voice) = (
            try await made.samples(output, "-map 0:a:0"), try await made.samples("voice.m4a", "-map 0:a")
        )
        #expect(samples.count < 98_500)
        // Matroska keeps what primes the decoder, and shows the frames later.
        let primed = output == "out.mkv" ? 1024 : 0
        let late = samples.count > primed ? Array(samples[primed...]) : []
        let best = max(
            likeness(late, voice[...], at: 10_000..<90_000), likeness(samples, voice[...], at: 10_000..<90_000))
        #expect(best > 0.9999)
        #expect(try await made.movie.frames(of: output) == Array(0..<50))
        #expect(result.notes.contains { $0.contains("s are left out, as the movie ends before") }, "\(result.notes)")
        #expect(abs(result.duration.seconds - 2) < 0.1)
    }

    @Test(arguments: [(copy, "voice.m4a"), (MadeMovie.settings(), "voice.wav")])
    func `is cut with a part, and with several`(settings: ExportSettings, voice: String) async throws {
        let made = try await make()
        try await made.voice(voice, seconds: 2, voice.hasSuffix("m4a") ? "-c:a aac" : "")
        let whole = try await made.samples(voice, "-map 0:a")
        var settings = settings
        settings.range = TimeRange(start: 480 * .millisecond, end: 1480 * .millisecond)
        _ = try await made.export([voice], settings, to: "part.mp4")
        #expect(
            likeness(
                try await made.samples("part.mp4", "-map 0:a:1 -af aresample=async=1:first_pts=0"), whole[23_040...],
                at: 5000..<40_000) > 0.999)
        settings.range = nil
        settings.parts = [
            TimeRange(start: .second, end: 1480 * .millisecond), TimeRange(start: 0, end: 480 * .millisecond),
        ]
        _ = try await made.export([voice], settings, to: "parts.mp4")
        let joined = try await made.samples("parts.mp4", "-map 0:a:1")
        #expect(likeness(joined, whole[48_000...], at: 5000..<20_000) > 0.999)
        // Where packets are copied, ffmpeg (5.1) plays all of the one that a later edit begins in.
        let late = settings.preset == "copy" ? 0..<1024 : 0..<1
        let best = late.map { likeness(Array(joined.dropFirst(23_040 + $0)), whole[...], at: 5000..<6000) }.max()
        #expect(best ?? 0 > 0.999)
    }

    @Test func `that is shorter stays so, and gets the loudness that is asked for`() async throws {
        let made = try await make()
        try await made.voice("short.wav", seconds: 1)
        var settings = MadeMovie.settings()
        (settings.audioTracks, settings.loudness) = (TrackSelection.none, -30)
        let result = try await made.export(["short.wav"], settings, to: "out.mp4")
        #expect(result.notes.contains("It ends 1.00 s before the movie does."), "\(result.notes)")
        #expect(result.notes.contains { $0.contains("became -30 LUFS") }, "\(result.notes)")
        #expect(try await made.samples("out.mp4", "-map 0:a").count < 50_000)
        #expect(abs(result.duration.seconds - 2) < 0.1)
    }

    @Test(arguments: [
        ("none.wav", "out.mp4", "does not exist"), ("silent.mp4", "out.mp4", "no audio"),
        ("voice.wav", "out.m4a", "holds audio alone"),
    ])
    func `that cannot be added is told, before anything is written`(
        file: String, output: String, words: String
    ) async throws {
        let made = try await make()
        try await made.voice("voice.wav", seconds: 1)
        _ = try await Tool.succeed(
            "ffmpeg",
            ["-nostdin", "-v", "error", "-i", made.movie.path, "-an", "-c", "copy", made.path("silent.mp4")])
        let error = await #expect(throws: RushesError.self) {
            try await made.export([file], ExportSettings(preset: "h264"), to: output)
        }
        #expect(error?.description.contains(words) == true, "\(String(describing: error))")
        #expect(!FileManager.default.fileExists(atPath: made.path(output)))
    }

    @Test func `that the output cannot hold is refused with the cure where copies are wanted`() async throws {
        let made = try await make()
        try await made.voice("voice.wav", seconds: 1)
        let error = await #expect(throws: RushesError.self) {
            try await made.export(["voice.wav"], Self.copy, to: "out.mp4")
        }
        #expect(error?.description.contains("MP4 cannot hold the audio as it is (PCM)") == true)
        #expect(!FileManager.default.fileExists(atPath: made.path("out.mp4")))
    }

    @Test(
        arguments: [
            ("a.wav", "a.wav", nil), ("a.wav:de", "a.wav", "de"), ("12:30.wav", "12:30.wav", nil),
            ("a.m4a:german", "a.m4a:german", nil), ("a:de", "a:de", nil),
        ] as [(String, String, String?)])
    func `is named with its language`(text: String, path: String, language: String?) {
        let added = AddedAudio(text) { FilePath($0) }
        #expect(added.path?.string == path)
        #expect(added.language == language)
    }
}
