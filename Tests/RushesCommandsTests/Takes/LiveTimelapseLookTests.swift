import Foundation
import TestSupport
import Testing

/// What is drawn into the shots of `rushes timelapse --every`, and which images grow of them.
@Suite(.timeLimit(.minutes(25)), .turn) struct LiveTimelapseLookTests {
    @Test(.requires(tool: "tesseract", package: "tesseract-ocr"), arguments: ["h264", "prores"])
    func `shots are stamped with when they were due, and images grow of them`(codec: String) async throws {
        let folder = try TemporaryFolder()
        let camera = ["--camera", "test:pattern=black,size=1280x720", "--progress", "none", "--codec", codec]
        let result = try await BuiltCommand.rushes.run(
            ["timelapse", "a.mov", "--every", "1s", "--length", "0.1", "--stamp", "%F %T", "--keogram", "k.png"]
                + ["--trails", "t.png"] + camera,
            environment: ["TZ": "Asia/Kolkata"], folder: folder.path)
        #expect(result.status == 0 && result.errors.contains("The trails of 3 of 3 frames"), "\(result)")
        #expect(try await FFProbe.packets("v:0", of: folder.file("a.mov")).count == 3)
        for (name, size) in [("k.png", "3,720"), ("t.png", "1280,720")] {
            let shape = try await Tool.succeed(
                "ffprobe",
                ["-v", "error", "-show_entries", "stream=width,height", "-of", "csv=p=0", folder.file(name)])
            #expect(shape.text.trimmingCharacters(in: .whitespacesAndNewlines) == size)
        }
        let date = try await Tool.succeed(
            "ffprobe",
            ["-v", "error", "-show_entries", "format_tags=creation_time", "-of", "csv=p=0", folder.file("a.mov")])
        let begin = try Date(
            String(date.text.prefix(19)) + "Z", strategy: .iso8601.dateSeparator(.dash).timeSeparator(.colon))
        var words: [String] = []
        for number in 0..<3 {
            words.append(try await FrameText.figures(inFrame: number, of: folder.file("a.mov"), by: folder))
        }
        let format = Date.ISO8601FormatStyle(dateSeparator: .dash, dateTimeSeparator: .space, timeZone: .gmt)
        func text(_ seconds: Double) -> String {
            String(begin.addingTimeInterval(5.5 * 3600 + seconds).formatted(format).prefix(19))
        }
        // A busy machine may miss a slot.
        #expect(words[0] == text(0) && (1...20).contains { words[1] == text(Double($0)) }, "\(words) \(begin)")
        #expect(words[1] < words[2] && words.allSatisfy { $0.count == 19 }, "\(words)")
        // Of the movie they can be made afterwards too.
        let again = try await BuiltCommand.rushes.run(
            ["timelapse", "again.mov", "--from-video", "a.mov", "--speed", "1x", "--keogram", "again.png"]
                + ["--progress", "none"], folder: folder.path)
        #expect(again.status == 0 && folder.contents.contains("again.png"), "\(again)")
    }

    @Test func `each day's movie has images of its own`() async throws {
        let folder = try TemporaryFolder()
        let result = try await BuiltCommand.rushes.run(
            ["timelapse", "a.mov", "--every", "200ms", "--length", "0.1", "--daily", "--keogram", "k.png"]
                + ["--camera", "test:size=320x240", "--progress", "none"], folder: folder.path)
        #expect(result.status == 0, "\(result)")
        let names = folder.contents.filter { $0.hasSuffix(".png") }
        #expect(names.allSatisfy { $0.wholeMatch(of: #/k-\d{4}-\d\d-\d\d\.png/#) != nil } && !names.isEmpty, "\(names)")
    }
}
