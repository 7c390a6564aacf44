import Encoding
import Export
import Foundation
import MediaTypes
import SystemPackage
import TestSupport
import Testing

/// Opus and Vorbis in Ogg, judged by ffmpeg: .opus and .ogg.
@Suite(.timeLimit(.minutes(10)), .requires(tool: "ffmpeg", package: "ffmpeg")) struct OggExportTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func ffmpeg(_ words: [String]) async throws -> Data {
        Data(try await Tool.succeed("ffmpeg", ["-nostdin", "-v", "error", "-y"] + words).output)
    }

    private func make(_ name: String, _ source: String, _ options: String) async throws {
        _ = try await ffmpeg(["-f", "lavfi", "-i", source] + Tool.words(options) + [folder.file(name)])
    }

    private func export(
        _ input: String, to output: String, preset: String = "h264", bitrate: Int? = nil
    ) async throws -> [String] {
        var settings = ExportSettings(preset: preset)
        settings.audioBitrate = bitrate
        return try await ExportSession(input: FilePath(folder.file(input)), settings: settings)
            .export(to: MovieDestination(FilePath(folder.file(output)))).notes
    }

    /// What ffmpeg decodes, as bytes of 16 bits.
    private func decoded(_ name: String) async throws -> Data {
        try await ffmpeg(["-i", folder.file(name), "-f", "s16le", "-"])
    }

    /// A sum of each packet.
    private func packets(_ name: String) async throws -> [String] {
        let text = try await ffmpeg(["-i", folder.file(name), "-map", "0:a", "-c", "copy", "-f", "framemd5", "-"])
        return String(decoding: text, as: UTF8.self).split(separator: "\n").filter { !$0.hasPrefix("#") }
            .map { String($0.split(separator: ",")[5]) }
    }

    private func duration(_ name: String) async throws -> Double? {
        try await FFProbe.inspect(folder.file(name)).format.duration?.value
    }

    private static let chirp = "aevalsrc='0.3*sin(2*PI*(200+150*t)*t)':s=48000:d="

    @Test(arguments: Cases.taken(of: ["0.01", "0.33335", "3.1234"], ["out.opus", "out.ogg"], most: 3))
    func `encoded audio is as long as its input, to the sample`(seconds: String, output: String) async throws {
        try await make("in.wav", Self.chirp + seconds, "-c:a pcm_s16le")
        let notes = try await export("in.wav", to: output, bitrate: 96_000)
        #expect(notes == ["Opus with opusenc."], "\(notes)")
        try await make("other.opus", Self.chirp + seconds, "-c:a libopus -b:a 96k")
        let (input, audio, other) = (
            try await decoded("in.wav"), try await decoded(output), try await decoded("other.opus")
        )
        #expect(audio.count == input.count && other.count == input.count)
        #expect(try await duration(output) == duration("other.opus"))
        guard seconds == "3.1234" else { return }
        let samples = zip(audio, other).count(where: ==)
        #expect(samples > audio.count / 2, "\(samples) of \(audio.count) bytes are those of ffmpeg's own encoding")
    }

    @Test(arguments: Cases.taken(of: Array(1...8))) func `channels keep their places`(count: Int) async throws {
        let tones = (1...count).map { "0.2*sin(2*PI*\($0 * 300)*t)" }.joined(separator: "|")
        let layouts = ["mono", "stereo", "3.0", "quad", "5.0", "5.1", "6.1", "7.1"]
        try await make("in.wav", "aevalsrc=\(tones):s=48000:d=1:c=\(layouts[count - 1])", "-c:a pcm_s16le")
        _ = try await export("in.wav", to: "out.opus")
        #expect(try await FFProbe.inspect(folder.file("out.opus")).audio.first?.channels == count)
        for channel in 0..<count where !(count > 5 && channel == 3) {
            let bytes = try await ffmpeg([
                "-i", folder.file("out.opus"), "-af", "pan=mono|c0=c\(channel)", "-f", "s16le", "-",
            ])
            let samples = bytes.withUnsafeBytes { Array($0.bindMemory(to: Int16.self)) }
            let crossings = zip(samples, samples.dropFirst()).count { $0 < 0 && $1 >= 0 }
            #expect(abs(crossings - (channel + 1) * 300) < 12, "channel \(channel) has \(crossings) hertz")
        }
    }

    @Test(
        arguments: Cases.taken(
            of: [
                ("in.webm", "libopus", "out.opus"), ("in.mkv", "libopus", "out.ogg"),
                ("in.opus", "libopus", "out.opus"),
                ("in.mp4", "libopus", "out.opus"), ("in.ogg", "libvorbis", "out.ogg"),
                ("in.mkv", "libvorbis", "out.oga"),
                ("in.webm", "libvorbis -ar 22050", "out.ogg"),
            ], most: 3))
    func `copies keep each packet`(input: String, codec: String, output: String) async throws {
        try await make(input, Self.chirp + "3.3", "-c:a \(codec)")
        let notes = try await export(input, to: output, preset: "copy")
        #expect(notes == ["\(codec.hasPrefix("libopus") ? "Opus" : "Vorbis") is copied as it is."], "\(notes)")
        #expect(try await packets(output) == packets(input))
        let (wanted, audio) = (try await decoded(input), try await decoded(output))
        // Only Ogg tells of the last block of Vorbis how much of it is presented.
        if codec == "libopus" && input != "in.mp4" || input == "in.ogg" {
            #expect(audio == wanted, "\(audio.count) and \(wanted.count) bytes")
        } else {
            #expect(abs(audio.count - wanted.count) <= 2 * 1024, "\(audio.count) and \(wanted.count) bytes")
        }
    }

    @Test func `what cannot be copied is refused with the cure`() async throws {
        try await make("in.ogg", Self.chirp + "1", "-c:a libvorbis")
        let error = await #expect(throws: (any Error).self) {
            _ = try await export("in.ogg", to: "out.opus", preset: "copy")
        }
        #expect("\(String(describing: error))".contains("use audio codec opus"), "\(String(describing: error))")
    }

    /// GStreamer has tags of its own for some, under other names.
    @Test(arguments: ["in.ogg", "in.flac"], ["out.m4a", "out.mka"]) func `comments of any name are kept`(
        input: String, output: String
    ) async throws {
        let told = [
            "MUSICBRAINZ_TRACKID": "8b882575", "ISRC": "USGF19942502", "BPM": "96", "PERFORMER": "Ann", "MOOD": "calm",
        ]
        let options = told.map { "-metadata \($0)=\($1)" }.joined(separator: " ")
        try await make(input, Self.chirp + "0.5", "-c:a \(input == "in.ogg" ? "libvorbis" : "flac") \(options)")
        let notes = try await export(input, to: output)
        let words = try await ffmpeg(["-i", folder.file(output), "-f", "ffmetadata", "-"])
        let text = String(decoding: words, as: UTF8.self).lowercased()
        for (name, value) in told {
            #expect(text.contains("\(name)=\(value)".lowercased()), "\(notes), \(text)")
        }
    }

    @Test func `tags, chapters and covers of any size are kept`() async throws {
        _ = try await ffmpeg([
            "-f", "lavfi", "-i", "nullsrc=size=640x480,geq=random(1)*255:128:128", "-frames:v", "1",
            folder.file("cover.png"),
        ])
        let words = ";FFMETADATA1\ntitle=Títle\nartist=Ann\nalbum=All\ntrack=3/9\ncomment=Said\n"
        let chapter = "[CHAPTER]\nTIMEBASE=1/1000\nSTART=500\nEND=1000\ntitle=Half\n"
        try
            (words
            + chapter.replacing("500", with: "0").replacing("1000\nt", with: "500\nt").replacing("Half", with: "All")
            + chapter)
            .write(toFile: folder.file("words.txt"), atomically: true, encoding: .utf8)
        _ = try await ffmpeg(
            ["-f", "lavfi", "-i", Self.chirp + "1", "-i", folder.file("cover.png"), "-i", folder.file("words.txt")]
                + Tool.words(
                    "-map 0 -map 1 -map_metadata 2 -map_chapters 2 -c:a aac -c:v copy -disposition:v attached_pic")
                + [folder.file("in.m4a")])
        _ = try await export("in.m4a", to: "out.opus")
        let report = try await MusicReport.inspect(folder.file("out.opus"))
        #expect(report.covers == ["png"], "\(report)")
        let told = try await Tool.succeed(
            "ffprobe",
            Tool.words("-v error -select_streams a -show_entries stream_tags -of default=nw=1") + [
                folder.file("out.opus")
            ])
        let tags = String(decoding: told.output, as: UTF8.self).lowercased()
        for tag in ["title=títle", "artist=ann", "album=all", "comment=said", "track=3"] {
            #expect(tags.contains("tag:\(tag)"), "\(tags)")
        }
        let cover = try await ffmpeg([
            "-i", folder.file("out.opus"), "-map", "0:v", "-c", "copy", "-f", "image2pipe", "-",
        ])
        #expect(try cover == Data(contentsOf: URL(filePath: folder.file("cover.png"))))
        let chapters = try await ffmpeg(["-i", folder.file("out.opus"), "-f", "ffmetadata", "-"])
        let text = String(decoding: chapters, as: UTF8.self)
        #expect(text.contains("START=500") && text.contains("title=Half"), "\(text)")
        try await FFmpeg.decode(folder.file("out.opus"))
    }

    /// In Ogg nothing but the streams has tags.
    @Test(arguments: ["-an", "-c:a libvorbis"]) func `the title of video in Ogg is the movie's`(audio: String)
        async throws
    {
        try await make(
            "in.ogv", "testsrc2=size=96x64:rate=25:duration=1",
            "-f lavfi -i sine=duration=1 -c:v libtheora \(audio) -metadata title=Meadow -metadata artist=Ada")
        for name in ["out.mov", "out.mkv"] {
            _ = try await export("in.ogv", to: name)
            let text = try await Tool.succeed(
                "ffprobe",
                ["-v", "error", "-show_entries", "format_tags=title,artist", "-of", "csv=p=0", folder.file(name)]
            ).text
            #expect(text.contains("Meadow") && text.contains("Ada"), "\(name): \(text)")
        }
    }
}
