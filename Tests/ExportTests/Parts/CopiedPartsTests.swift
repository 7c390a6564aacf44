import Encoding
import Errors
import Export
import Foundation
import GStreamer
import MediaTypes
import MovieFiles
import SystemPackage
import TestSupport
import Testing

/// Several parts of a movie that are copied without encoding, as ffmpeg decodes them.
@Suite("Several parts that are copied", .serialized, .timeLimit(.minutes(10)))
struct CopiedPartsTests {
    private static func settings(_ ranges: [(Int, Int?)]) -> ExportSettings {
        var settings = ExportSettings(preset: "copy")
        settings.parts = ranges.map {
            TimeRange(start: $0 * .millisecond, end: $1.map { $0 * .millisecond })
        }
        settings.verification = .full
        return settings
    }

    private static func numbers(_ ranges: [(Int, Int?)]) -> [Int] {
        ranges.flatMap { Array($0 / 40..<($1 ?? 9000) / 40) }
    }

    private func samples(_ path: String) async throws -> [Int16] {
        let result = try await Tool.succeed(
            "ffmpeg", ["-nostdin", "-v", "error", "-i", path, "-map", "0:a:0", "-ac", "1", "-f", "s16le", "-"])
        return result.output.withUnsafeBytes { Array($0.bindMemory(to: Int16.self)) }
    }

    /// When the frames that are shown are shown.
    private func times(_ path: String) async throws -> [Double] {
        let result = try await Tool.succeed(
            "ffmpeg",
            [
                "-nostdin", "-v", "error", "-i", path, "-map", "0:v", "-fps_mode", "passthrough", "-enc_time_base",
                "1/25",
            ]
                + ["-f", "framemd5", "-"])
        return String(decoding: result.output, as: UTF8.self).split(separator: "\n").filter { !$0.hasPrefix("#") }
            .compactMap { line in
                let fields = line.split(separator: ",")
                return fields.count > 2 ? Double(fields[2].trimmingCharacters(in: .whitespaces)).map { $0 / 25 } : nil
            }
    }

    /// Between key frames, which are twelve frames apart, backwards and one over the other; the last to the end.
    private static let ranges: [(Int, Int?)] = [(6000, 7200), (400, 1000), (520, 1160), (7920, nil)]

    @Test(
        "show exactly their frames",
        arguments: [
            ("reordered.mov", "-c:v libx264 -preset veryfast -g 12 -sc_threshold 0 -bf 3 -c:a pcm_s16le"),
            ("fragments.mp4", "-c:v libx264 -preset veryfast -g 12 -bf 2 -c:a aac -movflags frag_keyframe+empty_moov"),
            (
                "closed.mp4",
                "-c:v libx265 -preset ultrafast -x265-params log-level=none:open-gop=0:keyint=12:scenecut=0:bframes=3 -tag:v hvc1 "
                    + "-c:a aac"
            ),
            ("in.mkv", "-c:v libx264 -preset veryfast -g 12 -sc_threshold 0 -bf 2 -c:a aac"),
        ])
    func frames(name: String, options: String) async throws {
        let movie = try await MadeMovie(name, options, seconds: 9)
        let output = name.hasSuffix("mov") ? "out.mp4" : "out.mov"
        let result = try await movie.export(
            Self.settings(Self.ranges), to: name == "reordered.mov" ? "out.mov" : output)
        let path = result.path.string
        // Fragments without edits begin with their audio, two frames before the video.
        let late = name == "fragments.mp4" ? 2 : 0
        let wanted = Self.ranges.flatMap { Array($0 / 40 - late..<($1.map { $0 / 40 - late } ?? 225)) }
        #expect(try await MadeMovie.frames(at: path) == wanted)
        #expect(result.frames == wanted.count)
        let times = try await times(path)
        #expect(times.enumerated().allSatisfy { abs($0.element - Double($0.offset) / 25) < 0.001 }, "\(times)")
        #expect(result.notes.contains { $0.contains("edit list hides") })
        let audio = try await samples(path)
        let seconds = Double(wanted.count) / 25
        guard name == "reordered.mov" else {
            // ffmpeg cuts audio at whole packets at each seam.
            #expect(abs(Double(audio.count) / 48000 - seconds) < 0.022 * 4, "\(audio.count)")
            return
        }
        // PCM to the sample.
        let all = try await samples(movie.path)
        let exact = Self.ranges.flatMap { all[$0 * 48..<($1 ?? 9000) * 48] }
        #expect(audio == exact, "\(audio.count) \(exact.count)")
    }

