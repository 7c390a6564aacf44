import Errors
import Foundation
import MediaTypes
import SystemPackage
import TestSupport
import Testing

@testable import MovieFiles

/// Movies behind each other, without encoding; judged by ffprobe and ffmpeg's decoder.
@Suite(.timeLimit(.minutes(5)), .requires(tool: "ffmpeg", package: "ffmpeg")) struct MovieJoinTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// A movie whose audio is one tone.
    private func make(_ name: String, _ tone: Int, seconds: Int, size: String = "160x96") async throws -> FilePath {
        _ = try await Tool.succeed(
            "ffmpeg",
            ["-nostdin", "-v", "error", "-f", "lavfi", "-i", "testsrc2=size=\(size):rate=25:duration=\(seconds)"]
                + ["-f", "lavfi", "-i", "sine=\(tone):duration=\(seconds):sample_rate=48000", "-c:v", "libx264"]
                + ["-g", "25", "-bf", "2", "-pix_fmt", "yuv420p", "-c:a", "aac", "-metadata", "title=\(name)"]
                + [folder.file(name)])
        return FilePath(folder.file(name))
    }

    private func packets(_ path: FilePath, _ stream: String) async throws -> [String] {
        let isMovie = !path.string.hasSuffix(".mkv")
        return try await Tool.succeed(
            "ffprobe",
            ["-v", "error"] + (isMovie ? ["-ignore_editlist", "1"] : [])
                + ["-select_streams", stream, "-show_packets", "-show_data_hash", "md5", "-show_entries"]
                + ["packet=data_hash", "-of", "csv=p=0", path.string]
        ).text.split(separator: "\n").map { $0.filter(\.isHexDigit) }
    }

    @Test(
        arguments: Cases.taken(
            of: [("a.mov", "b.mov"), ("a.mov", "b.mp4"), ("a.mkv", "b.mkv"), ("a.mp4", "b.mp4")], ["c.mov", "c.mp4"],
            most: 4))
    func `all packets are there, and sound changes with the frames`(names: (String, String), output: String)
        async throws
    {
        let inputs = [
            try await make(names.0, 440, seconds: 2), try await make(names.1, 880, seconds: 3),
        ]
        let joined = FilePath(folder.file(output))
        let type: MovieJoin.Kind = .movie(output.hasSuffix("mov") ? .mov : .mp4)
        let result = try MovieJoin.join(inputs, to: joined, as: type, replacing: false)
        #expect(result.frameCount == 125 && abs(result.duration.seconds - 5) < 0.05)
        for stream in ["v", "a"] {
            let (first, second) = (try await packets(inputs[0], stream), try await packets(inputs[1], stream))
            #expect(try await packets(joined, stream) == first + second)
        }
        try await FFmpeg.decode(joined.string)
        let times = try await Tool.succeed(
            "ffprobe",
            ["-v", "error", "-select_streams", "v", "-show_entries", "packet=pts_time", "-of", "csv=p=0"]
                + [joined.string]
        ).text.split(separator: "\n").compactMap { Double($0.filter { $0 != "," }) }.sorted()
        #expect(times.count == 125)
        #expect(zip(times, times.dropFirst()).allSatisfy { abs($1 - $0 - 0.04) < 0.001 }, "\(times)")
        try await expectTones(joined)
    }

    /// The tone changes where the fifty-first frame is shown, but for a packet.
    private func expectTones(_ path: FilePath) async throws {
        let bytes = try await Tool.succeed(
            "ffmpeg",
            ["-nostdin", "-v", "error", "-i", path.string, "-map", "0:a", "-ac", "1", "-f", "s16le", "-"]
        ).output
        let samples = bytes.withUnsafeBytes { Array($0.bindMemory(to: Int16.self)) }
        func frequency(at seconds: Double) -> Double {
            let part = samples.dropFirst(Int(seconds * 48000)).prefix(2400)
            let crossings = zip(part, part.dropFirst()).count { ($0 < 0) != ($1 < 0) }
            return Double(crossings) * 10
        }
        #expect(abs(frequency(at: 1.92) - 440) < 25 && abs(frequency(at: 2.05) - 880) < 25)
        let length = Double(samples.count) / 48000
        #expect(abs(length - 5) < 0.05)
    }

    @Test(arguments: [("a.mov", "b.mp4"), ("a.mkv", "b.mkv")])
    func `Matroska has all frames at their times, and the sound of each movie with them`(names: (String, String))
        async throws
    {
        let inputs = [
            try await make(names.0, 440, seconds: 2), try await make(names.1, 880, seconds: 3),
        ]
        let joined = FilePath(folder.file("c.mkv"))
        let result = try MovieJoin.join(inputs, to: joined, as: .matroska(isWebM: false), replacing: false)
        #expect(result.frameCount == 125 && abs(result.duration.seconds - 5) < 0.1, "\(result)")
        let (first, second) = (try await packets(inputs[0], "v"), try await packets(inputs[1], "v"))
        #expect(try await packets(joined, "v") == first + second)
        try await FFmpeg.decode(joined.string)
        let times = try await FFProbe.frames("v:0", of: joined.string).compactMap { $0.ptsTime?.value }
        let start = try #require(times.first)
        #expect(times.count == 125)
        #expect(times.enumerated().allSatisfy { abs($1 - start - Double($0) * 0.04) < 0.0015 }, "\(times)")
        let audio = try await FFProbe.packets("a:0", of: joined.string).compactMap { $0.ptsTime?.value }
        // At a seam what primes the decoder lies before what is heard last.
        let steps = zip(audio, audio.dropFirst()).map { $1 - $0 }
        #expect(steps.count { $0 <= 0 } <= 1 && steps.allSatisfy { abs($0) < 0.05 }, "\(audio)")
        try await expectTones(joined)
    }

    /// A movie of two seconds whose audio is noise, and how many of its decoded samples in Matroska prime the decoder.
    private func noise(_ name: String, _ codec: String, seed: Int) async throws -> FilePath {
        _ = try await Tool.succeed(
            "ffmpeg",
            ["-nostdin", "-v", "error", "-f", "lavfi", "-i", "testsrc2=size=96x64:rate=25:duration=2", "-f", "lavfi"]
                + ["-i", "anoisesrc=duration=2:sample_rate=48000:color=pink:amplitude=0.5:seed=\(seed)"]
                + ["-c:v", "libx264", "-preset", "ultrafast", "-pix_fmt", "yuv420p", "-c:a", codec]
                // Noise in place of what is not coded would be another each time.
                + (codec == "aac" ? ["-aac_pns", "0"] : []) + ["-strict", "-2", folder.file(name)])
        return FilePath(folder.file(name))
    }

    private func samples(_ path: FilePath) async throws -> [Float] {
        try await Tool.succeed(
            "ffmpeg", ["-nostdin", "-v", "error", "-i", path.string, "-map", "0:a", "-ac", "1", "-f", "f32le", "-"]
        ).output.withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
    }

    /// What is heard at the beginning of a Matroska file, which has no edits: what primes a decoder. Of one that ffmpeg made it ends with the
    /// first frame, to the millisecond, and what Opus has begins before that.
    @Test(
        arguments: Cases.taken(
            of: [
                ("libopus", 0, 0), ("aac", 1024, 1008), ("libmp3lame", 1105, 1104), ("ac3", 256, 240), ("flac", 0, 0),
                ("alac", 0, 0),
                ("pcm_s16le", 0, 0),
            ], ["mkv", "mov"], most: 5))
    func `audio goes on to the sample at a seam in Matroska`(
        codec: (name: String, edit: Int, lead: Int), ending: String
    )
        async throws
    {
        // ffmpeg writes neither to QuickTime, and PCM of Matroska is not copied.
        guard !(ending == "mov" ? ["libopus", "flac", "ac3"] : ["pcm_s16le"]).contains(codec.name) else { return }
        let inputs = [
            try await noise("a.\(ending)", codec.name, seed: 1), try await noise("b.\(ending)", codec.name, seed: 2),
        ]
        let joined = FilePath(folder.file("c.mkv"))
        _ = try MovieJoin.join(inputs, to: joined, as: .matroska(isWebM: false), replacing: false)
        let (first, second) = (try await samples(inputs[0]), try await samples(inputs[1]))
        let (lead, cut) = ending == "mov" ? (codec.edit, 0) : (codec.lead, codec.lead)
        var wanted = Array(first[cut..<cut + 96_000] + second[cut..<cut + 96_000])
        // 7 ms before the first frame.
        if codec.name == "libopus" { wanted.removeFirst(336) }
        let found = try await samples(joined)
        // MP4 does not say how much of the last packet is padding.
        let rest = found.count - lead - wanted.count
        #expect(ending == "mkv" ? rest == 0 : (0..<1152).contains(rest), "\(rest)")
        let errors = zip(found.dropFirst(lead), wanted).map { abs($0 - $1) }
        // AC-3's decoder puts noise where nothing was coded.
        if codec.name == "ac3" {
            let sum: Float = errors.reduce(0, +)
            #expect(sum < 0.01 * Float(errors.count))
        } else {
            #expect(errors.max() ?? 1 < 1e-4, "\(errors.firstIndex { $0 >= 1e-4 } ?? -1)")
        }
        // Read again, nothing of it is heard twice; PCM of Matroska is not copied, and ffmpeg guesses at its channels.
        guard codec.name != "pcm_s16le" else { return }
        try await FFmpeg.decode(joined.string)
        let again = FilePath(folder.file("again.mkv"))
        try MatroskaCopy.copy(joined, to: again)
        let read = try await samples(again)
        #expect(codec.name == "ac3" ? read.count == found.count : read == found)
    }

    @Test func `what is not alike is told, and no file is made`() async throws {
        let first = try await make("a.mov", 440, seconds: 1)
        let wide = try await make("wide.mov", 440, seconds: 1, size: "320x96")
        let error = #expect(throws: RushesError.self) {
            try MovieJoin.join([first, wide], to: FilePath(folder.file("c.mov")), as: .movie(.mov), replacing: false)
        }
        let words = "\(try #require(error))"
        #expect(words.contains("wide.mov cannot be joined as it is: its video is 'avc1' of 320×96"), "\(words)")
        #expect(!FileManager.default.fileExists(atPath: folder.file("c.mov")))
    }
}
