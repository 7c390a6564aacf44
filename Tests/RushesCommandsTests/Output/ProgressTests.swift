import Foundation
import TestSupport
import Testing

/// What a person sees while a take runs.
@Suite(.timeLimit(.minutes(25)), .turn) struct ProgressTests {
    private func run(_ options: String...) async throws -> ToolResult {
        let folder = try TemporaryFolder()
        return try await BuiltCommand.rushes.run(
            ["record", "--camera", "test:size=320x240", "--microphone", "test", "--codec", "h264", "--duration", "2.6"]
                + options
                + ["take.mov"], limit: .seconds(120), folder: folder.path)
    }

    @Test func `without progress there are sentences before the take and one after`() async throws {
        let result = try await run("--progress", "none")
        #expect(result.text.isEmpty)
        // A machine that is busy may say that too.
        let lines = result.errors.split(separator: "\n").filter { !$0.hasPrefix("rushes: ") }
        #expect(lines.count == 3 && lines[1].hasPrefix("Encoding: H.264 with "), "\(result)")
        #expect(lines.first?.hasPrefix("Recording take.mov: ") == true)
        let end = try #require(lines.last?.firstMatch(of: #/^take\.mov: 0:02\.6, (\d+) frames, /#), "\(result)")
        #expect((Int(end.1) ?? 0) + Takes.dropped(in: result.errors) == 78, "\(result)")
        #expect(lines.allSatisfy { $0.hasSuffix(".") })
    }

    @Test(arguments: ["plain", "auto"]) func `in a log there are plain lines, without a terminal's control characters`(
        style: String
    ) async throws {
        let result = try await run("--progress", style)
        #expect(result.text.isEmpty)
        let lines = result.errors.split(separator: "\n")
        #expect(lines.contains { $0.hasPrefix("recording running, 0:0") }, "\(result)")
        #expect(lines.contains { $0.hasPrefix("recording finished, 0:02, ") }, "\(result)")
        #expect(lines.count < 9, "\(result)")
        #expect(!result.errors.contains("\u{1b}") && !result.errors.contains("\r"))
        #expect(Set(lines).count == lines.count, "\(result)")
    }

    /// Where a person has gone on to the next command, a line that is drawn again and again would write over what they type.
    @Test func `in the background of a terminal nothing is drawn but sentences`() async throws {
        let folder = try TemporaryFolder()
        let command =
            "set -m; '\(try BuiltCommand.rushes.path)' record --camera test:size=320x240 --microphone test --codec h264"
            + " --duration 2 take.mov & wait $!"
        let result = try await Tool.run(
            "script", ["-q", "-e", "-c", "bash -c \"\(command.replacing("$", with: "\\$"))\"", "/dev/null"],
            limit: .seconds(120), environment: ["TERM": "xterm-256color", "LC_ALL": "C.UTF-8"], folder: folder.path)
        #expect(result.status == 0, "\(result)")
        #expect(!result.text.contains("●") && !result.text.contains("\u{1b}"), "\(result)")
        #expect(result.text.replacing(#/\s+/#, with: " ").contains("take.mov: 0:02.0, "), "\(result)")
    }

    @Test(arguments: [24, 80, 200]) func `on a terminal a line is drawn again and again and never wraps`(columns: Int)
        async throws
    {
        let folder = try TemporaryFolder()
        // script gives the command a terminal; its size is set there.
        let command =
            "unset NO_COLOR; stty cols \(columns); '\(try BuiltCommand.rushes.path)' record --camera test:size=320x240 --microphone test --codec h264"
            + " --duration 2 take.mov"
        let result = try await Tool.run(
            "script", ["-q", "-e", "-c", command, "/dev/null"], limit: .seconds(120),
            environment: ["TERM": "xterm-256color", "LC_ALL": "C.UTF-8"], folder: folder.path)
        #expect(result.status == 0, "\(result)")
        let text = result.text.replacing(#/\u{1b}\[[0-9]+m/#, with: "")
        let drawn = text.split(separator: "\r").filter { $0.hasSuffix("\u{1b}[K") && $0.contains("0:0") }
        #expect(drawn.count >= 3, "\(result)")
        for line in drawn { #expect(line.dropLast(3).count <= columns, "\(line)") }
        // Sentences break between words.
        let words = text.replacing(#/\s+/#, with: " ")
        let end = try #require(words.firstMatch(of: #/take\.mov: 0:02\.0, (\d+) frames/#), "\(result)")
        #expect((Int(end.1) ?? 0) + Takes.dropped(in: words) == 60, "\(result)")
        #expect(result.text.contains("\u{1b}[31m●"))
    }

    @Test func `a note has a line of its own, above the bar, which is drawn again`() async throws {
        let folder = try TemporaryFolder()
        let command =
            "stty cols 100; (until [ -s take.mov ]; do sleep 0.05; done; mv take.mov new.mov) & "
            + "'\(try BuiltCommand.rushes.path)' record --camera test:size=320x240 --microphone test --codec h264"
            + " --duration 6 take.mov"
        let result = try await Tool.run(
            "script", ["-q", "-e", "-c", command, "/dev/null"], limit: .seconds(120),
            environment: ["TERM": "xterm-256color", "LC_ALL": "C.UTF-8"], folder: folder.path)
        #expect(result.status == 0, "\(result)")
        // What was drawn is erased first; then the note, a new line, and the bar.
        let parts = result.text.components(separatedBy: "rushes: The movie's file is ")
        #expect(parts.count == 2 && parts[0].hasSuffix("\r\u{1b}[K"), "\(result)")
        let behind = parts.last?.split(separator: "\r\n", maxSplits: 1).last ?? ""
        #expect(behind.first != "\r" && behind.prefix(200).contains("0:0"), "\(result)")
    }
}
