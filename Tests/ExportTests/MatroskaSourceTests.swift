import Encoding
import Export
import Foundation
import MediaTypes
import MovieFiles
import SystemPackage
import TestSupport
import Testing

@Suite("A copy of Matroska", .timeLimit(.minutes(10)), .requires(tool: "ffmpeg", package: "ffmpeg"))
struct MatroskaSourceTests {
    private static let bytes = "All tracks are copied as they are."
    private static let frames = "-c:v libx264 -preset veryfast -g 12 -bf 2"

    @Test("is made of bytes, in QuickTime and MP4", arguments: ["out.mp4", "out.mov"])
    func asBytes(_ output: String) async throws {
        let movie = try await MadeMovie("take.mkv", Self.frames + " -c:a aac", seconds: 2)
        let result = try await movie.export(ExportSettings(preset: "copy"), to: output)
        #expect(result.notes == [Self.bytes] && result.frames == 50)
        #expect(try await movie.frames(of: output) == Array(0..<50))
        try await FFmpeg.decode(movie.folder.file(output))
    }

    @Test("is made by a demuxer and a muxer where the samples are others")
    func otherwise() async throws {
        let movie = try await MadeMovie("take.mkv", Self.frames + " -c:a pcm_s16le", seconds: 2)
        let result = try await movie.export(ExportSettings(preset: "copy"), to: "out.mov")
        #expect(!result.notes.contains(Self.bytes) && result.frames == 50)
        #expect(try await movie.frames(of: "out.mov") == Array(0..<50))
        #expect(try await FFProbe.inspect(movie.folder.file("out.mov")).audio.first?.codecName == "pcm_s16le")
    }

    @Test(
        "keeps ProRes, whichever it is",
        arguments: [(0, "apco", "pcm_s16le"), (3, "apch", "aac"), (4, "ap4h", "pcm_s24le")])
    func proRes(profile: Int, tag: String, audio: String) async throws {
        let movie = try await MadeMovie("take.mkv", "-c:v prores_ks -profile:v \(profile) -c:a \(audio)", seconds: 1)
        func frames(_ path: String, _ options: [String] = []) async throws -> String {
            try await Tool.succeed(
                "ffmpeg",
                ["-nostdin", "-v", "error"] + options + [
                    "-i", path, "-map", "0:v", "-c", "copy", "-f", "framemd5", "-",
                ]
            ).text.split(separator: "\n").filter { !$0.hasPrefix("#") }
                .map { String($0.split(separator: ",").last ?? "") }.joined()
        }
        let result = try await movie.export(ExportSettings(preset: "copy"), to: "out.mov")
        #expect(result.frames == 25 && result.notes.contains { $0.contains("copied") }, "\(result.notes)")
        let output = movie.folder.file("out.mov")
        #expect(try await frames(output) == frames(movie.path))
        try await FFmpeg.decode(output)
        let tags = try await Tool.succeed(
            "ffprobe",
            [
                "-v", "error", "-select_streams", "v", "-show_entries", "stream=codec_tag_string", "-of", "csv=p=0",
                output,
            ])
        #expect(tags.text.contains(tag), "\(tags.text)")
        // Copied or encoded, a part or all: frames are shown when the file says, here with a pause.
        let late = movie.folder.file("late.mkv")
        _ = try await Tool.succeed(
            "ffmpeg",
            ["-nostdin", "-v", "error", "-i", movie.path, "-c", "copy", "-bsf:v"]
                + ["setts=ts='if(gte(N,10),PTS+400,PTS)'", late])
        for settings in [ExportSettings(preset: "copy"), MadeMovie.settings()] {
            let name = "\(settings.preset).mov"
            _ = try await ExportSession(input: FilePath(late), settings: settings)
                .export(to: MovieDestination(FilePath(movie.folder.file(name))))
            let times = try await FFProbe.frames("v:0", of: movie.folder.file(name)).compactMap { $0.ptsTime?.value }
            #expect(times.count == 25)
            for (index, time) in times.enumerated() {
                #expect(abs(time - Double(index) / 25 - (index >= 10 ? 0.4 : 0) - (times.first ?? 0)) < 0.002)
            }
        }
    }

