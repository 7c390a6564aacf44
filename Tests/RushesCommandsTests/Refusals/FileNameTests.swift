import Foundation
import TestSupport
import Testing

/// Names that a shell, GStreamer or printf would take for something else.
@Suite(.timeLimit(.minutes(25)), .turn) struct FileNameTests {
    private static let names = [
        "with space.mov", "quote's \"double\".mp4", "two\nlines.mov", "bang ! fakesink.mkv", "%d%s%05d.mp4",
        "-dash.mov",
        "back\\slash.mkv", "Über 🎬.mov", "a=b;c&d|e$HOME`x`.mp4", "take.v2.final.mov", "UPPER.MOV", "*?.mkv",
    ]

    @Test(arguments: Cases.taken(of: names))
    func `a movie gets exactly the name that was asked for`(name: String) async throws {
        let folder = try TemporaryFolder()
        let file = try await Takes.record(name, in: folder, ["--duration", "0.3", "--codec", "h264"])
        #expect(folder.contents == [name])
        try await FFmpeg.decode(file)
        let info = try await BuiltCommand.rushes.run(["info", "--", name], folder: folder.path)
        #expect(info.status == 0, "\(info)")
        #expect(info.text.contains("h264"))
    }

    @Test(arguments: ["mov", "mkv"]) func `a name that is not UTF-8 is kept byte for byte, and a URL in JSON`(
        ending: String
    ) async throws {
        let folder = try TemporaryFolder()
        // Swift's strings cannot hold it; the shell makes it.
        let result = try await Tool.run(
            "bash",
            [
                "-c", #"name=$'caf\xe9.'"$1"; shift; "$@" "$name" && test -s "$name""#, "bash", ending,
                try BuiltCommand.rushes.path, "record",
            ] + Takes.small + ["--json", "--duration", "0.3", "--codec", "h264"],
            limit: .seconds(120), folder: folder.path)
        #expect(result.status == 0, "\(result)")
        let output = try Event.all(result.text).last?.state.output
        #expect(output?.hasPrefix("file:///") == true)
        #expect(output?.hasSuffix("/caf%E9.\(ending)") == true, "\(output ?? "")")
        let count = try await Tool.run("bash", ["-c", "ls -A | wc -l"], folder: folder.path)
        #expect(count.text.trimmingCharacters(in: .whitespacesAndNewlines) == "1")
        let info = try await Tool.run(
            "bash", ["-c", #""$1" info --json $'caf\xe9.'"$2""#, "bash", try BuiltCommand.rushes.path, ending],
            folder: folder.path)
        #expect(info.status == 0, "\(info)")
        #expect(info.text.contains(try Regex(#""path":"file:[^"]*caf%E9\.\#(ending)""#)), "\(info)")
    }

    @Test func `a name that a terminal would obey is not printed as it is`() async throws {
        let folder = try TemporaryFolder()
        try await Refusal.expect(
            ["record"] + Takes.small + ["no\u{1b}[2J\nfolder/take.mov"], status: 1, saying: ["no\\u{1b}[2J\\nfolder"],
            in: folder)
    }

    @Test func `a take without a name is dated`() async throws {
        let folder = try TemporaryFolder()
        let result = try await BuiltCommand.rushes.run(
            ["record"] + Takes.small + ["--duration", "0.3", "--codec", "h264"], limit: .seconds(120),
            folder: folder.path)
        #expect(result.status == 0, "\(result)")
        let name = try #require(folder.contents.first)
        #expect(name.wholeMatch(of: #/Movie \d{4}-\d\d-\d\d at \d\d\.\d\d\.\d\d\.mov/#) != nil, "\(name)")
    }
}
