import Encoding
import Errors
import Export
import Foundation
import MediaTypes
import MovieFiles
import SystemPackage
import TestSupport
import Testing

/// Audio that GStreamer's typefinders and demuxers do not hand on as it is, or not all of it: read whole, as ffmpeg reads it.
@Suite(.timeLimit(.minutes(5)), .requires(tool: "ffmpeg", package: "ffmpeg")) struct ForeignAudioTests {
    private func export(_ input: String, to output: String) async throws -> ExportResult {
        var settings = ExportSettings(preset: "h264")
        settings.audio = .codec(.pcm)
        return try await ExportSession(input: FilePath(input), settings: settings)
            .export(to: MovieDestination(FilePath(output)))
    }

    /// The largest distance of two rows of samples, of which the second may be longer.
    private func distance(_ audio: [Float], _ wanted: [Float]) -> Float {
        zip(audio, wanted).reduce(0) { max($0, abs($1.0 - $1.1)) }
    }

    @Test func `Musepack is read to its end`() async throws {
        let folder = try TemporaryFolder()
        let (input, output) = (Checkout.media("sweep.mpc"), folder.file("out.wav"))
        let result = try await export(input, to: output)
        let audio = try await FFmpeg.audio(of: output, rate: 44_100)
        let wanted = try await FFmpeg.audio(of: input, rate: 44_100)
        // ffmpeg gives what only primes the decoder, 481 samples, and what fills the last frame up, too.
        #expect(audio.count == 66_150 && wanted.count >= audio.count + 481, "\(result.notes)")
        #expect(distance(audio, Array(wanted.dropFirst(481))) < 0.001)
        // With a tag of APEv2 behind it: head and foot are alike.
        var (item, size) = (Data([5, 0, 0, 0, 0, 0, 0, 0]) + Data("Title\0Grün".utf8), Data(count: 4))
        item[0] = UInt8("Grün".utf8.count)
        size[0] = UInt8(item.count + 32)
        let foot = Data("APETAGEX".utf8) + Data([0xD0, 7, 0, 0]) + size + Data([1, 0, 0, 0]) + Data(count: 12)
        let tagged = folder.file("tagged.mpc")
        try (try Data(contentsOf: URL(filePath: input)) + item + foot).write(to: URL(filePath: tagged))
        _ = try await ExportSession(input: FilePath(tagged), settings: ExportSettings(preset: "h264"))
            .export(to: MovieDestination(FilePath(folder.file("tagged.m4a"))))
        let title = try await Tool.succeed(
            "ffprobe",
            ["-v", "error", "-show_entries", "format_tags=title", "-of", "csv=p=0", folder.file("tagged.m4a")]
        ).text
        #expect(title.hasPrefix("Grün"))
        // With a tag of ID3 before it, as of what was renamed from MP3: of GStreamer's demuxer for that one frame is left.
        let song = Data("TIT2".utf8) + Data([0, 0, 0, 5, 0, 0, 0]) + Data("Song".utf8)
        let before = Data("ID3".utf8) + Data([3, 0, 0, 0, 0, 1, UInt8(song.count)]) + song + Data(count: 128)
        try (before + (try Data(contentsOf: URL(filePath: input)))).write(to: URL(filePath: tagged))
        let behind = try await export(tagged, to: folder.file("behind.wav"))
        #expect(try await FFmpeg.audio(of: folder.file("behind.wav"), rate: 44_100) == audio, "\(behind.notes)")
        #expect(try await FFProbe.inspect(folder.file("behind.wav")).format.tags?["title"] == "Song")
        // Whatever comes first, the decoder or who waits for it.
        for index in 0..<20 {
            _ = try await export(input, to: folder.file("\(index).wav"))
        }
    }

    @Test(arguments: ["pcm_alaw", "pcm_mulaw"]) func `AIFF-C in A-law and µ-law is read`(codec: String) async throws {
        let movie = try await MadeMovie("in.aif", "-vn -ar 8000 -c:a \(codec)", seconds: 1.5)
        let output = movie.folder.file("out.wav")
        let result = try await export(movie.path, to: output)
        let (audio, wanted) = (
            try await FFmpeg.audio(of: output, rate: 8000), try await FFmpeg.audio(of: movie.path, rate: 8000)
        )
        #expect(audio.count == 12_000 && audio == wanted, "\(audio.count) of \(wanted.count): \(result.notes)")
        // Codecs of it that nobody knows are still refused, in a sentence.
        var bytes = try Data(contentsOf: URL(filePath: movie.path))
        let name = try #require(bytes.range(of: Data((codec == "pcm_alaw" ? "alaw" : "ulaw").utf8)))
        bytes.replaceSubrange(name, with: "zzzz".utf8)
        let unknown = movie.folder.file("unknown.aif")
        try bytes.write(to: URL(filePath: unknown))
        await #expect(throws: RushesError.self) { try await export(unknown, to: movie.folder.file("none.wav")) }
    }

    @Test(arguments: [("half-rate.ac3", 24_000), ("quarter-rate.ac3", 12_000)])
    func `AC-3 at half and a quarter of its rates is read`(name: String, rate: Int) async throws {
        let folder = try TemporaryFolder()
        let (input, output) = (Checkout.media(name), folder.file("out.wav"))
        let result = try await export(input, to: output)
        let audio = try await FFmpeg.audio(of: output, rate: rate)
        let wanted = try await FFmpeg.audio(of: input, rate: rate)
        #expect(audio.count == wanted.count && audio.count > rate / 2, "\(audio.count): \(result.notes)")
        #expect(distance(audio, wanted) < 0.001)
        let told = try await FFProbe.inspect(output).audio.first?.sampleRate?.value
        #expect(told == Double(rate))
    }

    @Test(arguments: ["flac", "oga"]) func `FLAC whose last block is short is copied whole`(ending: String) async throws
    {
        let movie = try await MadeMovie("in.\(ending)", "-vn -c:a flac", seconds: 3)
        let wanted = try await FFmpeg.audio(of: movie.path, rate: 48_000)
        for name in ["out.flac", "out.mka"] {
            _ = try await movie.export(ExportSettings(preset: "copy"), to: name)
            #expect(try await FFmpeg.audio(of: movie.folder.file(name), rate: 48_000) == wanted, "\(name)")
        }
    }

    /// Its packets have the times at which they are sent, and its first frame only primes the decoder.
    @Test(arguments: ["wmav1", "wmav2"]) func `Windows Media Audio is read to the sample, and joined whole`(
        codec: String
    ) async throws {
        let folder = try TemporaryFolder()
        let (input, sound) = (folder.file("in.wma"), folder.file("sound.wav"))
        let source = "aevalsrc='0.4*sin(2*PI*(100+50*t)*t)':s=44100:d=3.7"
        for options in [["-c:a", codec, "-b:a", "128k", input], ["-c:a", "pcm_s16le", sound]] {
            _ = try await Tool.succeed("ffmpeg", ["-nostdin", "-v", "error", "-f", "lavfi", "-i", source] + options)
        }
        let wanted = try await FFmpeg.audio(of: sound, rate: 44_100)
        let result = try await export(input, to: folder.file("out.wav"))
        let audio = try await FFmpeg.audio(of: folder.file("out.wav"), rate: 44_100)
        #expect((wanted.count..<wanted.count + 2048).contains(audio.count), "\(audio.count), \(result.notes)")
        #expect(result.notes == ["PCM."])
        // But for the first frame and the last, of which the encoder makes less as the sound begins and breaks off there.
        let inner = 2048..<159_744
        let sounds = Array(wanted[inner])
        #expect(distance(Array(audio[inner]), sounds) < 0.02, "\(distance(Array(audio[inner]), sounds))")
        // ffmpeg's decoder (5.1) leaves out as much as Microsoft's encoders put in front: a frame more than its own does.
        let judged = try await FFmpeg.audio(of: input, rate: 44_100)
        #expect(judged.count + 2048 == audio.count && distance(judged, Array(audio.dropFirst(2048))) < 0.001)

        var settings = ExportSettings(preset: "h264")
        settings.audio = .codec(.pcm)
        _ = try await ExportSession(
            joining: [input, input].map { FilePath($0) }, settings: settings, center: nil
        ).export(to: MovieDestination(FilePath(folder.file("joined.wav"))))
        let joined = try await FFmpeg.audio(of: folder.file("joined.wav"), rate: 44_100)
        #expect(abs(joined.count - 2 * audio.count) < 200, "\(joined.count), not twice \(audio.count)")
        #expect(distance(Array(joined[inner]), sounds) < 0.02)
        // The second one begins a whole number of milliseconds later.
        #expect(distance(Array(joined.dropFirst(joined.count / 2 + 2048)), sounds) < 0.05)

        _ = try await ExportSession(input: FilePath(input), settings: ExportSettings(preset: "copy"))
            .export(to: MovieDestination(FilePath(folder.file("copy.mka"))))
        #expect(try await FFProbe.inspect(folder.file("copy.mka")).audio.map(\.codecName) == [codec])
    }

    @Test(arguments: ["wma", "wmv"]) func `chapters of Windows Media are kept`(ending: String) async throws {
        let folder = try TemporaryFolder()
        let list = ";FFMETADATA1\ntitle=Talk\n[CHAPTER]\nTIMEBASE=1/1000\nSTART=0\nEND=1200\ntitle=Grüße\n"
        let second = "[CHAPTER]\nTIMEBASE=1/1000\nSTART=1200\nEND=3000\ntitle=Ende\n"
        try (list + second).write(toFile: folder.file("list.txt"), atomically: true, encoding: .utf8)
        let input = folder.file("in.\(ending)")
        let frames = ["-f", "lavfi", "-i", "testsrc=size=160x120:rate=25:duration=3", "-map", "0", "-map", "2"]
        _ = try await Tool.succeed(
            "ffmpeg",
            ["-nostdin", "-v", "error", "-f", "lavfi", "-i", "sine=duration=3", "-i", folder.file("list.txt")]
                + (ending == "wmv" ? frames : ["-map", "0"])
                + ["-map_metadata", "1", "-map_chapters", "1", "-c:a", "wmav2", "-c:v", "wmv2", input])
        let wanted: [MovieInfo.Chapter] = [
            .init(start: .zero, title: "Grüße"), .init(start: 1200 * .millisecond, title: "Ende"),
        ]
        #expect(try ASFMarkers.read(FilePath(input)) == wanted)
        let output = folder.file(ending == "wmv" ? "out.mp4" : "out.m4a")
        _ = try await ExportSession(input: FilePath(input), settings: ExportSettings(preset: "h264"))
            .export(to: MovieDestination(FilePath(output)))
        let report = try await FFProbe.inspect(output)
        #expect((report.chapters ?? []).map { $0.tags?["title"] } == ["Grüße", "Ende"])
        // Cut off anywhere, it gives what is there.
        let bytes = try Data(contentsOf: URL(filePath: input)).prefix(1000)
        for count in stride(from: 0, to: bytes.count, by: 7) {
            try bytes.prefix(count).write(to: URL(filePath: folder.file("cut.wma")))
            #expect(wanted.starts(with: try ASFMarkers.read(FilePath(folder.file("cut.wma"))).prefix(1)))
        }
    }
}
