import Foundation
import TestSupport
import Testing

/// `rushes tag`: as other programs read it, with the samples untouched.
@Suite(.timeLimit(.minutes(25)), .turn) struct TagCommandTests {
    @Test(arguments: ["film.mkv", "film.mov", "film.mp4"])
    func `a time without a zone is this machine's, and a zone stays`(name: String) async throws {
        let folder = try TemporaryFolder()
        try await Self.makeFilm(name, in: folder)
        func told(_ date: String) async throws -> String {
            let result = try await BuiltCommand.rushes.run(
                ["tag", name, "--date", date], environment: ["TZ": "Europe/Berlin"], folder: folder.path)
            #expect(result.status == 0, "\(result)")
            return try await BuiltCommand.rushes.run(["info", "--json", name], folder: folder.path).text
        }
        #expect(try await told("2025-06-14T18:03:22").contains("2025-06-14T18:03:22+0200"))
        #expect(try await told("2025-01-14 18:03").contains("2025-01-14T18:03:00+0100"))
        #expect(try await told("2025-06-14T18:03:22-05:00").contains("2025-06-14T18:03:22-0500"))
        #expect(
            try await FFProbe.inspect(folder.file(name)).format.tags?["creation_time"]?.hasPrefix("2025-06-14T23:03")
                == true)
        let day = try await BuiltCommand.rushes.run(["tag", name, "--date", "2025-06-14"], folder: folder.path)
        #expect(day.errors == "\(name): wrote the date without a time of day.\n")
    }

    @Test(arguments: ["film.mkv", "film.mov", "film.mp4"])
    func `a cover is put in, replaced and taken away`(name: String) async throws {
        let folder = try TemporaryFolder()
        try await Self.makeFilm(name, in: folder)
        let packets = try await packets(folder.file(name))
        for (image, size) in [("first.png", "120x90"), ("second.jpg", "64x64")] {
            let video = "testsrc2=size=\(size)"
            _ = try await Tool.succeed(
                "ffmpeg",
                [
                    "-nostdin", "-v", "error", "-f", "lavfi", "-i", video, "-frames:v", "1", folder.file(image),
                ])
            let result = try await BuiltCommand.rushes.run(
                ["tag", name, "--artwork", image, "--album", "Series", "--genre", "News", "--description", "Day"],
                folder: folder.path)
            #expect(
                result.errors == "\(name): wrote the album, the genre, the description and the cover.\n", "\(result)")
            let streams = try await FFProbe.inspect(folder.file(name)).streams
            let covers = streams.filter { $0.disposition?["attached_pic"] == 1 }
            #expect(covers.map(\.codecName) == [image.hasSuffix("png") ? "png" : "mjpeg"])
            let cover = folder.file("out." + image)
            _ = try await Tool.succeed(
                "ffmpeg",
                [
                    "-nostdin", "-v", "error", "-i", folder.file(name), "-map", "0:\(covers.first?.index ?? 0)", "-c",
                    "copy", "-f", "image2", "-update", "1", cover,
                ])
            #expect(FileManager.default.contentsEqual(atPath: cover, andPath: folder.file(image)))
            let tags = try await FFProbe.inspect(folder.file(name)).format.tags ?? [:]
            let texts = Set(tags.values)
            #expect(texts.isSuperset(of: ["Series", "News", "Day"]), "\(tags)")
            #expect(try await self.packets(folder.file(name)) == packets)
        }
        let before = folder.snapshot
        try await Refusal.expect(
            ["tag", name, "--artwork", name], status: 64, saying: ["\(name) is neither a JPEG nor a PNG"], in: folder)
        try await Refusal.expect(
            ["tag", name, "--artwork", "none.jpg"], status: 64, saying: ["none.jpg cannot be read: No such file"],
            in: folder)
        #expect(folder.snapshot == before)
        let result = try await BuiltCommand.rushes.run(["tag", name, "--artwork", ""], folder: folder.path)
        #expect(result.errors == "\(name): removed the cover.\n", "\(result)")
        let left = try await FFProbe.inspect(folder.file(name)).streams
        #expect(left.map(\.codecType) == ["video", "audio", "audio"], "\(left)")
        #expect(try await self.packets(folder.file(name)) == packets)
    }

    @Test func `the other files that a Matroska movie brings stay when its cover changes, and WebM has none`()
        async throws
    {
        let folder = try TemporaryFolder()
        try await Self.makeFilm("plain.mkv", in: folder)
        try Data("A".utf8).write(to: URL(filePath: folder.file("font.ttf")))
        for (image, size) in [("old.jpg", "32x32"), ("new.jpg", "64x64")] {
            _ = try await Tool.succeed(
                "ffmpeg",
                [
                    "-nostdin", "-v", "error", "-f", "lavfi", "-i", "testsrc2=size=\(size)", "-frames:v", "1",
                    folder.file(image),
                ])
        }
        let attached =
            [("old.jpg", "small_cover.jpg", "image/jpeg"), ("old.jpg", "cover.jpg", "image/jpeg")]
            + [("font.ttf", "font.ttf", "font/ttf")]
        let options = attached.enumerated().flatMap { index, file in
            [
                "-attach", folder.file(file.0), "-metadata:s:t:\(index)", "filename=\(file.1)",
                "-metadata:s:t:\(index)", "mimetype=\(file.2)",
            ]
        }
        _ = try await Tool.succeed(
            "ffmpeg",
            ["-nostdin", "-v", "error", "-i", folder.file("plain.mkv"), "-map", "0", "-c", "copy"] + options
                + [folder.file("film.mkv")])
        let result = try await BuiltCommand.rushes.run(
            ["tag", "film.mkv", "--artwork", "new.jpg"], folder: folder.path)
        #expect(result.status == 0, "\(result)")
        let files = try await FFProbe.inspect(folder.file("film.mkv")).streams.dropFirst(3)
        #expect(files.map { $0.tags?["filename"] } == ["cover.jpg", "font.ttf"])
        #expect(files.first?.width == 64)
        // It ends with a complaint that there is no output.
        _ = try await Tool.run(
            "ffmpeg",
            ["-nostdin", "-v", "error", "-dump_attachment:4", folder.file("out"), "-i", folder.file("film.mkv")])
        #expect(FileManager.default.contentsEqual(atPath: folder.file("out"), andPath: folder.file("font.ttf")))

        _ = try await Tool.succeed(
            "ffmpeg",
            [
                "-nostdin", "-v", "error", "-f", "lavfi", "-i", "sine=duration=1", "-c:a", "libopus",
                folder.file("a.webm"),
            ])
        let before = folder.snapshot
        try await Refusal.expect(
            ["tag", "a.webm", "--artwork", "new.jpg"], status: 1, saying: ["WebM has no place for a cover"], in: folder)
        #expect(folder.snapshot == before)
    }

    @Test(arguments: [["tag", "--artist", "Ann Lee"], ["rotate", "--angle", "90"]])
    func `several movies are changed at once, and one that cannot be stops no other`(words: [String]) async throws {
        let folder = try TemporaryFolder()
        try await MovieFixture.finished.make("a.mov", in: folder)
        try await MovieFixture.finished.make("c.mov", in: folder)
        let result = try await BuiltCommand.rushes.run(
            words + ["a.mov", "none.mov", "c.mov"], folder: folder.path)
        #expect(result.status == 1 && result.errors.contains("none.mov does not exist"), "\(result)")
        for name in ["a.mov", "c.mov"] {
            #expect(result.errors.contains(name))
            let exif = try await ExifTool.inspect(folder.file(name))
            #expect(words[0] == "tag" ? exif["Artist"] == "Ann Lee" : exif["Rotation"] == "90", "\(exif)")
        }
    }

    /// One track of video and two of audio.
    static func makeFilm(_ name: String, in folder: TemporaryFolder) async throws {
        _ = try await Tool.succeed(
            "ffmpeg",
            [
                "-nostdin", "-v", "error", "-f", "lavfi", "-i", "testsrc2=size=320x180:rate=25:duration=1", "-f",
                "lavfi", "-i", "sine=duration=1", "-map", "0", "-map", "1", "-map", "1", "-c:v", "libx264", "-c:a",
                "aac", "-metadata:s:a:1", "title=Old", folder.file(name),
            ])
    }

    @Test(arguments: ["take.mp4", "take.mov"], [MovieFixture.finished, .indexFirst])
    func `exiftool, ffprobe and mediainfo read what was written, again and again`(name: String, fixture: MovieFixture)
        async throws
    {
        let folder = try TemporaryFolder()
        let movie = try await fixture.make(name, in: folder)
        let packets = try await packets(movie)
        for title in ["First", "Größer: “2” 🎬"] {
            let result = try await BuiltCommand.rushes.run(
                [
                    "tag", name, "--title", title, "--location", "+48.8577+002.295+035/", "--make", "Acme", "--model",
                    "X-100", "--date", "2026-11-21T14:03:22.125+01:00",
                ], folder: folder.path)
            #expect(result.status == 0 && result.text.isEmpty, "\(result)")
            #expect(result.errors == "\(name): wrote the title, the location, the make, the model and the date.\n")
            let exif = try await ExifTool.inspect(movie)
            #expect(exif["Title"] == title)
            #expect(exif["Make"] == "Acme" && exif["Model"] == "X-100")
            #expect(exif["GPSCoordinates"]?.hasPrefix("48.8577 2.295") == true)
            #expect(exif["CreationDate"]?.hasPrefix("2026:11:21 14:03:22.125+01:00") == true, "\(exif)")
            let format = try await FFProbe.inspect(movie).format.tags ?? [:]
            #expect((format["title"] ?? format["com.apple.quicktime.title"]) == title)
            let media = try await MediaInfo.inspect(movie)
            #expect(media.general?["Title"] ?? media.general?["Movie"] == title)
            try await FFmpeg.decode(movie)
            #expect(try await self.packets(movie) == packets)
        }
        #expect(folder.contents == [name])
        // What was not given stays.
        let result = try await BuiltCommand.rushes.run(["tag", name, "--make", "Other"], folder: folder.path)
        #expect(result.status == 0, "\(result)")
        let exif = try await ExifTool.inspect(movie)
        #expect(exif["Make"] == "Other" && exif["Model"] == "X-100" && exif["Title"] == "Größer: “2” 🎬")
    }

    @Test func `chapters are in order, replaced as a whole, and played by others`() async throws {
        let folder = try TemporaryFolder()
        let movie = try await MovieFixture.finished.make("talk.mp4", in: folder)
        let packets = try await packets(movie)
        for chapters in [["1.5s=Later", "0=Welcome", "500ms=a=b"], ["0=One", "00:00:01=Two"]] {
            let result = try await BuiltCommand.rushes.run(
                ["tag", "talk.mp4"] + chapters.flatMap { ["--chapter", $0] }, folder: folder.path)
            #expect(result.status == 0, "\(result)")
            #expect(result.errors == "talk.mp4: wrote \(chapters.count) chapters.\n")
            let found = try await FFProbe.inspect(movie).chapters ?? []
            let names = found.compactMap { $0.tags?["title"] }
            #expect(names == (chapters.count == 3 ? ["Welcome", "a=b", "Later"] : ["One", "Two"]))
            #expect(found.map(\.startTime.value) == (chapters.count == 3 ? [0, 0.5, 1.5] : [0, 1]))
            #expect(try await self.packets(movie) == packets)
            try await FFmpeg.decode(movie)
        }
        let gone = try await BuiltCommand.rushes.run(
            ["tag", "talk.mp4", "--chapter", "", "--title", "T"], folder: folder.path)
        #expect(gone.errors == "talk.mp4: wrote the title; removed the chapters.\n", "\(gone)")
        #expect(try await FFProbe.inspect(movie).chapters?.isEmpty == true)
        _ = try await BuiltCommand.rushes.run(
            ["tag", "talk.mp4", "--chapter", "0=One", "--chapter", "1s=Two"], folder: folder.path)
        let info = try await BuiltCommand.rushes.run(["info", "talk.mp4"], folder: folder.path)
        #expect(info.text.contains("chapter  0:01.0  Two"), "\(info)")
        let playback = try await Browser.play(movie)
        #expect(playback.allSatisfy { $0.plays }, "\(playback)")
    }

    @Test func `a place in the south and the west is one`() async throws {
        let folder = try TemporaryFolder()
        let movie = try await MovieFixture.finished.make("take.mov", in: folder)
        let result = try await BuiltCommand.rushes.run(
            ["tag", "take.mov", "--location", "-33.8688-070.6693/"], folder: folder.path)
        #expect(result.status == 0, "\(result)")
        let place = try await ExifTool.inspect(movie)["GPSCoordinates"]
        #expect(place?.hasPrefix("-33.8688 -70.6693") == true, "\(place ?? "")")
    }

    @Test(arguments: [
        (["--date", ""], "A date cannot be removed"), (["--date", "2026-02-30"], "--date is a date by ISO 8601"),
        (["--date", "2026-04-30T23:60:00Z"], "--date is a date"),
        (["--location", "+91+000/"], "--location is a place"),
    ]) func `no date and no place that there is not`(options: [String], words: String) async throws {
        let folder = try TemporaryFolder()
        try await MovieFixture.finished.make("take.mov", in: folder)
        let before = folder.snapshot
        try await Refusal.expect(["tag", "take.mov"] + options, status: 64, saying: [words], in: folder)
        #expect(folder.snapshot == before)
    }

    @Test func `two chapters at one time, and one behind the end, are refused`() async throws {
        let folder = try TemporaryFolder()
        try await MovieFixture.finished.make("talk.mp4", in: folder)
        let before = folder.snapshot
        try await Refusal.expect(
            ["tag", "talk.mp4", "--chapter", "0=A", "--chapter", "0s=B"], status: 64,
            saying: ["Two chapters begin at 0:00.0"], in: folder)
        try await Refusal.expect(
            ["tag", "talk.mp4", "--chapter", "0=A", "--chapter", "1:00=Late"], status: 1,
            saying: ["talk.mp4", "it lasts 2 s", "“Late”", "choose an earlier time"], in: folder)
        #expect(folder.snapshot == before)
    }

    /// The packets of video and audio; the chapters' text is a track of its own.
    private func packets(_ file: String) async throws -> String {
        try await Tool.succeed(
            "ffmpeg", ["-v", "error", "-i", file, "-map", "0:V", "-map", "0:a", "-c", "copy", "-f", "framemd5", "-"]
        ).text
    }
}
