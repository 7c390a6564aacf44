import Encoding
import Errors
import Foundation
import MediaDecoding
import MediaTypes
import SystemPackage
import TestSupport
import Testing

@testable import Export

/// Files whose containers say things of their streams that GStreamer reads in another way, or not at all.
@Suite(.timeLimit(.minutes(10)), .requires(tool: "ffmpeg", package: "ffmpeg")) struct OddContainerTests {
    /// Writes the movie anew with other bytes.
    private static func edit(_ movie: MadeMovie, _ change: (inout Data) throws -> Void) throws {
        var bytes = try Data(contentsOf: URL(filePath: movie.path))
        try change(&bytes)
        try bytes.write(to: URL(filePath: movie.path))
    }

    private static func firstTime(_ kind: String, of movie: MadeMovie, _ name: String) async throws -> Double? {
        try await FFProbe.packets("\(kind):0", of: movie.folder.file(name)).compactMap(\.ptsTime?.value).min()
    }

    @Test(arguments: [0, 2], ["copy out.mkv", "h264 out.mp4"])
    func `an MXF without its index keeps audio and video in step`(reordered: Int, output: String) async throws {
        let movie = try await MadeMovie(
            "in.mxf", "-c:v mpeg2video -q:v 3 -bf \(reordered) -g 12 -c:a pcm_s16le -ar 48000", seconds: 4)
        try Self.edit(movie) { $0.removeLast($0.count * 3 / 10) }
        let words = output.split(separator: " ").map(String.init)
        let result = try await movie.export(ExportSettings(preset: words[0]), to: words[1])
        let frames = try await movie.frames(of: words[1])
        // The last one may have lost those that are shown before it.
        #expect(frames.count > 50 && Array(frames.dropLast()) == Array(0..<frames.count - 1), "\(result.notes)")
        let (video, audio) = (
            try await Self.firstTime("v", of: movie, words[1]), try await Self.firstTime("a", of: movie, words[1])
        )
        #expect(abs((video ?? 9) - (audio ?? 0)) < 0.03, "\(String(describing: video)), \(String(describing: audio))")
        let times = try await FFProbe.packets("v:0", of: movie.folder.file(words[1])).compactMap(\.ptsTime?.value)
            .sorted().dropLast()
        #expect(zip(times, times.dropFirst()).allSatisfy { abs($1 - $0 - 0.04) < 0.002 }, "\(times)")
    }

    @Test func `MPEG-1 with a rate beyond those of the standard keeps it`() async throws {
        let movie = try await MadeMovie("in.m1v", "-c:v mpeg1video -q:v 3 -g 10 -bf 0 -an -f mpeg1video", seconds: 2)
        try Self.edit(movie) { bytes in
            for place in bytes.indices.dropLast(8) where bytes[place..<place + 4].elementsEqual([0, 0, 1, 0xB3]) {
                bytes[place + 7] = bytes[place + 7] & 0xF0 | 9
            }
        }
        // Xing's 15 frames a second, as ffprobe says.
        #expect(try await FFProbe.inspect(movie.path).video.first?.rFrameRate == "15/1")
        let result = try await movie.export(ExportSettings(preset: "h264"), to: "out.mp4")
        #expect(try await movie.frames(of: "out.mp4") == Array(0..<50), "\(result.notes)")
        let duration = try await FFProbe.inspect(movie.folder.file("out.mp4")).format.duration?.value ?? 0
        // ffmpeg, too, shows the first one twice as long.
        #expect(abs(duration - 50 / 15.0) < 0.07)
    }

    @Test(arguments: ["out.mp4", "out.mkv"])
    func `a track of images beside audio is video`(name: String) async throws {
        let movie = try await MadeMovie(
            "in.mp4", "-c:v libaom-av1 -cpu-used 8 -crf 30 -g 10 -c:a aac -movflags faststart", seconds: 1)
        try Self.edit(movie) { bytes in
            let place = try #require(bytes.firstRange(of: Data("vide".utf8)))
            bytes.replaceSubrange(place, with: Data("pict".utf8))
        }
        let result = try await movie.export(ExportSettings(preset: "h264"), to: name)
        #expect(try await movie.frames(of: name) == Array(0..<25), "\(result.notes)")
        #expect(try await FFProbe.inspect(movie.folder.file(name)).audio.count == 1)
        #expect(!result.notes.contains { $0.contains("left out") }, "\(result.notes)")
    }

    /// As Easy CD-DA Extractor wrote it.
    @Test(arguments: ["out.wav", "out.m4a"])
    func `audio whose first packet has an offset of composition is whole`(name: String) async throws {
        let movie = try await MadeMovie("in.m4a", "-vn -c:a aac -use_editlist 0 -movflags faststart", seconds: 3)
        let whole = try await FFmpeg.audio(of: movie.path, rate: 48_000)
        try Self.edit(movie) { bytes in
            // A table of one offset behind the times (stts), with all boxes around it that much longer.
            let table =
                Data([0, 0, 0, 24]) + Data("ctts".utf8) + Data([0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0x10, 0xB4])
            let times = try #require(bytes.firstRange(of: Data("stts".utf8))).lowerBound - 4
            for type in ["moov", "trak", "mdia", "minf", "stbl"] {
                let place = try #require(bytes.firstRange(of: Data(type.utf8))).lowerBound - 4
                let size = bytes[place..<place + 4].reduce(0) { $0 << 8 | UInt32($1) } + UInt32(table.count)
                bytes.replaceSubrange(
                    place..<place + 4, with: (0..<4).map { UInt8(truncatingIfNeeded: size >> (24 - 8 * $0)) })
            }
            let chunks = try #require(bytes.firstRange(of: Data("stco".utf8))).upperBound
            let count = bytes[chunks + 4..<chunks + 8].reduce(0) { $0 << 8 | Int($1) }
            for index in 0..<count {
                let place = chunks + 8 + 4 * index
                let offset = bytes[place..<place + 4].reduce(0) { $0 << 8 | UInt32($1) } + UInt32(table.count)
                bytes.replaceSubrange(
                    place..<place + 4, with: (0..<4).map { UInt8(truncatingIfNeeded: offset >> (24 - 8 * $0)) })
            }
            let end = times + Int(bytes[times..<times + 4].reduce(0) { $0 << 8 | UInt32($1) })
            bytes.insert(contentsOf: table, at: end)
        }
        let result = try await movie.export(ExportSettings(preset: name == "out.m4a" ? "copy" : "h264"), to: name)
        let audio = try await FFmpeg.audio(of: movie.folder.file(name), rate: 48_000)
        #expect(abs(audio.count - whole.count) <= 1024, "\(audio.count), \(whole.count), \(result.notes)")
        #expect(zip(audio.dropFirst(4096), whole.dropFirst(4096)).allSatisfy { abs($0 - $1) < 0.01 })
    }

    @Test(arguments: ["in.webm", "in.mkv"], ["copy", "h264"])
    func `what a cut-off file lacks is not called undecodable`(name: String, preset: String) async throws {
        let movie = try await MadeMovie(name, "-c:v libvpx -b:v 300k -g 25 -c:a libopus", seconds: 6)
        try Self.edit(movie) { $0.removeLast($0.count * 4 / 10) }
        let result = try await movie.export(ExportSettings(preset: preset), to: "out.mkv")
        #expect(result.notes.contains { $0.contains("cut off") }, "\(result.notes)")
        #expect(!result.notes.contains { $0.contains("decoded") }, "\(result.notes)")
    }

    @Test(arguments: ["copy", "h264"])
    func `subtitles that stay longer than the frames are no lost end`(preset: String) async throws {
        let movie = try await MadeMovie("bare.webm", "-c:v libvpx -b:v 300k -g 25 -c:a libopus", seconds: 2)
        try Data("WEBVTT\n\n00:00.500 --> 00:03.900\nGood-bye\n".utf8).write(
            to: URL(filePath: movie.folder.file("text.vtt")))
        let input = movie.folder.file("in.webm")
        _ = try await Tool.succeed(
            "ffmpeg",
            [
                "-nostdin", "-v", "error", "-i", movie.path, "-i", movie.folder.file("text.vtt"), "-map", "0", "-map",
                "1",
            ]
                + ["-c", "copy", input])
        let result = try await ExportSession(input: FilePath(input), settings: ExportSettings(preset: preset))
            .export(to: MovieDestination(FilePath(movie.folder.file("out.mkv"))))
        #expect(!result.notes.contains { $0.contains("ends") }, "\(result.notes)")
        #expect(try await FFProbe.inspect(movie.folder.file("out.mkv")).streams.count == 3)
    }

    /// What libavcodec decodes, as GStreamer has no name for it.
    @Test(arguments: ["in.mov -c:v tiff -pix_fmt rgb24", "in.mkv -c:v svq1 -pix_fmt yuv410p"])
    func `parts and joins have all that whole exports have`(made: String) async throws {
        let words = made.split(separator: " ", maxSplits: 1).map(String.init)
        let movie = try await MadeMovie(words[0], words[1] + " -q:v 2 -c:a pcm_s16le", seconds: 1)
        var settings = MadeMovie.settings()
        settings.parts = [
            TimeRange(start: .zero, end: 400 * .millisecond), TimeRange(start: 800 * .millisecond, end: .second),
        ]
        let result = try await movie.export(settings, to: "cut.mp4")
        #expect(try await movie.frames(of: "cut.mp4") == Array(0..<10) + Array(20..<25), "\(result.notes)")
        let other = try await MadeMovie("other.mp4", "-c:v libx264 -preset ultrafast -c:a aac", seconds: 1)
        let joined = movie.folder.file("joined.mp4")
        _ = try await ExportSession(
            joining: [FilePath(other.path), FilePath(movie.path)], settings: MadeMovie.settings(), center: nil
        ).export(to: MovieDestination(FilePath(joined)))
        #expect(try await MadeMovie.frames(at: joined) == Array(0..<25) + Array(0..<25))
    }

    /// As podcasts have them, in a track of video that the audio names as its chapters.
    @Test func `images of chapters are no video`() async throws {
        let movie = try await MadeMovie("in.mp4", "-c:v mjpeg -c:a aac", seconds: 1, size: "48x32")
        let list = movie.folder.file("chapters")
        try Data(";FFMETADATA1\n[CHAPTER]\nTIMEBASE=1/10\nSTART=0\nEND=10\ntitle=One\n".utf8).write(
            to: URL(filePath: list))
        let input = movie.folder.file("podcast.m4a")
        _ = try await Tool.succeed(
            "ffmpeg",
            ["-nostdin", "-v", "error", "-i", movie.path, "-i", list, "-map_chapters", "1", "-c", "copy", "-f", "mp4"]
                + [input])
        var bytes = try Data(contentsOf: URL(filePath: input))
        let chapters = try #require(bytes.range(of: Data("chap".utf8), options: .backwards)).upperBound
        bytes[chapters + 3] = 1
        try bytes.write(to: URL(filePath: input))
        for (preset, name) in [("h264", "out.mp4"), ("copy", "out.m4a"), ("h264", "out.mkv")] {
            let result = try await ExportSession(input: FilePath(input), settings: ExportSettings(preset: preset))
                .export(to: MovieDestination(FilePath(movie.folder.file(name))))
            let report = try await FFProbe.inspect(movie.folder.file(name))
            #expect(report.video.isEmpty && report.audio.count == 1 && report.chapters?.count == 1, "\(name)")
            #expect(result.notes.contains { $0.contains("images of") && $0.contains("left out") }, "\(result.notes)")
        }
    }

    /// As a whole broadcast is recorded.
    @Test func `of several programs that only libavformat reads one is taken, and the others are told`() async throws {
        let folder = try TemporaryFolder()
        let input = folder.file("in.ts")
        _ = try await Tool.succeed(
            "ffmpeg",
            ["-nostdin", "-v", "error", "-f", "lavfi", "-i", "testsrc2=size=96x64:duration=1", "-f", "lavfi", "-i"]
                + ["sine=duration=1", "-map", "0:v", "-map", "1:a", "-map", "0:v", "-map", "1:a", "-map", "1:a"]
                + ["-program", "st=0:st=1", "-program", "st=2:st=3:st=4", "-c:v", "mpeg2video", "-c:a", "mp2", input])
        let media = try #require(DecodedMedia(reading: FilePath(input), named: "in.ts"))
        #expect(media.video.count == 1 && media.audio.count == 1)
        #expect(media.otherProgramCount == 1)
        #expect(abs((media.likelyDuration?.seconds ?? 0) - 1) < 0.1)
        #expect(media.omissions == ["A further program was left out."])
    }
}
