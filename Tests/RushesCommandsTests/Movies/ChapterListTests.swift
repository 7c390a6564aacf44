import Foundation
import MediaTypes
import MovieFiles
import TestSupport
import Testing

@testable import RushesCommands

/// Chapters in text files, read as other programs write them.
@Suite(.timeLimit(.minutes(25))) struct ChapterListTests {
    private static let lists = [
        "0:00 Welcome\n1:30 Slides & questions\n\n1:02:03.500 Good-bye\n",
        "\u{FEFF}[0:00] - Welcome\r\n(00:01:30) – Slides & questions\r\n1:02:03.5, Good-bye",
        """
        CHAPTER01=00:00:00.000
        CHAPTER01NAME=Welcome
        CHAPTER02=00:01:30.000
        CHAPTER02NAME=Slides & questions
        CHAPTER03=01:02:03.500
        CHAPTER03NAME=Good-bye
        """,
        """
        ;FFMETADATA1
        title=A talk
        # nobody reads this
        [CHAPTER]
        TIMEBASE=1/1000
        START=0
        END=90000
        title=Welcome
        [CHAPTER]
        START=90000000000
        title=Slides \\& questions
        [CHAPTER]
        TIMEBASE=1/10
        START=37235
        title=Good-bye
        [STREAM]
        title=none of a chapter
        """,
    ]

    @Test(arguments: lists) func `lists of all kinds are read`(text: String) throws {
        let expected: [MovieInfo.Chapter] = [
            .init(start: .zero, title: "Welcome"), .init(start: 90 * .second, title: "Slides & questions"),
            .init(start: 3_723_500 * .millisecond, title: "Good-bye"),
        ]
        #expect(try ChapterList(text).chapters == expected)
    }

    @Test(arguments: [
        ("0:00 Welcome\nno time", 2, "no time"), ("0:00", 1, "0:00"), ("CHAPTER01=soon", 1, "CHAPTER01=soon"),
        ("CHAPTER01=0:00\n0:30 Slides", 2, "0:30 Slides"), (";FFMETADATA1\n[CHAPTER]\nSTART=-5", 3, "START=-5"),
        (";FFMETADATA1\n[CHAPTER]\nTIMEBASE=1/0", 3, "TIMEBASE=1/0"),
        (";FFMETADATA1\n[CHAPTER]\nSTART=1e300", 3, "START=1e300"),
    ]) func `a line that is no chapter is named`(text: String, line: Int, words: String) {
        #expect(throws: ChapterList.Misread(line: line, text: words)) { try ChapterList(text) }
    }

    @Test(.turn, arguments: ["film.mov", "film.mp4", "film.mkv"]) func `they are written into movies`(name: String)
        async throws
    {
        let folder = try TemporaryFolder()
        try await TagCommandTests.makeFilm(name, in: folder)
        try Data("0:00 Welcome\n0:00.5 Slides".utf8).write(to: URL(filePath: folder.file("list.txt")))
        try Data("Welcome\n".utf8).write(to: URL(filePath: folder.file("bad.txt")))
        let result = try await BuiltCommand.rushes.run(["tag", name, "--chapters", "list.txt"], folder: folder.path)
        #expect(result.errors == "\(name): wrote 2 chapters.\n")
        let told = try await Tool.succeed(
            "ffprobe",
            [
                "-v", "error", "-show_entries", "chapter=start_time:chapter_tags=title", "-of", "csv=p=0",
                folder.file(name),
            ]
        ).text
        #expect(told == "0.000000,Welcome\n0.500000,Slides\n")
        for (options, words) in [
            (
                ["--chapters", "bad.txt"],
                "Line 1 of bad.txt, 'Welcome', is not a chapter; write a line for each, such as '1:30 Slides'."
            ),
            (["--chapters", "none.txt"], "none.txt cannot be read: No such file or directory."),
            (
                ["--chapters", "list.txt", "--chapter", "0=A"],
                "--chapter and --chapters cannot be used together; give one."
            ),
        ] {
            let before = folder.snapshot
            let refused = try await BuiltCommand.rushes.run(["tag", name] + options, folder: folder.path)
            #expect(refused.status == 64 && refused.errors == "rushes: \(words)\n", "\(refused)")
            #expect(folder.snapshot == before)
        }
    }
}
