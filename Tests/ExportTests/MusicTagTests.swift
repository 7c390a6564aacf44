import Encoding
import Export
import Foundation
import MediaTypes
import MovieFiles
import SystemPackage
import TestSupport
import Testing

/// What music files say of themselves, in all that holds it: judged by ffprobe.
@Suite(.timeLimit(.minutes(5)), .requires(tool: "ffmpeg", package: "ffmpeg")) struct MusicTagTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private static let words = [
        "title": "Títle", "artist": "Ann", "album": "Songs", "genre": "Ska", "comment": "loud", "copyright": "us",
    ]

    private func make(_ name: String, _ options: [String]) async throws {
        _ = try await Tool.succeed(
            "ffmpeg",
            ["-nostdin", "-v", "error", "-y", "-f", "lavfi", "-i", "sine=duration=1", "-f", "lavfi", "-i"]
                + ["color=red:size=64x64:duration=0.04"] + options
                + Self.words.flatMap { ["-metadata", "\($0)=\($1)"] } + [folder.file(name)])
    }

    private func report(_ name: String) async throws -> MusicReport {
        try await MusicReport.inspect(folder.file(name))
    }

    @Test(arguments: ["a.flac", "a.ogg"]) func `tags that are not in UTF-8 keep what is legible of them`(name: String)
        async throws
    {
        try await make(name, ["-map", "0:a", "-c:a", name == "a.flac" ? "flac" : "libopus"])
        var bytes = try Data(contentsOf: URL(filePath: folder.file(name)))
        let title = try #require(bytes.range(of: Data("Títle".utf8)))
        // As programs of western Europe wrote it, and of as many bytes.
        bytes.replaceSubrange(title, with: [UInt8(ascii: "T"), 0xED] + Data("tle!".utf8))
        if name == "a.ogg" {
            return #expect(CommentChapters.brokenTexts(of: try written(bytes)) == ["title": "T\u{FFFD}tle!"])
        }
        _ = try await ExportSession(input: try written(bytes), settings: ExportSettings(preset: "h264"))
            .export(to: MovieDestination(FilePath(folder.file("out.m4a"))))
        let metadata = try MovieMetadata.read(FilePath(folder.file("out.m4a")))
        #expect(metadata.title == "T\u{FFFD}tle!" && metadata.artist == "Ann", "\(metadata)")
    }

    private func written(_ bytes: Data) throws -> FilePath {
        try bytes.write(to: URL(filePath: folder.file("broken.flac")))
        return FilePath(folder.file("broken.flac"))
    }

    private func export(_ input: String, to output: String, _ preset: String = "h264") async throws -> [String] {
        try await ExportSession(input: FilePath(folder.file(input)), settings: ExportSettings(preset: preset))
            .export(to: MovieDestination(FilePath(folder.file(output)))).notes
    }

    @Test(arguments: ["mp3", "flac"]) func `tags and covers of audio are kept`(ending: String) async throws {
        let codec = ending == "mp3" ? ["libmp3lame", "-id3v2_version", "3"] : ["flac"]
        try await make(
            "in.\(ending)",
            ["-map", "0", "-map", "1", "-c:v", "png", "-frames:v", "1", "-disposition:v", "attached_pic", "-c:a"]
                + codec)
        var outputs = [("a.m4a", "h264"), ("a.mp4", "h264"), ("a.mkv", "h264"), ("a.mka", "h264"), ("b.mkv", "copy")]
        if ending == "mp3" { outputs.append(("b.mov", "copy")) }
        for (output, preset) in outputs {
            let notes = try await export("in.\(ending)", to: output, preset)
            let told = try await report(output)
            #expect(told.covers == ["png"], "\(output): \(notes)")
            #expect(!notes.contains { $0.hasPrefix("Left out") }, "\(output): \(notes)")
            for (name, text) in Self.words {
                // What ffmpeg calls a comment is a description in FLAC.
                let other = name == "comment" ? told.tags["description"] : nil
                #expect((told.tags[name] ?? other) == text, "\(output): \(name)")
            }
        }
        #expect(try await export("in.\(ending)", to: "c.wav").contains { $0.hasPrefix("Left out: cover; ") })
    }

    @Test func `what Flash video says of itself is kept`() async throws {
        try await make("in.flv", ["-map", "0:a", "-c:a", "libmp3lame", "-ar", "44100", "-metadata", "date=2005-02-03"])
        for output in ["out.m4a", "out.mka"] {
            _ = try await export("in.flv", to: output)
            let told = try await report(output).tags
            for (name, text) in Self.words { #expect(told[name] == text, "\(output): \(name) \(told)") }
            #expect((told["date"] ?? told["creation_time"])?.hasPrefix("2005-02-03") == true, "\(output): \(told)")
        }
    }

    @Test func `several comments are kept`() async throws {
        try await make("in.flac", ["-map", "0", "-c:a", "flac", "-metadata", "xxxxxxx=soft"])
        var bytes = try Data(contentsOf: URL(filePath: folder.file("in.flac")))
        // ffmpeg calls what it writes DESCRIPTION.
        for (name, text, other) in [("xxxxxxx", "soft", "COMMENT=soft"), ("description", "loud", "COMMENT=loud ear")] {
            let place = try #require(
                bytes.range(of: Data("\(name)=\(text)".utf8))
                    ?? bytes.range(of: Data("\(name.uppercased())=\(text)".utf8)))
            bytes.replaceSubrange(place, with: Data(other.utf8))
        }
        try bytes.write(to: URL(filePath: folder.file("two.flac")))
        _ = try await export("two.flac", to: "out.m4a")
        #expect(try await report("out.m4a").tags["comment"]?.split(separator: ";").sorted() == ["loud ear", "soft"])
    }

    @Test func `several artists are kept`() async throws {
        try await make("in.flac", ["-map", "0", "-c:a", "flac", "-metadata", "xxxxxx=Bob"])
        var bytes = try Data(contentsOf: URL(filePath: folder.file("in.flac")))
        // Names of fields are told apart by nothing but their letters.
        let place = try #require(bytes.range(of: Data("xxxxxx=Bob".utf8)) ?? bytes.range(of: Data("XXXXXX=Bob".utf8)))
        bytes.replaceSubrange(place, with: Data("ARTIST=Bob".utf8))
        try bytes.write(to: URL(filePath: folder.file("two.flac")))
        _ = try await export("two.flac", to: "out.m4a")
        let artists = try await report("out.m4a").tags["artist"]?.split(separator: ";").sorted()
        #expect(artists == ["Ann", "Bob"])
    }

    @Test func `what stands behind the audio of a WAV file is kept`() async throws {
        try await make("plain.wav", ["-map", "0", "-c:a", "pcm_s16le", "-bitexact", "-map_metadata", "-1"])
        try await make("in.mp3", ["-map", "0", "-map", "1", "-c:v", "png", "-frames:v", "1", "-c:a", "libmp3lame"])
        let song = try Data(contentsOf: URL(filePath: folder.file("in.mp3")))
        // Seven bits a byte, behind the name, the version and the flags.
        let size = song[6..<10].reduce(0) { $0 << 7 | Int($1) } + 10
        try append(to: "plain.wav", [("id3 ", song.prefix(size))], as: "id3.wav")
        let item = Data("IART".utf8) + MadeWave.number(4) + Data("Ann\0".utf8)
        try append(to: "plain.wav", [("LIST", Data("INFO".utf8) + item)], as: "list.wav")
        _ = try await export("id3.wav", to: "id3.m4a")
        let told = try await report("id3.m4a")
        #expect(told.covers == ["png"])
        for (name, text) in Self.words { #expect(told.tags[name] == text, "\(name)") }
        _ = try await export("list.wav", to: "list.m4a")
        #expect(try await report("list.m4a").tags["artist"] == "Ann")
        try append(
            to: "plain.wav", [("afsp", Data("AFspuser: ann\0".utf8)), ("iXML", Data("<BWFXML/>".utf8))], as: "afsp.wav")
        let notes = try await export("afsp.wav", to: "afsp.m4a")
        #expect(notes.contains { $0.contains("AFsp's texts, iXML") }, "\(notes)")
        // A tag behind them takes nothing of that away; a sampler is told of one loop.
        let loop = Data(count: 28) + MadeWave.number(1) + Data(count: 28)
        try append(
            to: "plain.wav", [("smpl", loop), ("iXML", Data("<BWFXML/>".utf8)), ("id3 ", song.prefix(size))],
            as: "loop.wav")
        let loops = try await export("loop.wav", to: "loop.m4a")
        #expect(loops.contains { $0.contains("a sampler's notes and loops, iXML") }, "\(loops)")
        // What stands at the beginning marks nothing.
        func cue(_ sample: Int) -> Data {
            MadeWave.number(1) + MadeWave.number(7) + Data(count: 16) + MadeWave.number(sample)
        }
        try append(to: "plain.wav", [("cue ", cue(0))], as: "none.wav")
        #expect(try await export("none.wav", to: "none.m4a").allSatisfy { !$0.contains("Left out") })
        try append(to: "plain.wav", [("cue ", cue(4000))], as: "cue.wav")
        let marked = try await export("cue.wav", to: "cue.m4a")
        #expect(marked.contains("Left out: markers without names; M4A cannot hold it here."), "\(marked)")
    }

    @Test func `a module's title is kept`() async throws {
        // A title, the heads of 31 samples without any, one pattern of nothing (ProTracker's "M.K.").
        var module = Data("A song".utf8) + Data(count: 14)
        for _ in 0..<31 { module += Data(count: 28) + Data([0, 1]) }
        module += Data([1, 127]) + Data(count: 128) + Data("M.K.".utf8) + Data(count: 1024)
        try module.write(to: URL(filePath: folder.file("song.mod")))
        _ = try await export("song.mod", to: "song.m4a")
        #expect(try await report("song.m4a").tags["title"] == "A song")
    }

    private func append(to name: String, _ chunks: [(String, Data)], as new: String) throws {
        try MadeWave.bytes(of: try data(name), followedBy: chunks).write(to: URL(filePath: folder.file(new)))
    }

    @Test func `a long comment is itself in Matroska`() async throws {
        // Its size is a byte that is a letter too.
        let words = String(repeating: "long ", count: 180)
        try await make("in.mp3", ["-map", "0", "-c:a", "libmp3lame", "-id3v2_version", "3"])
        _ = try await Tool.succeed(
            "ffmpeg",
            ["-nostdin", "-v", "error", "-i", folder.file("in.mp3"), "-c", "copy", "-metadata", "comment=\(words)."]
                + [folder.file("long.mp3")])
        _ = try await export("long.mp3", to: "out.mka")
        #expect(try await report("out.mka").tags["comment"] == words + ".")
    }

    @Test func `a genre that iTunes or Winamp tell by a number is kept`() async throws {
        try await make("in.mp3", ["-map", "0", "-c:a", "libmp3lame", "-write_id3v1", "1", "-id3v2_version", "0"])
        var bytes = try Data(contentsOf: URL(filePath: folder.file("in.mp3")))
        // The last byte of the tag at the end.
        bytes[bytes.count - 1] = 148
        try bytes.write(to: URL(filePath: folder.file("late.mp3")))
        _ = try await export("late.mp3", to: "late.m4a")
        #expect(try await report("late.m4a").tags["genre"] == "Abstract")

        try await make("in.m4a", ["-map", "0", "-c:a", "aac"])
        bytes = try Data(contentsOf: URL(filePath: folder.file("in.m4a")))
        // The item's text of three letters becomes a number of two bytes, and one that fills it up.
        let item = try #require(bytes.range(of: Data([0xA9]) + Data("gen".utf8)))
        bytes.replaceSubrange(item, with: Data("gnre".utf8))
        bytes.replaceSubrange(item.upperBound + 8..<item.upperBound + 12, with: [0, 0, 0, 0])
        bytes.replaceSubrange(item.upperBound + 16..<item.upperBound + 19, with: [0, 22, 0])
        try bytes.write(to: URL(filePath: folder.file("number.m4a")))
        let told = try MovieMetadata.read(FilePath(folder.file("number.m4a")))
        #expect(told.genre == "Ska")
    }

    @Test(arguments: [["-write_id3v2", "1"], ["-c:a", "pcm_alaw"]])
    func `AIFF keeps the texts of its tag and of its chunks`(options: [String]) async throws {
        try await make("in.aiff", ["-map", "0:a"] + options)
        _ = try await export("in.aiff", to: "out.m4a")
        let tags = try await report("out.m4a").tags
        #expect(tags["title"] == "Títle" && tags["copyright"] == "us" && tags["comment"] == "loud", "\(tags)")
        guard options.contains("-write_id3v2") else { return }
        #expect(tags["artist"] == "Ann" && tags["album"] == "Songs" && tags["genre"] == "Ska", "\(tags)")
    }

    @Test func `of two tags in front of MP3 both covers are kept`() async throws {
        let cover = ["-map", "0", "-map", "1", "-frames:v", "1", "-disposition:v", "attached_pic", "-c:v"]
        try await make("a.mp3", cover + ["png"])
        try await make("b.mp3", cover + ["mjpeg"])
        let (first, second) = try (data("a.mp3"), data("b.mp3"))
        let size = first[6..<10].reduce(0) { $0 << 7 | Int($1) } + 10
        try (first.prefix(size) + second).write(to: URL(filePath: folder.file("in.mp3")))
        for output in ["out.m4a", "out.mka"] {
            let notes = try await export("in.mp3", to: output)
            let told = try await report(output)
            #expect(told.covers == ["png", "mjpeg"] && told.tags["title"] == "Títle", "\(output): \(told) \(notes)")
        }
    }

    private func data(_ name: String) throws -> Data { try Data(contentsOf: URL(filePath: folder.file(name))) }
}
