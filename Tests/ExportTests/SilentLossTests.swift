import Encoding
import Errors
import Export
import Foundation
import MediaTypes
import MovieFiles
import SystemPackage
import TestSupport
import Testing

/// Inputs of which a part was lost without a word, or with a wrong one, and such as were refused though they can be read.
@Suite(.timeLimit(.minutes(5)), .requires(tool: "ffmpeg", package: "ffmpeg")) struct SilentLossTests {
    private static let h264 = "-c:v libx264 -preset ultrafast -g 50 -bf 2"

    private func export(
        _ path: String, _ settings: ExportSettings, to output: String
    ) async throws -> ExportResult {
        try await ExportSession(input: FilePath(path), settings: settings).export(
            to: MovieDestination(FilePath(output)))
    }

    private func number(_ bytes: Data, _ place: Int) -> Int {
        bytes[place..<place + 4].reduce(0) { $0 << 8 | Int($1) }
    }

    private func write(_ value: Int, _ bytes: inout Data, _ place: Int) {
        bytes.replaceSubrange(place..<place + 4, with: [24, 16, 8, 0].map { UInt8(value >> $0 & 0xFF) })
    }

    @Test(arguments: [4, 5, 6])
    func `an edit that ends among reordered frames shows all before its end`(count: Int) async throws {
        let movie = try await MadeMovie(
            "in.mov", "\(Self.h264) -x264-params b-adapt=0 -an -movflags negative_cts_offsets", seconds: 1)
        var bytes = try Data(contentsOf: URL(filePath: movie.path))
        let edit = try #require(bytes.range(of: Data("elst".utf8))).lowerBound
        #expect(number(bytes, edit + 16) == 0, "frames are shown before their decoding times")
        write(count * 40, &bytes, edit + 12)
        let input = movie.folder.file("cut.mov")
        try bytes.write(to: URL(filePath: input))
        let wanted = try await movie.frames(of: "cut.mov")
        #expect(wanted == Array(0..<count))
        let result = try await export(input, MadeMovie.settings(), to: movie.folder.file("out.mp4"))
        #expect(try await movie.frames(of: "out.mp4") == wanted, "\(result.notes)")
    }

    /// A demuxer goes on with the next cluster.
    @Test(arguments: ["out.mkv", "out.mp4"])
    func `what is damaged in the middle of Matroska is told, encoded or copied`(output: String) async throws {
        let movie = try await MadeMovie("in.mkv", "-c:v mjpeg -c:a pcm_s16le -cluster_time_limit 400", seconds: 4)
        var bytes = try Data(contentsOf: URL(filePath: movie.path))
        let sound = try await export(movie.path, MadeMovie.settings(), to: movie.folder.file("sound.mp4"))
        #expect(sound.frames == 100 && !sound.notes.contains { $0.contains("damaged") }, "\(sound.notes)")
        let (middle, size) = (bytes.count / 2, bytes.count / 20)
        bytes.replaceSubrange(middle..<middle + size, with: Data(count: size))
        let input = movie.folder.file("damaged.mkv")
        try bytes.write(to: URL(filePath: input))
        let settings = output.hasSuffix("mkv") ? ExportSettings(preset: "copy") : MadeMovie.settings()
        let result = try await export(input, settings, to: movie.folder.file(output))
        let frames = result.frames
        #expect(frames > 60 && frames < 100)
        #expect(
            result.notes.contains { $0.contains("The file is damaged at ") && $0.contains(" s: frames and audio") },
            "\(result.notes)")
    }

    @Test func `a track without samples is left out and told`() async throws {
        let movie = try await MadeMovie("in.mp4", "\(Self.h264) -c:a aac", seconds: 1)
        var bytes = try Data(contentsOf: URL(filePath: movie.path))
        let index = try #require(bytes.range(of: Data("moov".utf8), options: .backwards)).lowerBound - 4
        let start = try #require(bytes.range(of: Data("trak".utf8), in: index..<bytes.count)).lowerBound - 4
        var track = Data(bytes[start..<start + number(bytes, start)])
        let header = try #require(track.range(of: Data("tkhd".utf8))).upperBound
        write(3, &track, header + 12)
        for (name, place) in [("stts", 4), ("ctts", 4), ("stss", 4), ("stsc", 4), ("stsz", 8), ("stco", 4)] {
            write(0, &track, try #require(track.range(of: Data(name.utf8))).upperBound + place)
        }
        bytes.insert(contentsOf: track, at: start + track.count)
        write(number(bytes, index) + track.count, &bytes, index)
        let input = movie.folder.file("empty.mp4")
        try bytes.write(to: URL(filePath: input))
        for name in ["out.mov", "out.mkv"] {
            let result = try await export(input, ExportSettings(preset: "copy"), to: movie.folder.file(name))
            let tracks = name == "out.mov" ? "All other tracks" : "All tracks"
            #expect(result.notes.first == "\(tracks) are copied as they are.", "\(result.notes)")
            #expect(name == "out.mkv" || result.notes.contains("Track 3 is left out: it has no samples."))
            #expect(try await movie.frames(of: name) == Array(0..<25))
            #expect(try await FFProbe.inspect(movie.folder.file(name)).video.count == 1)
        }
    }

    @Test func `a movie that is partly in fragments is read from its beginning`() async throws {
        let movie = try await MadeMovie(
            "in.mp4", "-c:v libx264 -preset ultrafast -g 10 -bf 2 -c:a aac -movflags frag_keyframe", seconds: 1)
        #expect(try ReindexedMovie(reading: FilePath(movie.path)) != nil)
        let result = try await export(movie.path, MadeMovie.settings(), to: movie.folder.file("out.mp4"))
        #expect(try await movie.frames(of: "out.mp4") == Array(0..<25))
        #expect(result.notes.allSatisfy { !$0.contains("missing") }, "\(result.notes)")
        let whole = try await MadeMovie(
            "in.mp4", "\(Self.h264) -c:a aac -movflags empty_moov+frag_keyframe", seconds: 1)
        #expect(try ReindexedMovie(reading: FilePath(whole.path)) == nil)
    }

    @Test func `Vorbis that begins late is copied where it is`() async throws {
        let movie = try await MadeMovie("in.mkv", "\(Self.h264) -c:a libvorbis", seconds: 1)
        let input = movie.folder.file("late.mkv")
        _ = try await Tool.succeed(
            "ffmpeg",
            ["-nostdin", "-v", "error", "-i", movie.path, "-itsoffset", "0.3", "-i", movie.path]
                + ["-map", "0:v", "-map", "1:a", "-c", "copy", input])
        _ = try await export(input, ExportSettings(preset: "copy"), to: movie.folder.file("out.mkv"))
        let times = try await Tool.succeed(
            "ffprobe",
            ["-v", "error", "-select_streams", "a", "-show_entries", "stream=start_time:format=duration"]
                + ["-of", "csv=p=0", movie.folder.file("out.mkv")])
        let numbers = times.text.split(whereSeparator: \.isNewline).compactMap { Double($0) }
        #expect(numbers.count == 2 && abs(numbers[0] - 0.3) < 0.02 && abs(numbers[1] - 1.3) < 0.03, "\(times.text)")
    }

    @Test func `a copy lasts as long as its edits say, whatever its header says`() async throws {
        let movie = try await MadeMovie("in.m4a", "-vn -c:a aac", seconds: 1)
        var bytes = try Data(contentsOf: URL(filePath: movie.path))
        for (name, place) in [("mvhd", 16), ("tkhd", 20)] {
            let field = try #require(bytes.range(of: Data(name.utf8))).upperBound + place
            write(number(bytes, field) + 200, &bytes, field)
        }
        let input = movie.folder.file("longer.m4a")
        try bytes.write(to: URL(filePath: input))
        _ = try await export(input, ExportSettings(preset: "copy"), to: movie.folder.file("out.mov"))
        #expect(try MovieInfo(contentsOf: FilePath(movie.folder.file("out.mov"))).duration.seconds < 1.03)
    }

    @Test func `ALAC is read from Matroska, and copied to other files, without loss`() async throws {
        let movie = try await MadeMovie("in.mkv", "\(Self.h264) -c:a alac -metadata title=Night", seconds: 1)
        let wanted = try await FFmpeg.audio(of: movie.path, rate: 48_000)
        #expect(wanted.count == 48_000)
        var encoded = MadeMovie.settings()
        encoded.audio = .codec(.flac)
        for (name, settings) in [
            ("out.mov", ExportSettings(preset: "copy")), ("copy.mkv", ExportSettings(preset: "copy")),
            ("out.mkv", encoded),
        ] {
            _ = try await export(movie.path, settings, to: movie.folder.file(name))
            #expect(try await FFmpeg.audio(of: movie.folder.file(name), rate: 48_000) == wanted, "\(name)")
            #expect(try await movie.frames(of: name) == Array(0..<25), "\(name)")
            let title = try await Tool.succeed(
                "ffprobe",
                ["-v", "error", "-show_entries", "format_tags=title", "-of", "csv=p=0", movie.folder.file(name)]
            ).text
            #expect(title.hasPrefix("Night"), "\(name)")
        }
    }

    @Test func `PCM in the form of ISO files is read, and copied into QuickTime`() async throws {
        let movie = try await MadeMovie("in.mov", "\(Self.h264) -c:a pcm_s16le", seconds: 1)
        let wanted = try await FFmpeg.audio(of: movie.path, rate: 48_000)
        var bytes = try Data(contentsOf: URL(filePath: movie.path))
        for place in [8, 16] { bytes.replaceSubrange(place..<place + 4, with: "isom".utf8) }
        let entry = try #require(bytes.range(of: Data("sowt".utf8), options: .backwards)).lowerBound
        bytes.replaceSubrange(entry..<entry + 4, with: "ipcm".utf8)
        // In the place of the channels' names, 24 bytes: little-endian, 16 bits; and what is left.
        let names = try #require(bytes.range(of: Data("chan".utf8), in: entry..<bytes.count)).lowerBound - 4
        #expect(number(bytes, names) == 24)
        let description: [UInt8] = [0, 0, 0, 14] + "pcmC".utf8 + [0, 0, 0, 0, 1, 16]
        bytes.replaceSubrange(names..<names + 24, with: description + [0, 0, 0, 10] + "free".utf8 + [0, 0])
        let input = movie.folder.file("iso.mp4")
        try bytes.write(to: URL(filePath: input))
        #expect(try await FFmpeg.audio(of: input, rate: 48_000) == wanted, "as ffmpeg reads it")
        var encoded = MadeMovie.settings()
        encoded.audio = .codec(.pcm)
        for (name, settings) in [("copy.mov", ExportSettings(preset: "copy")), ("out.mov", encoded)] {
            let result = try await export(input, settings, to: movie.folder.file(name))
            #expect(try await FFmpeg.audio(of: movie.folder.file(name), rate: 48_000) == wanted, "\(result.notes)")
        }
    }

    @Test func `AAC in LATM is encoded where the preset asks for AAC`() async throws {
        let movie = try await MadeMovie("in.ts", "\(Self.h264) -c:a aac -mpegts_flags latm", seconds: 1)
        let result = try await export(movie.path, ExportSettings(preset: "h264"), to: movie.folder.file("out.mp4"))
        #expect(try await movie.frames(of: "out.mp4") == Array(0..<25))
        #expect(result.notes.contains { $0.contains("AAC with") }, "\(result.notes)")
        #expect(try await FFmpeg.audio(of: movie.folder.file("out.mp4"), rate: 48_000).count > 46_000)
    }

    @Test func `an encrypted movie is called encrypted before anything is made`() async throws {
        let key = "00112233445566778899aabbccddeeff"
        let movie = try await MadeMovie(
            "in.mp4",
            "\(Self.h264) -an -encryption_scheme cenc-aes-ctr -encryption_key \(key) -encryption_kid \(key)", seconds: 1
        )
        await #expect {
            _ = try await export(movie.path, MadeMovie.settings(), to: movie.folder.file("out.mp4"))
        } throws: { ($0 as? RushesError).map { $0.code == .badInput && "\($0)".contains("is encrypted") } ?? false }
    }

    @Test func `fields that become frames are told`() async throws {
        let fields = try await MadeMovie(
            "in.mp4", "-c:v libx264 -preset ultrafast -flags +ilme+ildct -x264-params interlaced=1 -an", seconds: 0.4)
        var settings = MadeMovie.settings()
        let woven = try await fields.export(settings, to: "out.mp4")
        #expect(woven.notes.contains { $0.contains("is deinterlaced") })
        settings.deinterlacing = .never
        let kept = try await fields.export(settings, to: "kept.mp4")
        #expect(!kept.notes.contains { $0.contains("deinterlaced") || $0.contains("HDR") }, "\(kept.notes)")
    }

    /// QuickTime's and MP4's have no track without samples; they were called damaged.
    @Test(arguments: [("h264", "out.mov"), ("h264", "out.mkv"), ("copy", "out.mp4")])
    func `a part in which the audio has nothing is exported, and told`(preset: String, output: String) async throws {
        let movie = try await MadeMovie("in.mp4", "\(Self.h264) -c:a aac -af atrim=end=1", seconds: 3)
        var settings = ExportSettings(preset: preset)
        settings.range = TimeRange(start: 1800 * .millisecond)
        let result = try await export(movie.path, settings, to: movie.folder.file(output))
        #expect(try await movie.frames(of: output) == Array(45..<75), "\(result.notes)")
        let note = "nothing in this part of the movie"
        #expect(result.notes.count { $0.contains(note) } == 1, "\(result.notes)")
    }

    /// Web casts have commands for their players in a stream of its own; others have images (Advanced Systems Format, 3.3 and 9.4).
    @Test func `a stream of Windows Media that is neither video nor audio is told`() async throws {
        let folder = try TemporaryFolder()
        let input = folder.file("in.wma")
        _ = try await Tool.succeed(
            "ffmpeg", ["-nostdin", "-v", "error", "-f", "lavfi", "-i", "sine=d=1", "-c:a", "wmav2", input])
        let plain = try await export(input, ExportSettings(preset: "copy"), to: folder.file("plain.mka"))
        #expect(!plain.notes.contains { $0.contains("left out") }, "\(plain.notes)")

        var bytes = try Data(contentsOf: URL(filePath: input))
        let properties = Data([
            0x91, 0x07, 0xDC, 0xB7, 0xB7, 0xA9, 0xCF, 0x11, 0x8E, 0xE6, 0x00, 0xC0, 0x0C, 0x20, 0x53, 0x65,
        ])
        let commands = Data([
            0xC0, 0xCF, 0xDA, 0x59, 0xE6, 0x59, 0xD0, 0x11, 0xA3, 0xAC, 0x00, 0xA0, 0xC9, 0x03, 0x48, 0xF6,
        ])
        // Without a word on what corrects errors, a time, or more of either: stream 9.
        let object = properties + [78, 0, 0, 0, 0, 0, 0, 0] + commands + Data(count: 32) + [9, 0] + Data(count: 4)
        let place = try #require(bytes.range(of: properties)).lowerBound
        bytes.insert(contentsOf: object, at: place)
        // The head's size and the number of its objects.
        let size: Int = bytes[16..<20].reversed().reduce(0) { $0 << 8 | Int($1) } + object.count
        bytes.replaceSubrange(16..<20, with: withUnsafeBytes(of: UInt32(size).littleEndian) { Data($0) })
        bytes[24] += 1
        let told = folder.file("commands.wma")
        try bytes.write(to: URL(filePath: told))
        let result = try await export(told, ExportSettings(preset: "copy"), to: folder.file("out.mka"))
        #expect(
            result.notes.contains(
                "A data track (script commands) was left out: GStreamer does not read it here."), "\(result.notes)")
    }
}