    @Test("loses no audio that the other kind of file has no place for, but is refused with the cure")
    func noPlace() async throws {
        let movie = try await MadeMovie("take.mkv", Self.frames + " -c:a libopus", seconds: 1)
        let error = await #expect(throws: (any Error).self) {
            try await movie.export(ExportSettings(preset: "copy"), to: "out.mov")
        }
        #expect(error.map { "\($0)".contains("QuickTime cannot hold") } == true, "\(String(describing: error))")
        #expect(movie.folder.contents == ["take.mkv"])
    }

    /// Two seconds of frames and of noise.
    private func noise(_ path: String, _ codec: String, seed: Int) async throws {
        _ = try await Tool.succeed(
            "ffmpeg",
            ["-nostdin", "-v", "error", "-f", "lavfi", "-i", "testsrc2=size=96x64:rate=25:duration=2", "-f", "lavfi"]
                + ["-i", "anoisesrc=duration=2:sample_rate=48000:color=pink:amplitude=0.5:seed=\(seed)"]
                + [
                    "-c:v", "libx264", "-preset", "ultrafast", "-pix_fmt", "yuv420p", "-c:a", codec, "-strict", "-2",
                    path,
                ])
    }

    /// What ffmpeg decodes.
    private func samples(_ arguments: [String]) async throws -> [Float] {
        try await Tool.succeed(
            "ffmpeg", ["-nostdin", "-v", "error"] + arguments + ["-ac", "1", "-f", "f32le", "-"]
        ).output.withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
    }

    @Test("has its first frame when it is shown, though the audio that begins before it stands behind it in the file")
    func lateVideo() async throws {
        let movie = try await MadeMovie("take.mkv", Self.frames + " -c:a aac", seconds: 1)
        let wanted = try await FFProbe.frames("v:0", of: movie.path).compactMap { $0.ptsTime?.value }
        // ffmpeg delays all by what primes the decoder of AAC, and frames behind the audio by nothing.
        #expect(wanted.count == 25 && wanted[0] > 0.015)
        for name in ["encoded.mov", "encoded.mkv"] {
            _ = try await movie.export(MadeMovie.settings(), to: name)
            let times = try await FFProbe.frames("v:0", of: movie.folder.file(name)).compactMap { $0.ptsTime?.value }
            // In Matroska all is later by what primes the decoder of AAC.
            let late = name.hasSuffix("mkv") ? 1024.0 / 48_000 : 0
            #expect(times.count == 25 && zip(times, wanted).allSatisfy { abs($0 - $1 - late) < 0.0015 }, "\(times)")
        }
    }

    @Test("has its first frame when it is shown each time that a muxer makes it")
    func lateVideoCopied() async throws {
        let movie = try await MadeMovie("take.mkv", Self.frames + " -c:a libvorbis", seconds: 1)
        let late = movie.folder.file("late.mkv")
        _ = try await Tool.succeed(
            "ffmpeg",
            ["-nostdin", "-v", "error", "-itsoffset", "0.05", "-i", movie.path, "-i", movie.path]
                + ["-map", "0:v", "-map", "1:a", "-c", "copy", late])
        let wanted = try await FFProbe.frames("v:0", of: late).compactMap { $0.ptsTime?.value }
        #expect(wanted.count == 25 && wanted[0] > 0.045)
        for attempt in 0..<12 {
            let copy = movie.folder.file("copy\(attempt).mkv")
            _ = try await ExportSession(input: FilePath(late), settings: ExportSettings(preset: "copy"))
                .export(to: MovieDestination(FilePath(copy)))
            let times = try await FFProbe.frames("v:0", of: copy).compactMap { $0.ptsTime?.value }
            #expect(times.count == 25 && zip(times, wanted).allSatisfy { abs($0 - $1) < 0.0015 }, "\(times)")
        }
    }

    @Test("loses nothing where its times begin anywhere")
    func lateBeginning() async throws {
        let movie = try await MadeMovie("take.mkv", Self.frames + " -c:a aac -output_ts_offset 10", seconds: 2)
        let result = try await movie.export(MadeMovie.settings(), to: "out.mov")
        #expect(result.frames == 50 && !result.notes.contains { $0.contains("before the input") }, "\(result.notes)")
        #expect(try await movie.frames(of: "out.mov") == Array(0..<50))
    }

    /// - Parameter lead: Samples that prime the decoder at the very beginning, where frames begin as much later.
    @Test(
        "that was joined is encoded with the audio of each part to the sample",
        arguments: [("aac", 1024), ("libopus", 0), ("flac", 0)])
    func joined(_ codec: String, lead: Int) async throws {
        let folder = try TemporaryFolder()
        let names = (1...4).map { folder.file("\($0).mp4") }
        for (seed, name) in names.enumerated() { try await noise(name, codec, seed: seed + 1) }
        let joined = FilePath(folder.file("joined.mkv"))
        _ = try MovieJoin.join(names.map { FilePath($0) }, to: joined, as: .matroska(isWebM: false), replacing: false)
        var settings = ExportSettings(preset: "h264")
        settings.audio = .codec(.flac)
        func export(_ settings: ExportSettings, _ name: String) async throws -> [Float] {
            let result = try await ExportSession(input: joined, settings: settings)
                .export(to: MovieDestination(FilePath(folder.file(name))))
            #expect(!result.notes.contains { $0.contains("seam") || $0.contains("joined") }, "\(result.notes)")
            return try await samples(["-i", folder.file(name), "-map", "0:a"])
        }
        let (whole, copied) = (
            try await export(settings, "out.mkv"), try await samples(["-i", joined.string, "-map", "0:a"])
        )
        let length = 4 * 96_000 + lead
        #expect(whole.count >= length - 20 && whole.count <= length + 1024, "\(whole.count)")
        #expect(abs(whole.count - copied.count) <= 1024, "\(whole.count) of \(copied.count)")
        let cuts = (0..<4).map { "[\($0):a]atrim=end=2[a\($0)]" }.joined(separator: ";")
        let wanted = try await samples(
            names.flatMap { ["-i", $0] }
                + ["-filter_complex", cuts + ";[a0][a1][a2][a3]concat=n=4:v=0:a=1[a]", "-map", "[a]"])
        // Behind the third seam.
        let piece = Array(wanted[312_000..<336_000])
        let match = AudioMatch(of: piece, in: whole)
        #expect(match.correlation > 0.9 && abs(match.offset - 312_000 - lead) < 96, "\(match)")
        // Behind a place that reading is sent to.
        settings.range = TimeRange(start: MediaTime(seconds: 5.5), end: MediaTime(seconds: 7.5))
        let part = try await export(settings, "part.mkv")
        let place = AudioMatch(of: piece, in: part)
        #expect(place.correlation > 0.9 && abs(place.offset - 48_000 - lead) < 96, "\(place)")
        #expect(abs(part.count - 96_000) <= 1, "\(part.count)")
    }

    @Test("of a recording whose program was killed says that it is cut off")
    func killed() async throws {
        let movie = try await MadeMovie("take.mkv", "-live 1 " + Self.frames + " -c:a aac", seconds: 2)
        let data = try Data(contentsOf: URL(filePath: movie.path))
        try data.prefix(data.count * 3 / 4).write(to: URL(filePath: movie.folder.file("dead.mkv")))
        let result = try await ExportSession(
            input: FilePath(movie.folder.file("dead.mkv")), settings: ExportSettings(preset: "copy")
        ).export(to: MovieDestination(FilePath(movie.folder.file("out.mp4"))))
        #expect(result.notes.contains { $0.hasPrefix("The file is cut off") }, "\(result.notes)")
        #expect((20..<50).contains(result.frames))
        try await FFmpeg.decode(movie.folder.file("out.mp4"))
    }
}
