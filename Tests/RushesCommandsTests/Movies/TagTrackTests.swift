import Foundation
import TestSupport
import Testing

/// `rushes tag`: what tracks say of themselves, as other programs read it.
@Suite(.timeLimit(.minutes(25)), .turn) struct TagTrackTests {
    @Test(arguments: ["film.mkv", "film.mov", "film.mp4"])
    func `languages, titles and the default of tracks are what others read`(name: String) async throws {
        let folder = try TemporaryFolder()
        try await TagCommandTests.makeFilm(name, in: folder)
        let packets = try await packets(folder.file(name))
        let result = try await BuiltCommand.rushes.run(
            [
                "tag", name, "--audio-track", "1,language=de,title=Laut, leise", "--audio-track",
                "2,language=pt-BR,title=,default", "--title", "Day", "--chapter", "0=One",
            ], folder: folder.path)
        #expect(result.status == 0, "\(result)")
        #expect(
            result.errors == "\(name): wrote the title, 1 chapter, audio track 1 and audio track 2.\n",
            "\(result.errors)")
        let tracks = try await FFProbe.inspect(folder.file(name)).streams.filter { $0.codecType == "audio" }
        #expect(tracks.map { $0.tags?["language"] } == [name.hasSuffix("mkv") ? "ger" : "deu", "por"])
        // Of MP4, ffmpeg 5.1 knows the handler's name alone.
        let key = name.hasSuffix("mkv") ? "title" : "handler_name"
        #expect(tracks[0].tags?[key] == "Laut, leise", "\(tracks.map(\.tags))")
        #expect(!tracks.contains { $0.tags?.values.contains("Old") == true }, "\(tracks.map(\.tags))")
        #expect(tracks.map { $0.disposition?["default"] } == [0, 1])
        let info = try await BuiltCommand.rushes.run(["info", name], folder: folder.path)
        #expect(info.text.contains("pt-BR") && info.text.contains("Laut, leise"), "\(info.text)")
        #expect(try await self.packets(folder.file(name)) == packets)
        #expect(folder.contents == [name])
    }

    @Test(arguments: ["film.mkv", "film.mov", "film.mp4"])
    func `what a track is for is what ffprobe reads, and goes again`(name: String) async throws {
        let folder = try TemporaryFolder()
        try await TagCommandTests.makeFilm(name, in: folder)
        let packets = try await packets(folder.file(name))
        let (set, taken) = ("2,commentary,dub,language=de", "2,commentary=no")
        for (change, dispositions) in [(set, ["comment", "dub"]), (taken, ["dub"])] {
            let result = try await BuiltCommand.rushes.run(
                ["tag", name, "--audio-track", change], folder: folder.path)
            #expect(result.errors == "\(name): wrote audio track 2.\n", "\(result)")
            let tracks = try await FFProbe.inspect(folder.file(name)).streams.filter { $0.codecType == "audio" }
            let told = (tracks.last?.disposition ?? [:]).filter { $0.key != "default" && $0.value == 1 }
            #expect(told.keys.sorted() == dispositions)
            #expect(tracks.first?.disposition?["comment"] == 0)
        }
        #expect(try await self.packets(folder.file(name)) == packets)
        guard name != "film.mkv" else { return }
        let before = folder.snapshot
        try await Refusal.expect(
            ["tag", name, "--audio-track", "1,original"], status: 1,
            saying: ["has no place for what audio track 1 is to be (the original language)"], in: folder)
        #expect(folder.snapshot == before)
    }

    @Test(arguments: [
        (["--audio-track", "one,language=de"], 64, "begins with no track's number"),
        (["--audio-track", "1"], 64, "'1' changes nothing"), (["--audio-track", "1,lang=de"], 64, "not 'lang=de'"),
        (["--audio-track", "1,language=german"], 64, "'german' is not a language"),
        (["--audio-track", "2,language=de"], 1, "it has 1 audio track, so there is no audio track 2"),
        (["--subtitle-track", "1,default"], 1, "it has no subtitle tracks"),
    ]) func `a track that there is not, and a change that is none, are refused`(
        options: [String], status: Int32, words: String
    ) async throws {
        let folder = try TemporaryFolder()
        try await MovieFixture.finished.make("take.mov", in: folder)
        let before = folder.snapshot
        try await Refusal.expect(["tag", "take.mov"] + options, status: status, saying: [words], in: folder)
        #expect(folder.snapshot == before)
    }

    /// The packets of video and audio; the chapters' text is a track of its own.
    private func packets(_ file: String) async throws -> String {
        try await Tool.succeed(
            "ffmpeg", ["-v", "error", "-i", file, "-map", "0:V", "-map", "0:a", "-c", "copy", "-f", "framemd5", "-"]
        ).text
    }
}
