import Foundation
import TestSupport
import Testing

/// `rushes recover` on what killed recorders leave.
@Suite(.timeLimit(.minutes(25)), .turn) struct RecoverCommandTests {
    private struct Answer: Decodable {
        var input: String
        var output: String
        var framesRecovered: Int
        var samplesRecovered: Int
        var bytesLost: Int
        var complete: Bool
    }

    @Test func `a recovered movie is an ordinary one beside the original, which stays as it is`() async throws {
        let folder = try TemporaryFolder()
        let movie = try await MovieFixture.fragments.make("take.mp4", in: folder)
        let before = try Data(contentsOf: URL(filePath: movie))
        let result = try await BuiltCommand.rushes.run(
            ["recover", "--progress", "none", "--json", "take.mp4"], folder: folder.path)
        #expect(result.status == 0 && result.errors.isEmpty, "\(result)")
        let answer = try JSONDecoder().decode(Answer.self, from: result.output)
        #expect(answer.input == "take.mp4" && answer.output == "take.recovered.mp4")
        #expect(answer.framesRecovered == MovieFixture.frameCount && answer.samplesRecovered > 80)
        #expect(answer.complete && answer.bytesLost == 0)
        #expect(folder.contents == ["take.mp4", "take.recovered.mp4"])
        #expect(try Data(contentsOf: URL(filePath: movie)) == before)
        try await Judges.expect(
            folder.file("take.recovered.mp4"),
            .init(video: "h264", audio: "aac", frames: 50, seconds: 2, size: (160, 120), channels: 1))
        let playback = try await Browser.play(folder.file("take.recovered.mp4"))
        #expect(playback.allSatisfy { $0.plays && $0.width == 160 && $0.height == 120 }, "\(playback)")
    }

    @Test(arguments: [0.97, 0.6, 0.35]) func `a movie that was cut keeps all that is whole, and says what is lost`(
        share: Double
    ) async throws {
        let folder = try TemporaryFolder()
        let movie = try await MovieFixture.fragments.make("take.mp4", in: folder)
        try MovieFixture.cut(movie, to: share)
        let result = try await BuiltCommand.rushes.run(
            ["recover", "--progress", "none", "take.mp4"], folder: folder.path)
        #expect(result.status == 0 && result.errors.isEmpty, "\(result)")
        #expect(result.text.hasPrefix("take.recovered.mp4: 0:0") && result.text.contains("lost"), "\(result)")
        try await FFmpeg.decode(folder.file("take.recovered.mp4"))
        let inPlace = try await BuiltCommand.rushes.run(
            ["recover", "--progress", "none", "--in-place", "take.mp4"], folder: folder.path)
        #expect(inPlace.status == 0 && inPlace.errors.isEmpty, "\(inPlace)")
        #expect(folder.contents == ["take.mp4", "take.recovered.mp4"])
        let (own, new) = try (
            Data(contentsOf: URL(filePath: movie)),
            Data(contentsOf: URL(filePath: folder.file("take.recovered.mp4")))
        )
        #expect(own == new)
    }

    @Test func `what is lost in the middle is told with its time, and what follows is kept`() async throws {
        let folder = try TemporaryFolder()
        let movie = try await MovieFixture.fragments.make("take.mp4", in: folder)
        var bytes = try Data(contentsOf: URL(filePath: movie))
        let first = try #require(bytes.range(of: Data("moof".utf8)))
        let second = try #require(bytes.range(of: Data("moof".utf8), in: first.upperBound..<bytes.count))
        let count = try #require(bytes.range(of: Data("trun".utf8), in: second.upperBound..<bytes.count)).upperBound + 4
        bytes.replaceSubrange(count..<count + 4, with: [0x7F, 0xFF, 0xFF, 0xFF])
        try bytes.write(to: URL(filePath: movie))
        let result = try await BuiltCommand.rushes.run(
            ["recover", "--progress", "none", "--in-place", "take.mp4"], folder: folder.path)
        #expect(result.status == 0 && result.text.contains("kB at 0:00.") && result.text.contains(" lost"), "\(result)")
        #expect(!result.text.contains("at the end"), "\(result)")
        #expect(try Data(contentsOf: URL(filePath: movie)).count >= bytes.count)
        #expect(try await FFProbe.packets("v:0", of: movie).count == 40)
        try await FFmpeg.decode(movie)
    }

    @Test func `several movies are recovered, and those that cannot be are named and do no harm`() async throws {
        let folder = try TemporaryFolder()
        try await MovieFixture.fragments.make("one.mp4", in: folder)
        try await MovieFixture.finished.make("two.mp4", in: folder)
        try await MovieFixture.fragments.make("three.mp4", in: folder)
        try FileManager.default.createDirectory(atPath: folder.file("other"), withIntermediateDirectories: false)
        try FileManager.default.copyItem(atPath: folder.file("one.mp4"), toPath: folder.file("other/one.mp4"))
        let result = try await BuiltCommand.rushes.run(
            [
                "recover", "--progress", "none", "--output-directory", "rescued", "one.mp4", "two.mp4", "three.mp4",
                "gone.mp4",
                "other/one.mp4",
            ],
            folder: folder.path)
        #expect(result.status == 1, "\(result)")
        let lines = result.errors.split(separator: "\n")
        // The second "one.mp4" would take the first one's place.
        #expect(lines.count == 3, "\(result)")
        for (line, phrase) in zip(
            lines,
            [
                "two.mp4: ", "gone.mp4 ",
                "rescued/one.mp4 already exists, made of one.mp4; recover other/one.mp4 into another folder.",
            ])
        {
            #expect(line.contains(phrase), "\(line)")
        }
        #expect(result.text.split(separator: "\n").count == 2, "\(result)")
        let rescued = try FileManager.default.contentsOfDirectory(atPath: folder.file("rescued")).sorted()
        #expect(rescued == ["one.mp4", "three.mp4"])
        for name in rescued { try await FFmpeg.decode(folder.file("rescued/\(name)")) }
    }

    @Test func `neither another one's new movie nor an original is replaced, whatever is said`() async throws {
        let folder = try TemporaryFolder()
        try FileManager.default.createDirectory(atPath: folder.file("a"), withIntermediateDirectories: false)
        try await MovieFixture.fragments.make("a/one.mp4", in: folder)
        try FileManager.default.copyItem(atPath: folder.file("a/one.mp4"), toPath: folder.file("one.mp4"))
        let original = try Data(contentsOf: URL(filePath: folder.file("one.mp4")))
        for (words, phrase) in [
            (["one.mp4", "a/one.mp4", "--output-directory", "new"], "new/one.mp4 already exists, made of one.mp4"),
            (["a/one.mp4", "--output-directory", "a"], "a/one.mp4 is the movie itself; name another folder"),
            (["a/one.mp4", "--output", "a/../a/one.mp4"], "a/one.mp4 is the movie itself; name another file"),
        ] {
            let result = try await BuiltCommand.rushes.run(
                ["recover", "--overwrite", "--progress", "none"] + words, folder: folder.path)
            #expect(result.status == 1 && result.errors.contains(phrase), "\(result)")
        }
        for name in ["one.mp4", "a/one.mp4"] {
            #expect(try Data(contentsOf: URL(filePath: folder.file(name))) == original)
        }
        try await FFmpeg.decode(folder.file("new/one.mp4"))
    }

    @Test(arguments: [
        ("mkv", "-c:v libx264 -cluster_time_limit 500", ["mkv"]), ("webm", "-c:v libvpx", ["webm", "mkv"]),
        ("flac", "-vn", ["flac"]), ("wav", "-vn", ["wav"]), ("mp3", "-vn -q:a 2", ["mp3"]),
        ("mp4", "-movflags frag_keyframe+empty_moov -g 10 -c:v libx264", ["mp4", "mov"]),
    ]) func `a new file is named as the old one, and as no other`(ending: String, options: String, names: [String])
        async throws
    {
        let folder = try TemporaryFolder()
        let made = try await Tool.run(
            "bash",
            [
                "-c",
                "ffmpeg -nostdin -v error -f lavfi -i testsrc2=size=160x120:rate=25:duration=4 -f lavfi -i sine=duration=4 "
                    + "-threads 1 \(options) t.\(ending)",
            ], folder: folder.path)
        try #require(made.status == 0, "\(made)")
        try MovieFixture.cut(folder.file("t.\(ending)"), to: 0.8)
        for name in ["mkv", "webm", "flac", "wav", "mp3", "mp4", "mov"] {
            let result = try await BuiltCommand.rushes.run(
                ["recover", "--progress", "none", "t.\(ending)", "--output", "new.\(name)"], folder: folder.path)
            #expect((result.status == 0) == names.contains(name), "\(name): \(result)")
            #expect(folder.contents.contains("new.\(name)") == names.contains(name), "\(name)")
            if names.contains(name) { continue }
            #expect(
                result.errors.contains(
                    "as it keeps the old one's format; name it .\(ending == "mp4" ? "mov" : ending)"),
                "\(result)")
        }
        // Of WAV with one channel ffmpeg warns that it guesses the layout.
        let played = try await Tool.run(
            "ffmpeg", ["-nostdin", "-v", "error", "-i", "new.\(ending)", "-f", "null", "-"], folder: folder.path)
        #expect(played.status == 0 && played.errors.isEmpty, "\(played)")
    }

    /// On file systems that know no unnamed files a hidden one takes its place.
    @Test(
        .requires(tool: "cc", package: "gcc libc6-dev"),
        arguments: [
            ["join", "take.mp4", "other.mp4", "--output", "new.mp4"], ["recover", "take.mp4", "--output", "new.mp4"],
            ["rotate", "take.mp4", "--angle", "90", "--output", "new.mp4"],
        ]) func `a copy that is interrupted leaves nothing`(arguments: [String]) async throws
    {
        let (folder, library) = (try TemporaryFolder(), try TemporaryFolder())
        let fixture: MovieFixture = arguments[0] == "recover" ? .fragments : .finished
        for name in ["take.mp4", "other.mp4"] { try await fixture.make(name, in: folder) }
        let before = folder.contents
        let command = try BuiltCommand.rushes.start(
            arguments, environment: ["LD_PRELOAD": try await PreloadedLibrary.build("hang-partial", in: library)],
            folder: folder.path)
        for await line in command.lines where line == "hangs" { break }
        #expect(folder.contents.count == 3 && folder.contents.contains { $0.hasSuffix(".partial") })
        command.signal(SIGINT)
        let result = try await command.result(within: .seconds(60))
        #expect(result.status == 130, "\(result)")
        #expect(folder.contents == before)
    }

    @Test(arguments: [
        "with space.mp4", "quote's \"double\".mp4", "two\nlines.mp4", "%d%s.mp4", "-dash.mp4", "back\\slash.mp4",
        "Über 🎬.mp4", "a=b;c&d|e$HOME`x`.mp4", "UPPER.MP4", "no ending", ".hidden.mp4",
    ]) func `any name works for every command`(name: String) async throws {
        let folder = try TemporaryFolder()
        try await MovieFixture.fragments.make("movie.mp4", in: folder)
        rename(folder.file("movie.mp4"), folder.file(name))
        let own = name.contains(".") && !name.hasPrefix(".h") ? (name as NSString).deletingPathExtension : name
        for arguments in [
            ["recover", "--progress", "none", "--in-place", "--", name],
            ["rotate", "--progress", "none", "--angle", "90", "--", name],
            ["rotate", "--progress", "none", "--angle", "180", "--output=new \(name)", "--", name],
            ["tag", "--title", "T", "--", name],
            ["info", "--", name],
        ] {
            let result = try await BuiltCommand.rushes.run(arguments, folder: folder.path)
            #expect(result.status == 0, "\(result)")
            // What was changed is told, in one line.
            let isTold = ["rotate", "tag"].contains(arguments[0])
            #expect(result.errors.split(separator: "\n").count == (isTold ? 1 : 0), "\(result)")
            // One line for each movie, whatever is in its name.
            if arguments[0] == "recover" { #expect(result.text.split(separator: "\n").count == 1, "\(result)") }
        }
        #expect(folder.contents == [name, "new \(name)"].sorted(), "\(own)")
        try await FFmpeg.decode(folder.file(name))
        #expect(try await MediaInfo.inspect(folder.file("new \(name)")).video.first?.number("Rotation") == 180)
    }

    @Test func `names that are not UTF-8 are kept byte for byte, also where they differ in those bytes only`()
        async throws
    {
        let folder = try TemporaryFolder()
        try await MovieFixture.fragments.make("movie.mp4", in: folder)
        let script = #"""
            set -e
            cp movie.mp4 $'caf\xe9.mp4'; mv movie.mp4 $'caf\xe8.mp4'
            "$1" recover --json $'caf\xe9.mp4' $'caf\xe8.mp4'
            "$1" rotate --angle 90 --output=$'turned\xff.mp4' $'caf\xe9.recovered.mp4'
            "$1" tag --title T $'caf\xe8.recovered.mp4'
            "$1" info $'turned\xff.mp4' | grep -q 'turned 90'
            "$1" info $'caf\xe8.recovered.mp4' | grep -q 'title *T'
            ls -b
            """#
        let result = try await Tool.run(
            "bash", ["-c", script, "bash", try BuiltCommand.rushes.path], folder: folder.path)
        #expect(result.status == 0, "\(result)")
        #expect(
            result.errors.contains("turned%FF.mp4 is a copy of ")
                && result.errors.contains("caf%E8.recovered.mp4: wrote the title"),
            "\(result)")
        let lines = result.text.split(separator: "\n").map(String.init)
        #expect(
            lines.suffix(5) == [
                #"caf\350.mp4"#, #"caf\350.recovered.mp4"#, #"caf\351.mp4"#, #"caf\351.recovered.mp4"#,
                #"turned\377.mp4"#,
            ], "\(result)")
        for (line, name) in zip(lines, ["caf%E9", "caf%E8"]) {
            #expect(line.contains(#""input":"file:"#) && line.contains("\(name).recovered.mp4"), "\(line)")
        }
    }

    @Test func `a copy that takes its time shows how far it is, and nothing of it is left when it is killed`()
        async throws
    {
        let folder = try TemporaryFolder()
        try await MovieFixture.fragments.make("take.mp4", in: folder)
        // Each piece of the copy takes strace's delay: the movie grows by a fragment of zeros that is many pieces long.
        let file = try FileHandle(forUpdating: URL(filePath: folder.file("take.mp4")))
        let end = try file.seekToEnd()
        let hole: UInt64 = 200 << 20
        try file.write(contentsOf: Data([0, 0, 0, 1]) + Data("free".utf8))
        try file.write(contentsOf: withUnsafeBytes(of: hole.bigEndian) { Data($0) })
        try file.truncate(atOffset: end + hole)
        try file.close()
        let arguments =
            ["-f", "-qq", "-o", "/dev/null", "-e", "trace=sendfile", "-e", "inject=sendfile:delay_enter=100ms"]
            + [try BuiltCommand.rushes.path, "recover", "--progress", "plain", "take.mp4"]
        let result = try await Tool.run("strace", arguments, folder: folder.path)
        #expect(result.status == 0, "\(result)")
        #expect(result.errors.contains("copying take.mp4") && result.errors.contains("%"), "\(result)")
        unlink(folder.file("take.recovered.mp4"))

        // So slow that it is not done when the signal comes.
        let slow = arguments.map { $0.replacing("delay_enter=100ms", with: "delay_enter=2s") }
        let killed = try RunningCommand("strace", slow, folder: folder.path)
        while !killed.errors.contains("copying take.mp4"), killed.isRunning {
            try await Task.sleep(for: .milliseconds(20))
        }
        #expect(killed.isRunning)
        // strace takes what it traces with it.
        _ = try await Tool.run("pkill", ["-KILL", "-P", "\(killed.pid)"])
        _ = try await killed.result(within: .seconds(60))
        #expect(folder.contents == ["take.mp4"])
    }
}
