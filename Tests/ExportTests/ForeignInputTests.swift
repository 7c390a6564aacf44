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

/// Inputs as other programs write them, of which something was lost or that were refused.
@Suite(.serialized, .timeLimit(.minutes(10)), .requires(tool: "ffmpeg", package: "ffmpeg")) struct ForeignInputTests {
    private static let h264 = "-c:v libx264 -preset ultrafast -g 10 -bf 0"

    private static func copying() -> ExportSettings { ExportSettings(preset: "copy") }

    @Test func `HEVC whose parameter sets may lie among the frames is copied to MP4`() async throws {
        let movie = try await MadeMovie(
            "in.mp4", "-c:v libx265 -preset ultrafast -x265-params log-level=none:pools=1 -tag:v hev1 -c:a aac",
            seconds: 1)
        // Other audio, so that a pipeline carries the frames.
        var settings = Self.copying()
        settings.audio = .codec(.pcm)
        for (name, settings) in [("out.mp4", ExportSettings(preset: "hevc")), ("out.mov", settings)] {
            let result = try await movie.export(settings, to: name)
            #expect(try await movie.frames(of: name) == Array(0..<25))
            let report = try await FFProbe.inspect(movie.folder.file(name))
            #expect(report.video.first?.codecTagString == "hvc1" && report.audio.count == 1)
            #expect(result.notes.contains { $0.contains("HEVC is copied") }, "\(result.notes)")
        }
    }

    @Test func `an animated WebP is called so, where nothing decodes it`() async throws {
        let movie = try await MadeMovie("in.mp4", "\(Self.h264) -an", seconds: 1)
        let input = movie.folder.file("in.webp")
        _ = try await Tool.succeed(
            "ffmpeg", ["-nostdin", "-v", "error", "-i", movie.path, "-c:v", "libwebp_anim", "-loop", "0", input])
        let error = await #expect(throws: RushesError.self) {
            _ = try await ExportSession(input: FilePath(input), settings: MadeMovie.settings()).export(
                to: MovieDestination(FilePath(movie.folder.file("out.mp4"))))
        }
        #expect(error?.description.contains("in.webp is an animated WebP") == true, "\(String(describing: error))")
    }

    @Test func `a photo in a movie's boxes is called one`() async throws {
        let folder = try TemporaryFolder()
        let input = folder.file("in.heic")
        _ = try await Tool.succeed("convert", ["-size", "160x120", "gradient:red-blue", folder.file("in.png")])
        _ = try await Tool.succeed("heif-enc", [folder.file("in.png"), "-o", input])
        let error = await #expect(throws: RushesError.self) {
            _ = try await ExportSession(input: FilePath(input), settings: MadeMovie.settings()).export(
                to: MovieDestination(FilePath(folder.file("out.mp4"))))
        }
        #expect(error?.description.contains("in.heic is a photo") == true, "\(String(describing: error))")
    }

    @Test(arguments: ["mpeg4", "mpeg2video"])
    func `the last frame is shown where nobody tells how long frames last`(codec: String) async throws {
        let movie = try await MadeMovie("in.ts", "-c:v \(codec) -q:v 3 -an", seconds: 1)
        var settings = Self.copying()
        settings.audio = .preset
        // QuickTime's muxer takes no MPEG-2.
        let name = codec == "mpeg4" ? "out.mov" : "out.mkv"
        _ = try await movie.export(settings, to: name)
        #expect(try await movie.frames(of: name) == Array(0..<25))
        let duration = try #require(try await FFProbe.inspect(movie.folder.file(name)).format.duration?.value)
        #expect(codec != "mpeg4" || abs(duration - 1) < 0.002)
    }

    @Test func `FLAC in Matroska lasts as long as its last block has samples`() async throws {
        let movie = try await MadeMovie("in.mov", "\(Self.h264) -c:a pcm_s16le", seconds: 2)
        var settings = Self.copying()
        settings.audio = .codec(.flac)
        _ = try await movie.export(settings, to: "out.mkv")
        let duration = try #require(try await FFProbe.inspect(movie.folder.file("out.mkv")).format.duration?.value)
        #expect(abs(duration - 2) < 0.002)
        let audio = try await FFmpeg.audio(of: movie.folder.file("out.mkv"), rate: 48_000)
        #expect(audio.count == 96_000)
    }

    @Test(arguments: ["3", "4"]) func `chapters of an MP3 are kept`(version: String) async throws {
        let folder = try TemporaryFolder()
        let list = ";FFMETADATA1\ntitle=Talk\n[CHAPTER]\nTIMEBASE=1/1000\nSTART=0\nEND=1200\ntitle=Grüße\n"
        let second = "[CHAPTER]\nTIMEBASE=1/1000\nSTART=1200\nEND=3000\ntitle=Ende\n"
        try (list + second).write(toFile: folder.file("list.txt"), atomically: true, encoding: .utf8)
        _ = try await Tool.succeed(
            "ffmpeg",
            ["-nostdin", "-v", "error", "-f", "lavfi", "-i", "sine=duration=3", "-i", folder.file("list.txt")]
                + ["-map", "0", "-map_metadata", "1", "-map_chapters", "1", "-id3v2_version", version]
                + ["-c:a", "libmp3lame", folder.file("in.mp3")])
        let read = try ID3Chapters.read(FilePath(folder.file("in.mp3")))
        #expect(read.map(\.title) == ["Grüße", "Ende"])
        #expect(read.map(\.start) == [.zero, 1200 * .millisecond])
        _ = try await ExportSession(input: FilePath(folder.file("in.mp3")), settings: ExportSettings(preset: "h264"))
            .export(to: MovieDestination(FilePath(folder.file("out.m4a"))))
        let report = try await FFProbe.inspect(folder.file("out.m4a"))
        #expect((report.chapters ?? []).map { $0.tags?["title"] } == ["Grüße", "Ende"])
    }

    @Test func `tags of all forms give their chapters, and broken ones none`() throws {
        let folder = try TemporaryFolder()
        func number(_ value: Int) -> [UInt8] { [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) } }
        func frame(_ id: String, _ body: [UInt8]) -> [UInt8] { Array(id.utf8) + number(body.count) + [0, 0] + body }
        func chapters(_ flags: UInt8, _ body: [UInt8], size: Int? = nil) throws -> [MovieInfo.Chapter] {
            let size = size ?? body.count
            let head = [0x49, 0x44, 0x33, 3, 0, flags] + [21, 14, 7, 0].map { UInt8(size >> $0 & 0x7F) }
            try Data(head + body).write(to: URL(filePath: folder.file("tag.mp3")))
            return try ID3Chapters.read(FilePath(folder.file("tag.mp3")))
        }
        let times = number(1500) + number(2000) + number(-1) + number(-1)
        // UTF-16 with its mark, whose 255 is followed by a zero where the tag keeps from looking like audio.
        let chapter = frame("CHAP", [0x61, 0] + times + frame("TIT2", [1, 0xFF, 0xFE, 0x41, 0]))
        let wanted = [MovieInfo.Chapter(start: 1500 * .millisecond, title: "A")]
        #expect(try chapters(0, frame("TALB", [0, 0x42]) + chapter) == wanted)
        #expect(try chapters(0x40, number(6) + [UInt8](repeating: 0, count: 6) + chapter) == wanted)
        let guarded = chapter.flatMap { $0 == 0xFF ? [0xFF, 0] : [$0] }
        #expect(try chapters(0x80, guarded) == wanted)
        #expect(try chapters(0, Array(chapter.prefix(20))).isEmpty)
        #expect(try chapters(0, chapter, size: 5).isEmpty)
        #expect(try chapters(0, frame("CHAP", [0x61])).isEmpty)
        #expect(try chapters(0, Array("CHAP".utf8) + [0xFF, 0xFF, 0xFF, 0xFF, 0, 0, 1]).isEmpty)
    }

    @Test func `tracks behind the clusters of Matroska are found`() async throws {
        let movie = try await MadeMovie("in.mkv", "\(Self.h264) -c:a aac", seconds: 1)
        var bytes = try Data(contentsOf: URL(filePath: movie.path))
        let cluster = try #require(bytes.range(of: Data([0x1F, 0x43, 0xB6, 0x75])))
        let id = Data([0x16, 0x54, 0xAE, 0x6B])
        let start = try #require(bytes.range(of: id, options: .backwards, in: 0..<cluster.lowerBound)).lowerBound
        let width = bytes[start + 4].leadingZeroBitCount + 1
        let size = bytes[(start + 4)..<(start + 4 + width)].reduce(0) { $0 << 8 | Int($1) } & ~(1 << (7 * width))
        let whole = start..<start + 4 + width + size
        let tracks = bytes[whole]
        // A void in their place, as mkvmerge leaves one, and they themselves at the end of the segment, which gets longer.
        func eight(_ value: Int) -> Data {
            let size = UInt64(1) << 56 | UInt64(value)
            return withUnsafeBytes(of: size.bigEndian) { Data($0) }
        }
        bytes.replaceSubrange(
            whole, with: Data([0xEC]) + eight(whole.count - 9) + Data(count: whole.count - 9))
        bytes += tracks
        let segment = try #require(bytes.range(of: Data([0x18, 0x53, 0x80, 0x67]))).upperBound
        bytes.replaceSubrange(segment..<segment + 8, with: eight(bytes.count - segment - 8))
        let late = movie.folder.file("late.mkv")
        try bytes.write(to: URL(filePath: late))
        #expect(try MovieInfo(readingMatroska: FilePath(late))?.video.first?.frameCount == 25)
        let result = try await ExportSession(input: FilePath(late), settings: Self.copying())
            .export(to: MovieDestination(FilePath(movie.folder.file("out.mkv"))))
        #expect(result.frames == 25)
        #expect(try await movie.frames(of: "out.mkv") == Array(0..<25))
        #expect(try await FFProbe.inspect(movie.folder.file("out.mkv")).audio.count == 1)
    }

    @Test func `pixels have the shape that the file says and not the stream`() async throws {
        let movie = try await MadeMovie("in.mp4", "\(Self.h264) -vf setsar=27/64 -an", seconds: 1)
        var bytes = try Data(contentsOf: URL(filePath: movie.path))
        let place = try #require(bytes.range(of: Data("pasp".utf8))).upperBound
        bytes.replaceSubrange(place..<place + 8, with: [0, 0, 0, 1, 0, 0, 0, 1])
        let square = movie.folder.file("square.mp4")
        try bytes.write(to: URL(filePath: square))
        for (input, wide) in [(movie.path, "27:64"), (square, "1:1")] {
            _ = try await ExportSession(input: FilePath(input), settings: MadeMovie.settings())
                .export(to: MovieDestination(FilePath(movie.folder.file("\(wide).mp4"))))
            let answer = try await Tool.succeed(
                "ffprobe",
                ["-v", "error", "-show_entries", "stream=sample_aspect_ratio", "-of", "csv=p=0"]
                    + [movie.folder.file("\(wide).mp4")])
            #expect(answer.text.contains(wide), "\(answer.text)")
        }
    }

    @Test(arguments: ["-bf 0", "-bf 2"]) func `a last frame without a length is kept`(reordering: String) async throws {
        let movie = try await MadeMovie(
            "in.mp4", "-c:v libx264 -preset ultrafast -g 10 \(reordering) -c:a aac", seconds: 1)
        var bytes = try Data(contentsOf: URL(filePath: movie.path))
        // The first track's table has one entry, for all frames; as phones write it, it has one more for the last.
        let table = try #require(bytes.range(of: Data("stts".utf8))).lowerBound
        #expect(Array(bytes[(table + 8)..<(table + 16)]) == [0, 0, 0, 1, 0, 0, 0, 25])
        bytes.replaceSubrange((table + 8)..<(table + 16), with: [0, 0, 0, 2, 0, 0, 0, 24])
        bytes[table - 1] += 8
        bytes.insert(contentsOf: [0, 0, 0, 1, 0, 0, 0, 0], at: table + 20)
        // What it lies in gets longer, its own header and the edit shorter by a frame.
        for name in ["moov", "trak", "mdia", "minf", "stbl"] {
            let place = try #require(bytes.range(of: Data(name.utf8))).lowerBound - 4
            write(number(bytes, place) + 8, &bytes, place)
        }
        let header = try #require(bytes.range(of: Data("mdhd".utf8))).lowerBound
        let (scale, length) = (number(bytes, header + 16), number(bytes, header + 20))
        write(length - scale / 25, &bytes, header + 20)
        let edit = try #require(bytes.range(of: Data("elst".utf8))).lowerBound
        write(number(bytes, edit + 12) - 40, &bytes, edit + 12)
        let input = movie.folder.file("last.mp4")
        try bytes.write(to: URL(filePath: input))
        // Other audio, so that a pipeline carries the frames.
        var carried = Self.copying()
        carried.audio = .codec(.pcm)
        for (name, settings) in [
            ("out.mov", MadeMovie.settings()), ("out.mkv", Self.copying()), ("carried.mov", carried),
        ] {
            let result = try await ExportSession(input: FilePath(input), settings: settings)
                .export(to: MovieDestination(FilePath(movie.folder.file(name))))
            #expect(try await movie.frames(of: name) == Array(0..<25))
            #expect(result.notes.allSatisfy { !$0.contains("missing") }, "\(result.notes)")
        }
    }

    private func number(_ bytes: Data, _ place: Int) -> Int {
        bytes[place..<place + 4].reduce(0) { $0 << 8 | Int($1) }
    }

    private func write(_ value: Int, _ bytes: inout Data, _ place: Int) {
        bytes.replaceSubrange(place..<place + 4, with: [24, 16, 8, 0].map { UInt8(value >> $0 & 0xFF) })
    }

    /// Neither AVI nor a bare stream says when frames are shown.
    @Test(arguments: [
        ("in.avi", "-c:v libx264 -preset ultrafast -g 12 -bf 2", "h264"), ("in.avi", "-c:v mpeg4 -bf 2", "h264"),
        ("in.h264", "-c:v libx264 -preset ultrafast -g 12 -bf 2", "h264"),
        ("in.hevc", "-c:v libx265 -preset ultrafast -x265-params log-level=none:pools=1:bframes=2", "hevc"),
        ("in.m2v", "-c:v mpeg2video -bf 2", "h264"),
    ])
    func `frames without times that may be shown in another order are encoded, and never copied`(
        name: String, options: String, preset: String
    ) async throws {
        let movie = try await MadeMovie(name, options + " -an", seconds: 1)
        let error = await #expect(throws: RushesError.self) { try await movie.export(Self.copying(), to: "copy.mkv") }
        #expect(error?.code == .invalidSettings && error?.description.contains("in another order") == true)
        #expect(movie.folder.contents == [name])
        let result = try await movie.export(ExportSettings(preset: preset), to: "out.mp4")
        #expect(!result.notes.contains { $0.contains("copied") }, "\(result.notes)")
        #expect(try await movie.frames(of: "out.mp4") == Array(0..<25))
    }

    @Test(arguments: [
        ("in.avi", "\(h264)"), ("in.avi", "-c:v mpeg4"), ("in.h264", "\(h264)"),
        ("in.avi", "-c:v libx264 -profile:v baseline"), ("in.avi", "-c:v msmpeg4"), ("in.avi", "-c:v wmv1"),
        ("in.avi", "-c:v wmv2"),
    ])
    func `frames without times that are shown as they come are copied`(name: String, options: String) async throws {
        let movie = try await MadeMovie(name, options + " -an", seconds: 1)
        let result = try await movie.export(Self.copying(), to: "copy.mkv")
        #expect(result.notes.contains { $0.contains("copied as it is") }, "\(result.notes)")
        #expect(try await movie.frames(of: "copy.mkv") == Array(0..<25))
    }

    @Test func `the last frame lasts as long as in the input, where frames are not quite evenly apart`() async throws {
        let movie = try await MadeMovie(
            "in.mkv", "-vf settb=1/90000,setpts=N*3750+N*N -fps_mode passthrough -enc_time_base 1/90000 -c:v ffv1 -an",
            seconds: 2, rate: 24)
        _ = try await movie.export(MadeMovie.settings(), to: "out.mov")
        let path = movie.folder.file("out.mov")
        let times = try await FFProbe.packets("v:0", of: path).compactMap { $0.ptsTime?.value }
        #expect(times.count == 48)
        let shown = (times.max() ?? 0) - (times.min() ?? 0) + 1 / 24
        // Frames by how long they are decoded, as players count them.
        let stream = try #require(try await FFProbe.inspect(path).video.first)
        let rate = try #require(stream.avgFrameRate).split(separator: "/").compactMap { Double($0) }
        try #require(rate.count == 2)
        #expect(abs(48 * rate[1] / rate[0] - shown) < 0.003, "\(rate) \(shown)")
    }
}
