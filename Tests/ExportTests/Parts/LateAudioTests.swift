import Encoding
import Export
import Foundation
import MediaTypes
import SystemPackage
import TestSupport
import Testing

/// A part of audio alone is that of the movie's time, whenever its audio begins.
@Suite(.timeLimit(.minutes(5)), .requires(tool: "ffmpeg", package: "ffmpeg")) struct LateAudioTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// Four seconds of frames; audio from 1 second on, with beeps of 0.1 seconds at 1.5, 2.5 and 3.5.
    private func make(_ name: String) async throws -> FilePath {
        _ = try await Tool.succeed(
            "ffmpeg",
            [
                "-nostdin", "-v", "error", "-f", "lavfi", "-i", "testsrc2=size=128x96:rate=25:duration=4", "-itsoffset",
                "1",
                "-f", "lavfi", "-i", "aevalsrc='0.5*sin(880*PI*t)*between(mod(t,1),0.5,0.6)':s=48000:d=3",
                "-c:v", "libx264", "-preset", "ultrafast", "-pix_fmt", "yuv420p", "-c:a", "aac", folder.file(name),
            ])
        return FilePath(folder.file(name))
    }

    /// When beeps begin in a file, in seconds.
    private func beeps(_ name: String) async throws -> [Double] {
        let audio = try await FFmpeg.audio(of: folder.file(name), rate: 16_000)
        var (times, silent) = ([Double](), 16_000)
        for (index, sample) in audio.enumerated() {
            if abs(sample) > 0.1 {
                if silent > 3200 { times.append(Double(index) / 16_000) }
                silent = 0
            } else {
                silent += 1
            }
        }
        return times
    }

    private func range(_ start: Int, _ end: Int) -> TimeRange {
        TimeRange(start: start * .millisecond, end: end * .millisecond)
    }

    private func export(_ input: FilePath, _ settings: ExportSettings, to name: String) async throws {
        _ = try await ExportSession(input: input, settings: settings)
            .export(to: MovieDestination(FilePath(folder.file(name)), replacesExisting: true))
    }

    @Test(arguments: ["in.mp4", "in.mkv"]) func `begins where it was asked for`(name: String) async throws {
        let input = try await make(name)
        for (output, preset) in [("out.wav", "h264"), ("out.flac", "h264"), ("out.m4a", "h264"), ("out.mka", "copy")] {
            var settings = ExportSettings(preset: preset)
            settings.range = range(0, 700)
            // Of what is copied there is nothing then.
            if output == "out.wav" || output == "out.flac" {
                try await export(input, settings, to: output)
                #expect(try await beeps(output) == [], "\(output)")
            }
            settings.range = range(1200, 2200)
            try await export(input, settings, to: output)
            // Packets are cut as a whole, and the priming of a copy may be heard.
            let heard = try await beeps(output)
            #expect(heard.count == 1 && abs(heard[0] - 0.3) < 0.05, "\(output) \(heard)")
        }
    }

    @Test(arguments: ["in.mp4", "in.mkv"]) func `is the same among several`(name: String) async throws {
        let input = try await make(name)
        var settings = ExportSettings(preset: "h264")
        settings.parts = [range(2200, 3000), range(0, 700), range(1200, 2200)]
        try await export(input, settings, to: "out.wav")
        let heard = try await beeps("out.wav")
        #expect(heard.count == 2, "\(heard)")
        #expect(zip(heard, [0.3, 1.8]).allSatisfy { abs($0 - $1) < 0.03 }, "\(heard)")
    }

    @Test func `is as loud as was asked for`() async throws {
        let input = try await make("in.mp4")
        var settings = ExportSettings(preset: "h264")
        (settings.range, settings.loudness) = (range(0, 1300), -20)
        let silent = try await ExportSession(input: input, settings: settings)
            .export(to: MovieDestination(FilePath(folder.file("out.wav"))))
        #expect(silent.notes.contains { $0.contains("silent") || $0.contains("cannot be measured") }, "\(silent.notes)")
    }
}
