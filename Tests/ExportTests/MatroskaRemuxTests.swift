import Encoding
import Export
import Foundation
import GStreamer
import MediaTypes
import MovieFiles
import SystemPackage
import TestSupport
import Testing

/// MOV, MP4 and Matroska become Matroska and WebM as bytes; what cannot is left to a pipeline.
@Suite(.timeLimit(.minutes(10)), .requires(tool: "ffmpeg", package: "ffmpeg")) struct MatroskaRemuxTests {
    private static let bytes = "All tracks are copied as they are."

    /// The checksums of all packets of a kind.
    private func packets(_ path: String, _ kind: String) async throws -> [Substring] {
        let result = try await Tool.succeed(
            "ffmpeg", ["-nostdin", "-v", "error", "-i", path, "-map", "0:\(kind)", "-c", "copy", "-f", "framemd5", "-"])
        return String(decoding: result.output, as: UTF8.self).split(separator: "\n").filter { !$0.hasPrefix("#") }
            .compactMap { $0.split(separator: ",").dropFirst(5).first }
    }

    @Test(arguments: [
        ("take.mkv", "-c:v libx264 -preset ultrafast -g 25 -bf 2 -c:a aac", "copy.mkv"),
        ("take.mov", "-c:v libx264 -preset ultrafast -g 25 -bf 2 -c:a aac", "copy.mkv"),
        ("take.mp4", "-c:v libvpx-vp9 -deadline realtime -cpu-used 8 -g 25 -c:a libopus", "copy.webm"),
    ])
    func `a whole movie is copied as bytes, in step, and says so`(name: String, options: String, output: String)
        async throws
    {
        let movie = try await MadeMovie(name, options)
        let result = try await movie.export(ExportSettings(preset: "copy"), to: output)
        #expect(result.notes == [Self.bytes])
        let copy = movie.folder.file(output)
        let size = try FileManager.default.attributesOfItem(atPath: copy)[.size] as? Int64
        #expect(result.size == size && result.frames == 75)
        for kind in ["v", "a"] {
            #expect(try await packets(copy, kind) == packets(movie.path, kind))
        }
        #expect(try await movie.frames(of: output) == Array(0..<75))
        let report = try await FFProbe.inspect(copy)
        #expect(abs((report.format.duration?.value ?? 0) - 3) < 0.1)
    }

    @Test func `a copy whose last packet is shorter than others is good`() async throws {
        let movie = try await MadeMovie("in.mkv", "-c:v libx264 -preset ultrafast -c:a flac")
        let events = "[Events]\nFormat: Layer, Start, End, Style, Text\nDialogue: 0,0:00:00.00,0:00:03.00,Default,One\n"
        let (text, input) = (movie.folder.file("text.ass"), movie.folder.file("text.mkv"))
        try ("[Script Info]\nScriptType: v4.00+\n\n" + events).write(toFile: text, atomically: true, encoding: .utf8)
        _ = try await Tool.succeed(
            "ffmpeg",
            ["-nostdin", "-v", "error", "-i", movie.path, "-i", text, "-map", "0", "-map", "1", "-c", "copy", input])
        _ = try await ExportSession(input: FilePath(input), settings: ExportSettings(preset: "copy"))
            .export(to: MovieDestination(FilePath(movie.folder.file("out.mkv"))))
        for kind in ["v", "a"] {
            #expect(try await packets(movie.folder.file("out.mkv"), kind) == packets(movie.path, kind))
        }
    }

    @Test func `every frame of a copy is decoded where that is asked for`() async throws {
        let movie = try await MadeMovie("take.mov", "-c:v libx264 -preset ultrafast -g 25 -bf 2 -c:a aac", seconds: 1)
        var settings = ExportSettings(preset: "copy")
        settings.verification = .full
        #expect(try await movie.export(settings, to: "copy.mkv").notes == [Self.bytes])
    }

    @Test func `a turn that players are asked for is lost, and that is said`() async throws {
        let movie = try await MadeMovie("take.mov", "-c:v libx264 -preset ultrafast -c:a aac", seconds: 1)
        try MovieEditing.setOrientation(.init(rotation: .quarter), ofMovieAt: FilePath(movie.path))
        let result = try await movie.export(ExportSettings(preset: "copy"), to: "copy.mkv")
        #expect(result.notes.first == Self.bytes)
        #expect(result.notes.count == 2 && result.notes.last?.contains("rotation apply") == true)
    }

    @Test func `frames that an edit hides are in the copy, as the others need them, and that is said`() async throws {
        let movie = try await MadeMovie("take.mov", "-c:v libx264 -preset ultrafast -g 25 -bf 2 -c:a aac")
        // An edit that hides the frames before 1.4 s.
        let part = movie.folder.file("part.mov")
        try MovieCopy.copy(
            FilePath(movie.path), to: FilePath(part), options: .init(fileType: .mov, timeRange: .seconds(1.4, 2.6)))
        let result = try await ExportSession(input: FilePath(part), settings: ExportSettings(preset: "copy"))
            .export(to: MovieDestination(FilePath(movie.folder.file("part.mkv"))))
        #expect(result.notes.first == Self.bytes)
        #expect(result.notes.count == 3 && result.notes[1].contains("0.40 s before the first one"), "\(result.notes)")
        // The last frame that is shown is made of the next one too, which begins where the edit ends.
        #expect(result.notes.last?.contains("the video ends with a frame that the input does not show") == true)
        #expect(try await FFProbe.inspect(movie.folder.file("part.mkv")).streams.count == 2)
    }

    @Test(arguments: [
        ("left_right", "side by side", 0), ("top_bottom", "top and bottom", 0), ("right_left", "side by side", 1),
        ("bottom_top", "top and bottom", 1),
    ])
    func `a movie with an image for each eye says so, in its shape`(
        mode: String, words: String, inverted: Int
    ) async throws {
        let movie = try await MadeMovie(
            "take.mkv", "-c:v libx264 -preset ultrafast -c:a aac -metadata:s:v stereo_mode=\(mode)", seconds: 1)
        _ = try await movie.export(ExportSettings(preset: "copy"), to: "copy.mkv")
        _ = try await movie.export(ExportSettings(preset: "copy"), to: "copy.mp4")
        // From what the movie tells, not Matroska.
        let movieFile = FilePath(movie.folder.file("copy.mp4"))
        _ = try await ExportSession(input: movieFile, settings: ExportSettings(preset: "copy"))
            .export(to: MovieDestination(FilePath(movie.folder.file("back.mkv"))))
        func told(_ path: String) async throws -> String {
            try await Tool.succeed(
                "ffprobe",
                ["-v", "error", "-select_streams", "v", "-show_entries"]
                    + ["stream=width,height,sample_aspect_ratio:stream_side_data=type,inverted", "-of", "flat", path]
            ).text
        }
        let original = try await told(movie.path)
        #expect(original.contains(words) && original.contains("inverted=\(inverted)"), "\(original)")
        // Through pipelines, as there is other audio to be made.
        var opus = ExportSettings(preset: "h264")
        opus.audio = .codec(.opus)
        let piped = try await movie.export(opus, to: "piped.mkv")
        #expect(piped.copiesFrames && !piped.notes.contains { $0.contains("eye") }, "\(piped)")
        _ = try await movie.export(opus, to: "piped.mp4")
        let pipedFile = FilePath(movie.folder.file("piped.mp4"))
        _ = try await ExportSession(input: pipedFile, settings: ExportSettings(preset: "copy"))
            .export(to: MovieDestination(FilePath(movie.folder.file("again.mkv"))))
        let encoded = try await movie.export(MadeMovie.settings(), to: "encoded.mkv")
        #expect(!encoded.notes.contains { $0.contains("eye") }, "\(encoded.notes)")
        _ = try await movie.export(MadeMovie.settings(), to: "encoded.mp4")
        var cut = MadeMovie.settings()
        cut.crop = CropArea(x: 0, y: 0, size: VideoSize(80, 60))
        for name in ["cut.mkv", "cut.mp4"] {
            let result = try await movie.export(cut, to: name)
            #expect(result.notes.contains { $0.contains("an image for each eye") }, "\(result.notes)")
            let flat = try await told(movie.folder.file(name))
            #expect(!flat.contains(words) && flat.contains("sample_aspect_ratio=\"1:1\""), "\(flat)")
        }
        let names = ["copy.mkv", "copy.mp4", "back.mkv", "piped.mkv", "piped.mp4", "again.mkv"]
        for name in names + ["encoded.mkv", "encoded.mp4"] {
            let copy = try await told(movie.folder.file(name))
            // ffprobe (5.1) knows no `vexu`, by which a movie says that the right eye comes first.
            if inverted == 0 || name.hasSuffix(".mkv") {
                #expect(copy.contains(words) && copy.contains("inverted=\(inverted)"), "\(name): \(copy)")
            }
            let shape = "sample_aspect_ratio=\"1:1\""
            #expect(copy.contains(shape) && original.contains(shape), "\(name): \(copy)")
        }
    }

    @Test func `where the images of both eyes lie is told where a movie cannot say it, and kept by Matroska`()
        async throws
    {
        let movie = try await MadeMovie(
            "take.mkv", "-c:v libx264 -preset ultrafast -c:a aac -metadata:s:v stereo_mode=row_interleaved_rl",
            seconds: 1)
        let copied = try await movie.export(ExportSettings(preset: "copy"), to: "copy.mp4")
        #expect(
            copied.notes.contains { $0.contains("eye (row by row, right eye first)") && $0.contains("MP4") },
            "\(copied.notes)")
        let kept = try await movie.export(ExportSettings(preset: "copy"), to: "copy.mkv")
        #expect(kept.notes == [Self.bytes])
        var opus = ExportSettings(preset: "h264")
        opus.audio = .codec(.opus)
        let piped = try await movie.export(opus, to: "piped.mkv")
        #expect(!piped.notes.contains { $0.contains("eye") }, "\(piped.notes)")
        func mode(_ name: String) async throws -> String {
            try await Tool.succeed(
                "ffprobe",
                ["-v", "error", "-select_streams", "v", "-show_entries", "stream_tags=stereo_mode", "-of", "csv=p=0"]
                    + [movie.folder.file(name)]
            ).text.trimmingCharacters(in: .whitespacesAndNewlines)
        }
        #expect(try await mode("copy.mkv").hasPrefix("row_interleaved_rl"))
        #expect(try await mode("piped.mkv").hasPrefix("row_interleaved_rl"))
        let joined = try MovieJoin.join(
            [FilePath(movie.path), FilePath(movie.path)], to: FilePath(movie.folder.file("joined.mp4")),
            as: .movie(.mp4),
            replacing: false)
        #expect(joined.notes.contains { $0.contains("eye (row by row, right eye first)") }, "\(joined.notes)")
    }
}
