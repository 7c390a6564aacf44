import Encoding
import Errors
import Export
import Foundation
import MediaTypes
import MovieFiles
import SystemPackage
import TestSupport
import Testing

/// What files say of themselves in ways that GStreamer does not read: kept, or told to be left out; judged by ffprobe.
@Suite(.timeLimit(.minutes(5)), .requires(tool: "ffmpeg", package: "ffmpeg")) struct KeptWordsTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// Two seconds of a tone, and of frames where the options take them.
    private func make(_ name: String, _ options: [String], inputs: [String] = []) async throws {
        _ = try await Tool.succeed(
            "ffmpeg",
            ["-nostdin", "-v", "error", "-f", "lavfi", "-i", "sine=sample_rate=48000:duration=2"]
                + ["-f", "lavfi", "-i", "testsrc2=size=96x64:rate=25:duration=2"]
                + inputs.flatMap { ["-i", folder.file($0)] } + options + [folder.file(name)])
    }

    private func export(
        _ input: String, to output: String, _ preset: String = "h264", audio: AudioCodec? = nil
    ) async throws -> [String] {
        var settings = ExportSettings(preset: preset)
        if let audio { settings.audio = .codec(audio) }
        return try await ExportSession(input: FilePath(folder.file(input)), settings: settings)
            .export(to: MovieDestination(FilePath(folder.file(output)))).notes
    }

    private func tags(_ name: String) async throws -> [String: String] {
        let tags = try await FFProbe.inspect(folder.file(name)).format.tags ?? [:]
        return Dictionary(tags.map { ($0.lowercased(), $1) }) { first, _ in first }
    }

    private static let chapters =
        ";FFMETADATA1\n"
        + ["One", "Two", "Drei, Grün"].enumerated().map {
            "[CHAPTER]\nTIMEBASE=1/1000\nSTART=\([0, 400, 1000][$0])\nEND=\([400, 1000, 2000][$0])\ntitle=\($1)\n"
        }.joined()

    @Test(arguments: ["flac", "opus"]) func `chapters among comments are kept`(ending: String) async throws {
        try Self.chapters.write(toFile: folder.file("chapters.txt"), atomically: true, encoding: .utf8)
        try await make("in.mka", ["-map", "0:a", "-map_chapters", "2", "-c:a", "flac"], inputs: ["chapters.txt"])
        if ending == "flac" {
            // ffmpeg (5.1) writes none to FLAC.
            _ = try await export("in.mka", to: "in.flac")
        } else {
            try await make(
                "in.opus", ["-map", "0:a", "-map_chapters", "2", "-c:a", "libopus"], inputs: ["chapters.txt"])
        }
        _ = try await export("in.\(ending)", to: "out.m4a", audio: .aac)
        let chapters = try await FFProbe.inspect(folder.file("out.m4a")).chapters ?? []
        #expect(chapters.compactMap { $0.tags?["title"] } == ["One", "Two", "Drei, Grün"])
        #expect(
            try CommentChapters.read(FilePath(folder.file("in.\(ending)"))).map(\.start)
                == [0, 400, 1000].map { $0 * .millisecond })
    }

    @Test func `named places of WAV are kept`() async throws {
        try Self.chapters.write(toFile: folder.file("chapters.txt"), atomically: true, encoding: .utf8)
        try await make("in.mka", ["-map", "0:a", "-map_chapters", "2", "-c:a", "flac"], inputs: ["chapters.txt"])
        _ = try await export("in.mka", to: "in.wav")
        _ = try await export("in.wav", to: "out.m4a")
        let chapters = try await FFProbe.inspect(folder.file("out.m4a")).chapters ?? []
        #expect(chapters.compactMap { $0.tags?["title"] } == ["One", "Two", "Drei, Grün"])
        #expect(chapters.map(\.startTime.value) == [0, 0.4, 1])
        // A loop without a name is no chapter, and what is cut off is no fault.
        var bytes = try Data(contentsOf: URL(filePath: folder.file("in.wav")))
        // As Zoom's recorders write it.
        var small = bytes
        while let list = small.range(of: Data("LIST".utf8)) { small.replaceSubrange(list, with: Data("list".utf8)) }
        try small.write(to: URL(filePath: folder.file("small.wav")))
        #expect(try WaveCues.read(FilePath(folder.file("small.wav"))).map(\.title) == ["One", "Two", "Drei, Grün"])
        bytes.removeLast(9)
        try bytes.write(to: URL(filePath: folder.file("short.wav")))
        #expect(try WaveCues.read(FilePath(folder.file("short.wav"))).count <= 2)
    }

    @Test(arguments: [("2021-05-06", "2021-05-06"), ("20210506", "2021-05-06"), ("2019", "2019")])
    func `the date of Matroska is kept, and not the day of the export`(text: String, day: String) async throws {
        let words = ["-metadata", "DATE=\(text)", "-metadata", "title=Name", "-metadata", "artist=Who"]
        try await make("in.mkv", ["-c:v", "libx264", "-preset", "ultrafast", "-c:a", "aac"] + words)
        for (name, preset) in [
            ("coded.mkv", "hevc"), ("coded.mp4", "hevc"), ("copied.mp4", "copy"), ("copied.mkv", "copy"),
        ] {
            _ = try await export("in.mkv", to: name, preset)
            let tags = try await tags(name)
            let date = tags["creation_time"] ?? tags["date"] ?? tags["DATE"] ?? ""
            #expect(date == day || (name == "copied.mkv" && date == text), "\(name): \(tags)")
            #expect(tags["title"] == "Name" && tags["artist"] == "Who", "\(name): \(tags)")
        }
    }

    @Test func `fonts and covers of Matroska are kept, or told where there is no place for them`() async throws {
        let font = Data((0..<70_000).map { UInt8(truncatingIfNeeded: $0 &* 31) })
        try font.write(to: URL(filePath: folder.file("f.ttf")))
        let cover = folder.file("cover.jpg")
        _ = try await Tool.succeed(
            "ffmpeg",
            ["-nostdin", "-v", "error", "-f", "lavfi", "-i", "color=red:size=64x48", "-frames:v", "1", cover])
        try await make(
            "in.mkv",
            ["-c:v", "libx264", "-preset", "ultrafast", "-c:a", "aac", "-attach", folder.file("f.ttf"), "-attach"]
                + [cover, "-metadata:s:t:0", "mimetype=font/ttf", "-metadata:s:t:1", "mimetype=image/jpeg"])
        let image = try Data(contentsOf: URL(filePath: cover))
        for (name, preset) in [
            ("a.mp4", "hevc"), ("a.mkv", "hevc"), ("a.mov", "hevc"),
            ("b.mp4", "copy"), ("b.mkv", "copy"), ("b.mov", "copy"),
        ] {
            let lines = try await export("in.mkv", to: name, preset)
            let isMatroska = name.hasSuffix("mkv")
            #expect(
                lines.count { $0.hasPrefix("Its other attachments, such as fonts, are left out: ") }
                    == (isMatroska ? 0 : 1) && !lines.contains { $0.contains("cover") }, "\(name): \(lines)")
            let out = folder.file(name)
            let dumped = folder.file("dumped.jpg")
            // ffmpeg takes images among the attachments for video of one frame, as it does an MP4's.
            _ = try await Tool.succeed(
                "ffmpeg",
                ["-nostdin", "-v", "error", "-y", "-i", out, "-map", "0:v:1", "-c", "copy", "-frames:v", "1", "-f"]
                    + ["image2", "-update", "1", dumped])
            #expect(try Data(contentsOf: URL(filePath: dumped)) == image, "\(name)")
            guard isMatroska else { continue }
            _ = try await Tool.run(
                "ffmpeg",
                ["-nostdin", "-v", "error", "-y", "-dump_attachment:t:0", folder.file("dumped.ttf"), "-i", out, "-t"]
                    + ["0", "-f", "null", "-"])
            #expect(try Data(contentsOf: URL(filePath: folder.file("dumped.ttf"))) == font, "\(name)")
            let errors = try await Tool.run(
                "ffmpeg",
                ["-nostdin", "-v", "error", "-i", out, "-map", "0:v:0", "-map", "0:a", "-f", "null", "-"]
            ).errors
            #expect(errors.isEmpty, "\(errors)")
        }
        #expect(try await export("b.mp4", to: "c.mkv", "copy").allSatisfy { !$0.contains("cover") })
        let back = try await FFProbe.inspect(folder.file("c.mkv"))
        #expect(back.streams.contains { $0.tags?["filename"] == "cover.jpg" && $0.tags?["mimetype"] == "image/jpeg" })
        let lines = try await export("in.mkv", to: "d.webm", "webm")
        #expect(
            lines.contains { $0.hasPrefix("Left out: cover; WebM") }
                && lines.contains { $0.hasPrefix("Its other attachments, such as fonts, are left out: WebM") },
            "\(lines)")
    }

    @Test func `what music says of itself is kept wherever there is a name for it`() async throws {
        let told = ["album_artist": "AA", "composer": "C", "track": "3/9", "disc": "1/2", "lyrics": "La"]
        let words = (["title=T", "date=2019"] + told.map { "\($0.key)=\($0.value)" }).flatMap { ["-metadata", $0] }
        let cover = ["-map", "1:v", "-frames:v", "1", "-c:v", "png", "-disposition:v", "attached_pic"]
        try await make("in.flac", ["-map", "0:a", "-c:a", "flac"] + cover + words)
        try await make("in.m4a", ["-map", "0:a", "-c:a", "aac"] + words)
        try await make("in.mp3", ["-map", "0:a", "-c:a", "libmp3lame", "-id3v2_version", "3"] + cover + words)
        try await make("in.mka", ["-map", "0:a", "-c:a", "flac"] + words)
        for (input, output) in [
            ("in.flac", "a.m4a"), ("in.flac", "b.flac"), ("in.m4a", "c.m4a"), ("in.mp3", "d.mp3"), ("in.m4a", "e.flac"),
            ("in.mka", "f.mp3"), ("in.mp3", "g.mka"), ("in.mka", "h.mka"),
        ] {
            let lines = try await export(input, to: output)
            #expect(!lines.contains { $0.hasPrefix("Left out: ") }, "\(input) \(output): \(lines)")
            let report = try await FFProbe.inspect(folder.file(output))
            let tags = Dictionary(
                (report.format.tags ?? [:]).map { ($0.key.lowercased(), $0.value) }, uniquingKeysWith: { $1 })
            // ffmpeg 5.1 writes no lyrics into ID3 that others read.
            for (name, text) in told where name != "lyrics" || input != "in.mp3" {
                // ffmpeg 5.1 reads ID3's lyrics under their language.
                let found = tags[name] ?? tags.first { $0.key.hasPrefix(name) }?.value
                #expect(found == text, "\(input) \(output) \(name): \(tags)")
            }
            #expect(tags["date"] == "2019", "\(output): \(tags)")
            let hasCover = !input.hasSuffix("m4a") && !input.hasSuffix("mka")
            #expect(report.streams.contains { $0.disposition?["attached_pic"] == 1 } == hasCover, "\(output)")
        }
        let lines = try await export("in.flac", to: "flac.wav")
        #expect(
            lines.contains("Left out: album artist, lyrics, disc number, cover; WAV cannot hold them here."),
            "\(lines)")
    }

    @Test(arguments: ["h264", "copy"])
    func `what a series says of itself, and names that nobody knows, go from one kind of movie into the other`(
        preset: String
    ) async throws {
        let told = [
            "show": "Series", "season_number": "2", "episode_sort": "7", "network": "BBC", "synopsis": "All of it",
            "grouping": "G", "episode_id": "S2E7",
        ]
        let words = told.map { "\($0.key)=\($0.value)" }.flatMap { ["-metadata", $0] }
        try await make("in.mp4", ["-c:v", "libx264", "-preset", "ultrafast", "-c:a", "aac"] + words)
        try await make(
            "in.mkv",
            ["-c:v", "libx264", "-preset", "ultrafast", "-c:a", "aac", "-metadata", "DIRECTOR=Ann Lee", "-metadata"]
                + ["IMDB=tt1"] + words)
        for (input, outputs) in [("in.mp4", ["a.mkv", "a.mov", "a.mp4"]), ("in.mkv", ["b.mp4", "b.mkv", "b.mov"])] {
            for output in outputs {
                let lines = try await export(input, to: output, preset)
                #expect(!lines.contains { $0.hasPrefix("Left out: ") }, "\(input) \(output): \(lines)")
                let found = try await FFProbe.inspect(folder.file(output)).format.tags ?? [:]
                let tags = Dictionary(found.map { ($0.key.lowercased(), $0.value) }, uniquingKeysWith: { $1 })
                for (name, text) in told { #expect(tags[name] == text, "\(output) \(name): \(tags)") }
                guard input == "in.mkv" else { continue }
                #expect(tags["director"] == "Ann Lee" && tags["imdb"] == "tt1", "\(output): \(tags)")
            }
        }
    }

    @Test func `QuickTime keys in user data are read`() async throws {
        let words = [
            "com.apple.quicktime.make=Apple", "com.apple.quicktime.model=iPhone 12",
            "com.apple.quicktime.location.ISO6709=+48.8577+002.2950+035.000/",
            "com.apple.quicktime.creationdate=2021-05-06T10:20:30+0200", "title=Name",
        ].flatMap { ["-metadata", $0] }
        try await make(
            "in.mov",
            ["-c:v", "libx264", "-preset", "ultrafast", "-c:a", "aac", "-movflags", "use_metadata_tags"] + words)
        let told = try MovieMetadata.read(FilePath(folder.file("in.mov")))
        #expect(told.make == "Apple" && told.model == "iPhone 12" && told.location == "+48.8577+002.2950+035.000/")
        #expect(told.creationDate?.description == "2021-05-06T10:20:30+0200" && told.title == "Name")
        _ = try await export("in.mov", to: "out.mov", "hevc")
        #expect(try MovieMetadata.read(FilePath(folder.file("out.mov"))).model == "iPhone 12")
    }
}
