import Foundation
import TestSupport
import Testing

/// What is no movie, or none that can be worked on: one sentence, nothing changed, nothing left.
@Suite(.timeLimit(.minutes(25)), .turn) struct BadMovieTests {
    /// The ways of working on `movie.mp4`; those that make a new file make `new.mp4` or `movie.recovered.mp4`.
    private static let recovering = [
        ["recover"], ["recover", "--in-place"], ["recover", "--output", "new.mp4"],
        ["recover", "--output-directory", ".."], ["recover", "--json"],
    ]
    private static let editing = [
        ["rotate", "--angle", "90"], ["rotate", "--angle", "90", "--output", "new.mp4"], ["tag", "--title", "x"],
    ]

    private func expectRefusals(
        _ commands: [[String]], saying phrases: String..., in folder: TemporaryFolder,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let before = folder.snapshot
        for command in commands {
            try await Refusal.expect(
                command + ["movie.mp4"], status: 1, saying: phrases, in: folder,
                sourceLocation: sourceLocation)
            #expect(folder.snapshot == before, "\(command) changed something", sourceLocation: sourceLocation)
        }
    }

    private static let noMovies: [(Data, String)] = [
        (Data(), "the file is empty"),
        (Data("Hello, this is a text and no movie.".utf8), "it holds none of a movie's boxes"),
        (Data(repeating: 0, count: 5000), "is not"), (Data([0, 0, 0, 4]) + Data("moov".utf8), "'moov' at byte 0"),
        (Data([0, 0, 0, 1]) + Data("moov".utf8) + Data(repeating: 0xFF, count: 8), "'moov' at byte 0"),
    ]

    @Test(arguments: Cases.taken(of: noMovies, most: 2)) func `a file that holds no movie is refused`(
        bytes: Data, phrase: String
    ) async throws {
        let folder = try TemporaryFolder()
        try bytes.write(to: URL(filePath: folder.file("movie.mp4")))
        try await expectRefusals(Self.recovering + Self.editing, saying: "movie.mp4", phrase, in: folder)
        try await expectRefusals(
            [["info"], ["transcode", "--output", "new.mp4", "--preset", "copy", "--progress", "none"]],
            saying: "rushes: movie.mp4", in: folder)
    }

    @Test(arguments: [("aiff", "wav", true), ("aac", "m4a", true), ("wv", "flac", false)])
    func `audio that cannot be tagged is named, with the command that makes what can`(
        ending: String, other: String, isCopied: Bool
    ) async throws {
        let folder = try TemporaryFolder()
        _ = try await Tool.succeed(
            "ffmpeg",
            ["-nostdin", "-v", "error", "-f", "lavfi", "-i", "sine=duration=1", folder.file("song.\(ending)")])
        let command = "'rushes transcode\(isCopied ? " --preset copy" : "")' makes a .\(other)"
        try await Refusal.expect(["tag", "--title", "x", "song.\(ending)"], status: 1, saying: [command], in: folder)
        for words in [
            ["transcode", "song.\(ending)"] + (isCopied ? ["--preset", "copy"] : []) + ["--output", "song.\(other)"],
            ["tag", "--title", "x", "song.\(other)"],
        ] {
            let result = try await BuiltCommand.rushes.run(words, folder: folder.path)
            #expect(result.status == 0, "\(words): \(result.errors)")
        }
    }

    @Test func `a folder, a pipe and nothing at all are refused, and a pipe is not waited for`() async throws {
        let folder = try TemporaryFolder()
        let all = Self.recovering + Self.editing + [["info"]]
        try await expectRefusals(all, saying: "movie.mp4 does not exist", in: folder)
        mkfifo(folder.file("movie.mp4"), 0o600)
        try await expectRefusals(all, saying: "movie.mp4 is a pipe", in: folder)
        unlink(folder.file("movie.mp4"))
        try FileManager.default.createDirectory(atPath: folder.file("movie.mp4"), withIntermediateDirectories: false)
        try await expectRefusals(all, saying: "movie.mp4 is a folder", in: folder)
    }

    @Test func `a movie that lost its index with its end is refused`() async throws {
        let folder = try TemporaryFolder()
        try MovieFixture.cut(try await MovieFixture.finished.make("movie.mp4", in: folder), to: 0.5)
        try await expectRefusals(Self.recovering, saying: "no index", in: folder)
        try await expectRefusals(Self.editing, saying: "movie.mp4", in: folder)
        // Nothing else is tried, for seconds, with what says that it is MP4.
        try await expectRefusals([["info"]], saying: "movie.mp4", "no index", in: folder)
    }

    @Test func `a new movie is not given the name of another container`() async throws {
        let folder = try TemporaryFolder()
        try await MovieFixture.fragments.make("movie.mp4", in: folder)
        for command in [["rotate", "--angle", "90"], ["recover"]] {
            try await Refusal.expect(
                command + ["movie.mp4", "--output", "new.mkv"], status: 64, saying: ["name it .mov or .mp4"], in: folder
            )
        }
    }

    @Test func `a finished movie has nothing to be recovered`() async throws {
        let folder = try TemporaryFolder()
        try await MovieFixture.indexFirst.make("movie.mp4", in: folder)
        try await expectRefusals(
            Self.recovering, saying: "Nothing to recover: this movie is already complete.", in: folder)
    }

    @Test func `a movie that is cut off behind its index gives its whole samples`() async throws {
        let folder = try TemporaryFolder()
        let movie = try await MovieFixture.indexFirst.make("movie.mp4", in: folder)
        let frames = try await FFProbe.packets("v:0", of: movie)
        try MovieFixture.cut(movie, to: 0.6)
        let size = Double(try Data(contentsOf: URL(filePath: movie)).count)
        let whole = frames.count { ($0.pos?.value ?? 0) + ($0.size?.value ?? 0) <= size }
        try await expectRefusals([["tag", "--title", "x"]], saying: "not whole", in: folder)
        let transcode = ["transcode", "--output", "new.mp4", "--preset", "h264", "--progress", "none"]
        let export = try await BuiltCommand.rushes.run(transcode + ["movie.mp4"], folder: folder.path)
        #expect(export.status == 0 && export.errors.contains("The file is cut off"), "\(export)")
        #expect(try await FFProbe.packets("v:0", of: folder.file("new.mp4")).count == whole)
        try FileManager.default.removeItem(atPath: folder.file("new.mp4"))
        let result = try await BuiltCommand.rushes.run(["recover", "movie.mp4"], folder: folder.path)
        #expect(result.status == 0 && whole > 10 && whole < 50, "\(result)")
        let recovered = folder.file("movie.recovered.mp4")
        #expect(try await FFProbe.packets("v:0", of: recovered).count == whole)
        #expect(try await FFProbe.inspect(recovered).audio.count == 1)
        try await FFmpeg.decode(recovered)
        let again = try await BuiltCommand.rushes.run(["recover", "movie.recovered.mp4"], folder: folder.path)
        #expect(again.status == 1 && again.errors.contains("Nothing to recover"), "\(again)")
        let inPlace = try await BuiltCommand.rushes.run(["recover", "--in-place", "movie.mp4"], folder: folder.path)
        #expect(inPlace.status == 0, "\(inPlace)")
        try await FFmpeg.decode(movie)
    }

    @Test func `tags of a movie in fragments wait for its recovery`() async throws {
        let folder = try TemporaryFolder()
        try await MovieFixture.fragments.make("movie.mp4", in: folder)
        try await expectRefusals([["tag", "--title", "x"]], saying: "recover it first", in: folder)
    }

    @Test func `an encrypted movie is not recovered, by the name and place of its sample entry`() async throws {
        let folder = try TemporaryFolder()
        try await MovieFixture.encrypted.make("movie.mp4", in: folder)
        try await expectRefusals(Self.recovering, saying: "encrypted (sample entry 'encv' at byte", in: folder)
    }

    @Test(arguments: ["stsz", "stco", "stts"])
    func `a table that claims a billion entries is refused by the name of its box`(box: String) async throws {
        let folder = try TemporaryFolder()
        let movie = try await MovieFixture.indexFirst.make("movie.mp4", in: folder)
        try MovieFixture.overwrite(movie, after: box, at: box == "stsz" ? 8 : 4, with: [0x3B, 0x9A, 0xCA, 0])
        try await expectRefusals([["info"]], saying: "'\(box)' at byte", in: folder)
    }

    @Test func `a movie that another program writes is only looked at`() async throws {
        let folder = try TemporaryFolder()
        let movie = try await MovieFixture.fragments.make("movie.mp4", in: folder)
        let writer = try RunningCommand("bash", ["-c", #"exec 3<>"$1"; echo open; read -r"#, "bash", movie])
        for await _ in writer.lines { break }
        try await expectRefusals(Self.recovering, saying: "has it open for writing", in: folder)
        try await expectRefusals(Self.editing, saying: "another program has it open for writing", in: folder)
        #expect(try await BuiltCommand.rushes.run(["info", movie]).status == 0)
        writer.closeInput()
        _ = try await writer.result(within: .seconds(60))
        let result = try await BuiltCommand.rushes.run(["recover", movie])
        #expect(result.status == 0, "\(result)")
    }

    @Test func `a file of somebody else, and a folder of theirs, are named`() async throws {
        let folder = try TemporaryFolder()
        let movie = try await MovieFixture.fragments.make("movie.mp4", in: folder)
        _ = chmod(folder.path, 0o755)
        let before = folder.snapshot
        for command in [
            ["recover"], ["recover", "--in-place"], ["rotate", "--angle", "90"], ["tag", "--title", "x"],
        ] {
            let result = try await AnotherUser.run(command + ["movie.mp4"], in: folder)
            let phrase = command == ["recover"] ? "cannot be written" : "Permission denied"
            Refusal.expect(result, status: 1, saying: [phrase])
        }
        _ = chmod(movie, 0)
        for command in [["recover", "--output", "/tmp/new.mp4"], ["info"]] {
            let result = try await AnotherUser.run(command + ["movie.mp4"], in: folder)
            Refusal.expect(result, status: 1, saying: ["movie.mp4", "Permission denied"])
        }
        _ = chmod(movie, 0o600)
        #expect(folder.snapshot == before)
    }

    @Test func `a new movie never takes the place of another, unless it is told to`() async throws {
        let folder = try TemporaryFolder()
        try await MovieFixture.fragments.make("movie.mp4", in: folder)
        for name in ["new.mp4", "movie.recovered.mp4"] {
            try Data("precious".utf8).write(to: URL(filePath: folder.file(name)))
        }
        try await expectRefusals(
            [["recover"], ["recover", "--output", "new.mp4"], ["rotate", "--angle", "90", "--output", "new.mp4"]],
            saying: "already exists", in: folder)
        try await expectRefusals(
            [["recover", "--output-directory", "."]], saying: "movie.mp4 is the movie itself", in: folder)
        let result = try await BuiltCommand.rushes.run(
            ["recover", "--overwrite", "--output", "new.mp4", "movie.mp4"], folder: folder.path)
        #expect(result.status == 0, "\(result)")
        try await FFmpeg.decode(folder.file("new.mp4"))
        #expect(folder.contents == ["movie.mp4", "movie.recovered.mp4", "new.mp4"])
    }

    @Test func `a disk without room for the copy is named, and nothing stays on it`() async throws {
        let folder = try TemporaryFolder()
        try await MovieFixture.fragments.make("movie.mp4", in: folder)
        for command in [["recover"], ["rotate", "--angle", "90"]] {
            let result = try await SmallDisk.run(
                command + ["--output", "new.mp4", folder.file("movie.mp4")], size: "64k", in: folder)
            Refusal.expect(result, status: 1, saying: ["The disk is full", "free some space"])
            #expect(try SmallDisk.contents(folder) == [])
        }
    }

    @Test(arguments: [
        (["recover"], "<file>"), (["rotate", "movie.mp4"], "--angle"), (["tag", "movie.mp4"], "nothing to write"),
        (["rotate", "movie.mp4", "--angle", "45"], "0, 90, 180 or 270"),
        (["recover", "movie.mp4", "--in-place", "--output", "x.mp4"], "cannot be used together"),
        (["recover", "movie.mp4", "other.mp4", "--output", "x.mp4"], "--output-directory for several"),
        (["recover", "movie.mp4", "--in-place", "--overwrite"], "--overwrite"),
        (["tag", "movie.mp4", "--chapter", "soon=Later"], "--chapter cannot be 'soon=Later'"),
        (["tag", "movie.mp4", "--location", "Paris"], "ISO 6709"),
        (["tag", "movie.mp4", "--date", "today"], "ISO 8601"),
    ]) func `wrong usage is named`(arguments: [String], phrase: String) async throws {
        let folder = try TemporaryFolder()
        try Data("x".utf8).write(to: URL(filePath: folder.file("movie.mp4")))
        try await Refusal.expect(arguments, status: 64, saying: [phrase], in: folder)
    }
}
