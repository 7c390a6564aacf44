import Foundation
import TestSupport
import Testing

/// `rushes control ID snapshot` and the key `p`: photos while it records.
@Suite(.timeLimit(.minutes(10)), .turn) struct SnapshotCommandTests {
    private let folder: TemporaryFolder
    private let journal: [String: String?]

    init() throws {
        folder = try TemporaryFolder()
        journal = ["XDG_STATE_HOME": folder.file("state")]
    }

    private func control(_ id: String, _ words: String...) async throws -> ToolResult {
        try await BuiltCommand.rushes.run(["control", id] + words, environment: journal, folder: folder.path)
    }

    @Test func `photos and a burst show what was to be seen, and no frame of the movie is missing`() async throws {
        let camera = try NumberedFrames.camera(seconds: 60, rate: 30, in: folder)
        let take = try BuiltCommand.rushes.start(
            [
                "record", "--camera", camera, "--microphone", "none", "--codec", "h264", "--json", "--progress", "none",
                "--location", "+48.8577+002.2950/", "take.mov",
            ], environment: journal, folder: folder.path)
        var (wishes, said): ([[String]], Set<String>) = (
            [["snapshot"], ["snapshot", "one.png"], ["snapshot", "20", "goal.jpg"], ["snapshot", "one.png"]], []
        )
        // Each is asked for when the one before is told.
        let answers = [
            "take – photo.jpg: 128×128", "/one.png: 128×128", "20 photos, ", "There is no photo: ",
        ]
        for await line in take.lines {
            let event = try Event(line)
            guard event.state.phase == "running", event.state.mediaTime ?? 0 > 1 else { continue }
            if let message = event.state.message, let answer = answers.first(where: message.contains) {
                said.insert(answer)
            }
            guard said.count == answers.count - wishes.count else { continue }
            guard !wishes.isEmpty else {
                #expect(try await control(event.id, "stop").status == 0)
                continue
            }
            let wish = wishes.removeFirst()
            let result = try await BuiltCommand.rushes.run(
                ["control", event.id] + wish, environment: journal, folder: folder.path)
            #expect(result.status == 0 && result.errors.hasPrefix("Asked take.mov for "), "\(result)")
        }
        let result = try await take.result(within: .seconds(60))
        #expect(result.status == 0, "\(result)")
        #expect(result.errors.contains("one.png already exists; choose another name."), "\(result)")
        let recorded = try await NumberedFrames.numbers(in: folder.file("take.mov"))
        let last = try #require(try Event.all(result.text).last).state
        // What a busy machine's encoder dropped is told.
        let isWhole = zip(recorded, recorded.dropFirst()).allSatisfy { $1 == $0 + 1 }
        #expect(isWhole || last.framesDropped ?? 0 > 0, "\(recorded)")
        var seen: [Int] = []
        for number in 1...20 {
            seen += try await NumberedFrames.numbers(in: folder.file(number == 1 ? "goal.jpg" : "goal \(number).jpg"))
        }
        #expect(seen.count == 20 && zip(seen, seen.dropFirst()).allSatisfy { $1 == $0 + 1 }, "\(seen)")
        let tags = try await ExifTool.inspect(folder.file("take – photo.jpg"))
        #expect(tags.number("EXIF:Orientation") == 1 && tags.number("Composite:GPSLongitude") == 2.295)
        #expect(!folder.contents.contains { $0.hasPrefix(".") })
    }

    @Test func `of several cameras it is the composed frame; the key p takes one, also at the end`() async throws {
        let result = try await Tool.run(
            Checkout.script("lib/at-terminal"),
            [
                "0:01", "p", "Photo ", "pq", "--", try BuiltCommand.rushes.path, "record", "--camera",
                "test:pattern=black,size=320x240,rate=30", "--inset", "test:pattern=white,size=320x240,rate=30",
                "--layout", "side-by-side", "--microphone", "none", "--codec", "h264", folder.file("two.mov"),
            ])
        #expect(result.status == 0 && result.text.contains("p takes a photo, "), "\(result)")
        let photo = folder.file("two – photo.jpg")
        let size = try await ExifTool.inspect(photo)
        let (width, height) = (Int(size.number("ImageWidth") ?? 0), Int(size.number("ImageHeight") ?? 0))
        let raw = try await Tool.succeed(
            "ffmpeg", ["-nostdin", "-v", "error", "-i", photo, "-pix_fmt", "gray", "-f", "rawvideo", "-"])
        let row = [UInt8](raw.output).dropFirst(height / 2 * width).prefix(width)
        #expect(row.dropFirst(width / 4).first ?? 255 < 20 && row.dropFirst(width * 3 / 4).first ?? 0 > 235)
    }

    @Test(arguments: [
        (["1234", "snapshot", "a.gif"], "A snapshot is a .jpg or .png file; give 'a.gif' such an ending."),
        (["1234", "snapshot", "0"], "1 to 100 snapshots are taken at once, and not 0."),
        (["1234", "snapshot", "a.jpg", "b.jpg"], "How many snapshots are taken is a number before the file"),
    ])
    func `what makes no sense is refused`(words: [String], answer: String) async throws {
        let result = try await BuiltCommand.rushes.run(["control"] + words, environment: journal)
        #expect(result.status == 64 && result.errors.contains(answer), "\(result)")
    }
}
