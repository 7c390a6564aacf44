import Errors
import Foundation
import SystemPackage
import TestSupport
import Testing

@testable import MovieFiles

/// Joins of movies that differ in what is seen only behind the seam, and of damaged ones; judged by ffmpeg's decoder.
@Suite(.timeLimit(.minutes(5)), .requires(tool: "ffmpeg", package: "ffmpeg")) struct UnlikeJoinTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// A second of noise with frames that all differ.
    private func make(_ name: String, _ options: String) async throws -> FilePath {
        try await Tool.shell(
            "ffmpeg -nostdin -v error -f lavfi -i testsrc2=size=160x96:rate=25:duration=1 "
                + "-f lavfi -i anoisesrc=sample_rate=48000:duration=1:amplitude=0.1:seed=1 \(options) \(folder.file(name))"
        )
        return FilePath(folder.file(name))
    }

    private func h264(_ name: String, _ options: String = "-bf 2") async throws -> FilePath {
        try await make(name, "-c:v libx264 -preset ultrafast -g 25 -pix_fmt yuv420p -c:a aac \(options)")
    }

    /// Of each frame that is shown.
    private func frames(_ path: FilePath) async throws -> [String] {
        try await Tool.succeed(
            "ffmpeg",
            ["-nostdin", "-v", "error", "-i", path.string, "-map", "0:v", "-fps_mode", "passthrough"]
                + ["-f", "framemd5", "-"]
        ).text.split(separator: "\n").filter { !$0.hasPrefix("#") }.compactMap {
            $0.split(separator: ",").last.map { $0.trimmingCharacters(in: .whitespaces) }
        }
    }

    private func join(_ inputs: [FilePath], _ name: String = "joined.mov") throws(RushesError) -> (FilePath, MovieJoin)
    {
        let path = FilePath(folder.file(name))
        return (path, try MovieJoin.join(inputs, to: path, as: .movie(.mov), replacing: true))
    }

    private func refusal(_ inputs: [FilePath]) -> String {
        let error = #expect(throws: RushesError.self) { try join(inputs) }
        #expect(!FileManager.default.fileExists(atPath: folder.file("joined.mov")))
        return error.map { "\($0)" } ?? ""
    }

    @Test(
        arguments: [
            ["-bf 2", "-bf 0", "-bf 2"], ["-bf 0", "-bf 2"], ["-bf 2", "-bf 2 -movflags negative_cts_offsets"],
        ])
    func `each frame is shown once, however frames are reordered on either side`(options: [String]) async throws {
        var (inputs, expected): ([FilePath], [String]) = ([], [])
        for (index, options) in options.enumerated() {
            inputs.append(try await h264("\(index).mp4", options))
            expected += try await frames(inputs[index])
        }
        let (joined, result) = try join(inputs)
        #expect(result.frameCount == expected.count)
        #expect(try await frames(joined) == expected)
        try await expectTimes(joined, (0..<expected.count).map { Double($0) / 25 })
    }

    /// When ffmpeg shows each frame.
    private func expectTimes(_ path: FilePath, _ times: [Double]) async throws {
        let shown = try await FFProbe.frames("v:0", of: path.string).compactMap { $0.ptsTime?.value }
        #expect(shown.count == times.count && zip(shown, times).allSatisfy { abs($0 - $1) < 0.001 }, "\(shown)")
    }

    @Test(arguments: ["-video_track_timescale 600", "-video_track_timescale 90000 -bf 0", "-r 30"])
    func `frames that are counted in other ticks have their times`(options: String) async throws {
        let movies = [try await h264("a.mp4"), try await h264("b.mp4", "-bf 2 \(options)")]
        for inputs in [movies, movies.reversed()] {
            let (joined, result) = try join(inputs)
            var (expected, times): ([String], [Double]) = ([], [])
            for input in inputs {
                let own = try await frames(input)
                times += own.indices.map { Double($0) / Double(own.count) + (expected.isEmpty ? 0 : 1) }
                expected += own
            }
            #expect(result.frameCount == expected.count)
            #expect(try await frames(joined) == expected)
            try await expectTimes(joined, times)
        }
    }

    @Test(arguments: ["mp4", "mov", "mkv"])
    func `audio goes on in its language, wherever it stands`(type: String) async throws {
        func made(_ name: String, _ languages: [(String, Int)]) async throws -> FilePath {
            let path = folder.file("\(name).\(type)")
            var arguments = ["-nostdin", "-v", "error", "-f", "lavfi", "-i", "testsrc2=size=160x96:rate=25:duration=1"]
            for (_, tone) in languages {
                arguments += ["-f", "lavfi", "-i", "sine=\(tone):sample_rate=48000:duration=1"]
            }
            for index in 0...languages.count { arguments += ["-map", "\(index)"] }
            for (index, (language, _)) in languages.enumerated() {
                arguments += ["-metadata:s:a:\(index)", "language=\(language)"]
            }
            _ = try await Tool.succeed(
                "ffmpeg", arguments + ["-c:v", "libx264", "-pix_fmt", "yuv420p", "-bf", "0", "-c:a", "aac", path])
            return FilePath(path)
        }
        func joined(_ inputs: [FilePath], _ name: String) throws -> (FilePath, MovieJoin) {
            let path = FilePath(folder.file("\(name).\(type)"))
            let kind: MovieJoin.Kind = type == "mkv" ? .matroska(isWebM: false) : .movie(type == "mov" ? .mov : .mp4)
            return (path, try MovieJoin.join(inputs, to: path, as: kind, replacing: false))
        }
        let first = try await made("a", [("eng", 440), ("ger", 880)])
        let swapped = try await made("b", [("ger", 880), ("eng", 440)])
        let (path, result) = try joined([first, swapped], "joined")
        for (index, tone) in [440.0, 880].enumerated() {
            let data = try await decoded(path, ["-map", "0:a:\(index)", "-ac", "1", "-f", "s16le"])
            let values = data.withUnsafeBytes { Array($0.bindMemory(to: Int16.self)) }
            for half in [values.prefix(values.count / 2), values.suffix(values.count / 2)] {
                let middle = half.dropFirst(4800).prefix(24_000)
                let crossings = zip(middle, middle.dropFirst()).count { ($0 < 0) != ($1 < 0) }
                #expect(abs(Double(crossings) - tone) < tone / 20, "\(index) \(crossings)")
            }
        }
        #expect(!result.notes.contains { $0.contains("Audio track") }, "\(result.notes)")
        // What has no counterpart goes on by its place, and that is told.
        let other = try await made("c", [("ger", 880), ("ita", 440)])
        let mixed = try joined([first, other], "mixed").1
        #expect(mixed.notes.contains { $0.contains("Audio track 1 is en at first, and it") }, "\(mixed.notes)")
    }

    /// What is decoded of a stream, as bytes.
    private func decoded(_ path: FilePath, _ options: [String]) async throws -> Data {
        try await Tool.succeed("ffmpeg", ["-nostdin", "-v", "error", "-i", path.string] + options + ["-"]).output
    }

    @Test(arguments: [
        (["-pix_fmt", "yuv422p10le", "-c:v", "prores_ks", "-c:a", "pcm_s24le"], "mov", ["mkv", "mov"]),
        (["-pix_fmt", "yuvj422p", "-c:v", "mjpeg", "-c:a", "pcm_s16le"], "mov", ["mkv"]),
        (["-c:v", "libx264", "-c:a", "flac"], "mkv", ["mkv", "mp4"]),
        (["-c:v", "libx264", "-c:a", "flac", "-strict", "-2"], "mp4", ["mkv", "mp4"]),
    ]) func `frames and samples without loss are those of the movies, one behind the other`(
        codecs: [String], ending: String, outputs: [String]
    ) async throws {
        var inputs: [FilePath] = []
        for (name, tone, seconds) in [("a", 440, 1), ("b", 880, 2)] {
            let path = folder.file("\(name).\(ending)")
            _ = try await Tool.succeed(
                "ffmpeg",
                ["-nostdin", "-v", "error", "-f", "lavfi", "-i", "testsrc2=size=160x96:rate=25:duration=\(seconds)"]
                    + ["-f", "lavfi", "-i", "sine=\(tone):duration=\(seconds):sample_rate=48000"] + codecs + [path])
            inputs.append(FilePath(path))
        }
        for options in [["-map", "0:v", "-f", "rawvideo"], ["-map", "0:a", "-f", "s32le"]] {
            let originals = try await decoded(inputs[0], options) + decoded(inputs[1], options)
            for output in outputs {
                let joined = FilePath(folder.file("c.\(output)"))
                let kind: MovieJoin.Kind =
                    output == "mkv" ? .matroska(isWebM: false) : .movie(output == "mov" ? .mov : .mp4)
                let result = try MovieJoin.join(inputs, to: joined, as: kind, replacing: true)
                #expect(result.frameCount == 75)
                let made = try await decoded(joined, options)
                #expect(made == originals, "\(output): \(made.count) of \(originals.count)")
            }
        }
    }

    @Test func `frames that are encoded with other settings are told, and refused by Matroska with the cure`()
        async throws
    {
        let inputs = [
            try await h264("a.mp4", "-bf 0 -x264-params cabac=0"),
            try await h264("b.mp4", "-bf 2 -x264-params cabac=1"),
        ]
        let (_, movie) = try join(inputs)
        #expect(movie.notes.count == 1 && movie.notes.allSatisfy { $0.contains("browsers stop where these change") })
        #expect(try join([inputs[0], inputs[0]], "alike.mov").1.notes.isEmpty)
        let output = FilePath(folder.file("joined.mkv"))
        #expect {
            try MovieJoin.join(inputs, to: output, as: .matroska(isWebM: false), replacing: false)
        } throws: { error in
            "\(error)".contains("b.mp4 cannot be joined as it is") && "\(error)".contains("other settings")
        }
    }

    @Test func `tracks in another order are joined, kind to kind`() async throws {
        let (first, second) = (try await h264("a.mp4"), try await h264("b.mp4", "-bf 2 -map 1 -map 0"))
        let (joined, _) = try join([first, second])
        #expect(try await frames(joined) == frames(first) + frames(second))
        try await FFmpeg.decode(joined.string)
    }

    @Test func `what only a decoder or a player would find different is refused`() async throws {
        let alac = ["s16p", "s32p"].map { "-c:v mpeg4 -c:a alac -sample_fmt \($0)" }
        let depths = [try await make("16.mov", alac[0]), try await make("24.mov", alac[1])]
        #expect(refusal(depths).contains("24.mov cannot be joined as it is: its audio is coded with other settings"))
        let prores = "-c:v prores_ks -c:a pcm_s16le"
        let aspects = [try await make("5-3.mov", prores), try await make("16-9.mov", "\(prores) -aspect 16:9")]
        #expect(refusal(aspects).contains("16-9.mov cannot be joined as it is: its pixels have another aspect ratio"))
    }

    @Test func `what is missing at the end of a movie, and chapters there, are told`() async throws {
        let cut = folder.file("cut.mp4")
        let whole = try await h264("whole.mp4", "-g 5 -movflags frag_keyframe+empty_moov")
        let bytes = try Data(contentsOf: URL(filePath: whole.string))
        try bytes.prefix(bytes.count * 2 / 3).write(to: URL(filePath: cut))
        let chapters =
            ";FFMETADATA1\n[CHAPTER]\nTIMEBASE=1/1\nSTART=0\nEND=1\n[CHAPTER]\nTIMEBASE=1/1\nSTART=3\nEND=4\n"
        try chapters.write(toFile: folder.file("chapters"), atomically: true, encoding: .utf8)
        let late = FilePath(folder.file("late.mov"))
        try await Tool.shell(
            "ffmpeg -nostdin -v error -i \(whole.string) -i \(folder.file("chapters")) -map 0 -map_chapters 1 -c copy "
                + late.string)
        let (joined, result) = try join([late, FilePath(cut)])
        #expect(
            result.notes == [
                "Left out: 1 chapter begins after the end of its movie.",
                "\(cut) ends early; what is intact is joined.",
            ])
        #expect(try await FFProbe.inspect(joined.string).chapters?.count == 1)
    }

    /// Times of strangers, near to the end of 64 bits.
    @Test(
        arguments: [
            [EditList.Edit(duration: .max, mediaTime: 1024)],
            [.init(duration: 1 << 63, mediaTime: nil), .init(duration: 1 << 63, mediaTime: nil)],
            [.init(duration: 1 << 62, mediaTime: nil), .init(duration: 12800, mediaTime: 1024)],
        ])
    func `an edit that lasts for ever ends in a sentence or in a movie`(edits: [EditList.Edit]) async throws {
        let good = try await h264("good.mp4")
        var bytes = try Data(contentsOf: URL(filePath: good.string))
        let file = try FileDescriptor.open(good, .readOnly)
        defer { try? file.close() }
        var moov = try MovieContents(ReadableFile(file)).moov
        bytes.removeLast(try moov.serialized().count)
        // The movie counts as the video does, so that nothing is lost on the way.
        try moov.edit(["mvhd"]) { (mvhd: inout Box) throws(MovieFileError) in try mvhd.setTimescale(12800) }
        try moov.edit(["trak"]) { (trak: inout Box) throws(MovieFileError) in
            trak.removeChildren { $0.type == "edts" }
            trak.insert(try EditList(edits: edits).box(), after: "tkhd")
        }
        let endless = FilePath(folder.file("endless.mp4"))
        try (bytes + moov.serialized()).write(to: URL(filePath: endless.string))
        for inputs in [[endless, good], [good, endless]] {
            do {
                let (_, result) = try join(inputs)
                #expect(result.frameCount == 50)
            } catch {
                #expect("\(error)".contains("longer than any movie can"), "\(error)")
            }
        }
    }
}
