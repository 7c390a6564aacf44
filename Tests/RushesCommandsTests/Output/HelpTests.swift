import Foundation
import TestSupport
import Testing

/// `--help`: all that a newcomer has.
@Suite(.timeLimit(.minutes(25)), .turn) struct HelpTests {
    private static let options = [
        "record": [
            "--camera", "--microphone", "--codec", "--profile", "--quality", "--bitrate", "--audio", "--channels",
            "--gain",
            "--mute", "--audio-delay", "--bit-depth", "--size", "--rate", "--rotation", "--mirror", "--duration",
            "--max-size",
            "--min-free", "--on-loss", "--encoder-speed", "--title", "--location", "--make", "--model", "--date",
            "--json", "--progress", "--verbose",
            "--overwrite", "--print-pipeline", "--inset", "--layout",
        ],
        "devices": ["--json", "--watch"], "encoders": ["--json"], "info": ["--json", "--verbose"],
        "activities": ["--json", "--follow"], "control": ["<id>", "<request>"], "serve": ["--listen"],
    ]

    @Test(arguments: ["record", "devices", "encoders", "info", "activities", "control", "serve"])
    func `help explains every option, shows examples and fits eighty columns`(command: String) async throws {
        let result = try await BuiltCommand.rushes.run([command, "--help"], environment: ["COLUMNS": "80"])
        #expect(result.status == 0)
        #expect(result.errors.isEmpty)
        for option in Self.options[command] ?? [] {
            #expect(result.text.contains(try Regex("\n  (-[a-z], )?\(option)[ \n]")), "\(option)")
        }
        #expect(result.text.contains("EXAMPLES\n  rushes \(command)"))
        // Each explanation is a sentence: it begins with a capital letter, and something closes it.
        for paragraph in explanations(result.text) {
            #expect(paragraph.first?.isUppercase == true && [".", ")"].contains(paragraph.last), "\(paragraph)")
        }
        // Examples are lines to copy and may be longer; what is laid out is not.
        let laidOut = result.text.split(separator: "\n").filter { !$0.hasPrefix("  rushes") && !$0.hasPrefix("  See") }
        #expect(laidOut.filter { $0.count > 80 } == [])
    }

    @Test(arguments: [
        "", "record", "transcode", "batch", "batch plan", "batch submit", "batch follow", "batch run-one", "devices",
        "encoders", "info", "recover",
        "rotate", "tag", "activities", "control", "serve", "timelapse", "compose", "join", "doctor",
    ]) func `there are examples, and each is a line to copy, also in eighty columns`(command: String) async throws {
        let words = command.split(separator: " ").map(String.init)
        let text = try await BuiltCommand.rushes.run(words + ["--help"], environment: ["COLUMNS": "80"]).text
        let examples = try #require(text.split(separator: "EXAMPLES\n").dropFirst().first)
            .split(separator: "USAGE:")[0].split(separator: "\n")
        #expect(examples.count > 0)
        // Values as a person types them, not as Swift prints them.
        #expect(!text.contains(/default:\s+[^,)]*[.(][A-Za-z]/), "\(text)")
        // A line that was too long goes on at the margin.
        for line in examples { #expect(line.hasPrefix("  ") || line == line.uppercased()[...], "\(line)") }
    }

    @Test(arguments: [["--gain", "-3"], ["--gain=-3"], ["--audio-delay", "-40ms"]])
    func `a number below zero needs no equals sign`(option: [String]) async throws {
        let result = try await BuiltCommand.rushes.run(
            ["record"] + Takes.small + option + ["--print-pipeline", "take.mov"])
        #expect(result.status == 0, "\(result)")
    }

    @Test func `every command is listed`() async throws {
        let whole = try await BuiltCommand.rushes.run(["--help"]).text
        for command in ["record", "devices", "encoders", "info", "activities", "control", "compose", "timelapse"] {
            #expect(whole.contains("\n  \(command) "))
        }
    }

    @Test func `layouts are drawn, and nothing is recorded`() async throws {
        let folder = try TemporaryFolder()
        let result = try await BuiltCommand.rushes.run(["record", "--layout", "help"], folder: folder.path)
        #expect(result.status == 0 && result.errors.isEmpty)
        for layout in ["bottom-right", "side-by-side", "stacked", "grid", "main-only", "inset-only"] {
            #expect(result.text.contains(layout))
        }
        #expect(result.text.contains("└──────┘"))
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == [])
    }

    @Test func `every example of record's help is understood`() async throws {
        let text = try await BuiltCommand.rushes.run(["record", "--help"]).text
        let examples = text.split(separator: "\n").filter { $0.hasPrefix("  rushes record") }
        #expect(examples.count > 5)
        for example in examples {
            // Run where there is no device and no disk for the file: whatever is said, it is not about the words of it.
            let result = try await Tool.run(
                "bash", ["-c", "rushes() { \"$RUSHES\" \"$@\" --print-pipeline; }; \(example)"], limit: .seconds(120),
                environment: [
                    "RUSHES": try BuiltCommand.rushes.path, "PULSE_SERVER": "/nonexistent",
                    "PIPEWIRE_RUNTIME_DIR": "/nonexistent",
                ],
                folder: try TemporaryFolder().path)
            #expect(result.status != 64, "\(example): \(result)")
        }
    }

    @Test func `--version is a number on standard output`() async throws {
        let result = try await BuiltCommand.rushes.run(["--version"])
        #expect(result.status == 0)
        #expect(result.text.wholeMatch(of: #/\d+\.\d+\.\d+\n/#) != nil)
    }

    /// What is said about each option, lines joined.
    private func explanations(_ text: String) -> [String] {
        var found: [String] = []
        var isOption = false
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            let words = line.drop { $0 == " " }
            let indent = line.count - words.count
            if indent == 2, words.hasPrefix("-") || words.hasPrefix("<") {
                isOption = true
                let parts = words.split(separator: "  ", maxSplits: 1)
                found.append(parts.count == 2 ? parts[1].trimmingCharacters(in: .whitespaces) : "")
            } else if isOption, indent > 20, var last = found.popLast() {
                last += (last.isEmpty ? "" : " ") + words
                found.append(last)
            } else {
                isOption = false
            }
        }
        return found
    }
}