    @Test("keep the audio of each part in step with its frames")
    func inStep() async throws {
        let movie = try await MadeMovie(
            "in.mp4", "-c:v libx264 -preset veryfast -g 50 -sc_threshold 0 -bf 2 -c:a aac", seconds: 8)
        let ranges: [(Int, Int?)] = [(1000, 2000), (5000, 6000), (3000, 4000)]
        let result = try await movie.export(Self.settings(ranges), to: "out.mov")
        #expect(try await movie.frames(of: "out.mov") == Self.numbers(ranges))
        let rate = 16000
        let audio = try await FFmpeg.audio(of: result.path.string, rate: rate)
        let length = Double(audio.count) / Double(rate)
        #expect(abs(length - 3) < 0.05)
        for (part, range) in ranges.enumerated() {
            for place in [0.25, 0.5, 0.75] {
                let time = Double(range.0) / 1000 + place
                let begin = Int((Double(part) + place - 0.1) * Double(rate))
                let window = audio[begin..<begin + rate / 5]
                let heard = Double(zip(window, window.dropFirst()).count { $0 < 0 && $1 >= 0 }) / 0.2
                // sin(2π(200+150t)t) has this frequency at t.
                #expect(abs(heard - (200 + 300 * time)) < 15, "\(heard) Hz at \(time) s")
            }
        }
    }

    @Test("are refused where no edit list can show them, and where only one of video and audio is copied")
    func refusals() async throws {
        let movie = try await MadeMovie("in.mov", "-c:v libx264 -preset veryfast -c:a aac")
        let open = try await MadeMovie(
            "open.mp4", "-c:v libx265 -preset ultrafast -x265-params log-level=none:keyint=12:min-keyint=12 -tag:v hvc1"
        )
        let stream = try await MadeMovie("in.ts", "-c:v libx264 -preset veryfast -c:a aac")
        var mixed = Self.settings([(0, 1000), (2000, 3000)])
        mixed.audio = .codec(.aac)
        for (movie, settings, name, words) in [
            (movie, Self.settings([(0, 1000), (2000, 3000)]), "out.mkv", "has no edit list"),
            (movie, mixed, "out.mov", "both copied or both encoded"),
            (open, Self.settings([(0, 1000), (2000, 3000)]), "out.mov", "an open group"),
            (
                stream, Self.settings([(0, 1000), (1000, 2000)]), "out.mov",
                "are copied from QuickTime, MP4 and Matroska"
            ),
        ] {
            let error = await #expect(throws: RushesError.self) { try await movie.export(settings, to: name) }
            #expect(error?.description.contains(words) == true, "\(String(describing: error))")
            #expect(movie.folder.contents.count == 1)
        }
    }

    @Test("offer a time that a later part can begin at, where its own frames need others")
    func openGroup() async throws {
        let movie = try await MadeMovie(
            "open.mp4",
            "-c:v libx264 -preset veryfast -x264-params open-gop=1:keyint=12:min-keyint=1:scenecut=0 -forced-idr 1 "
                + "-force_key_frames 2.2 -c:a aac"
        )
        let error = await #expect(throws: RushesError.self) {
            try await movie.export(Self.settings([(0, 500), (1400, 2500)]), to: "out.mov")
        }
        #expect(error?.description.contains("let it begin at 2.20 s, or choose") == true, "\(error as Any)")
        let result = try await movie.export(Self.settings([(0, 480), (2200, 2480)]), to: "out.mov")
        #expect(result.frames == 19)
        let far = await #expect(throws: RushesError.self) {
            try await movie.export(Self.settings([(0, 500), (800, 900)]), to: "far.mov")
        }
        #expect(far?.description.contains("let it begin") == false, "\(far as Any)")
    }
}
