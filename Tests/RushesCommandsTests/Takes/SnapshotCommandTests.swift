import Foundation
import TestSupport
import Testing

/// `rushes control ID snapshot` and the key `p`: photos while it records.
@Suite(.timeLimit(.minutes(25)), .turn) struct SnapshotCommandTests {
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
        var isStopped = false
        for await line in take.lines where !isStopped {
            let event = try Event(line)
            guard event.state.phase == "running", event.state.mediaTime ?? 0 > 1 else { continue }
            if let message = event.state.message, let answer = answers.first(where: message.contains) {
                said.insert(answer)
            }
            guard said.count == answers.count - wishes.count else { continue }
            guard !wishes.isEmpty else {
                #expect(try await control(event.id, "stop").status == 0)
                isStopped = true
                continue
            }
            let wish = wishes.removeFirst()
            let result = try await BuiltCommand.rushes.run(
                ["control", event.id] + wish, environment: journal, folder: folder.path)
            if wishes.isEmpty {
                // The name is taken: whoever asked is told, with what helps there.
                #expect(result.status == 1, "\(result)")
                #expect(result.errors.hasPrefix("rushes: There is no photo: "), "\(result)")
                #expect(result.errors.hasSuffix("/one.png already exists; choose another name.\n"), "\(result)")
            } else {
                let begun = "The recording is taking "
                #expect(
                    result.status == 0 && ["Photo ", "20 photos, ", begun].contains(where: result.errors.hasPrefix),
                    "\(result)")
            }
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
                "0:0[1-9]|0:[1-5][0-9]", "p", "Photo ", "pq", "--", try BuiltCommand.rushes.path, "record", "--camera",
                "test:pattern=black,size=320x240,rate=30", "--inset", "test:pattern=white,size=320x240,rate=30",
                "--layout", "side-by-side", "--microphone", "none", "--codec", "h264", folder.file("two.mov"),
            ], limit: .seconds(600))
        #expect(result.status == 0 && result.text.contains("p takes a photo, "), "\(result)")
        let photo = folder.file("two – photo.jpg")
        let size = try await ExifTool.inspect(photo)
        let (width, height) = (Int(size.number("ImageWidth") ?? 0), Int(size.number("ImageHeight") ?? 0))
        let raw = try await Tool.succeed(
            "ffmpeg", ["-nostdin", "-v", "error", "-i", photo, "-pix_fmt", "gray", "-f", "rawvideo", "-"])
        let row = [UInt8](raw.output).dropFirst(height / 2 * width).prefix(width)
        #expect(row.dropFirst(width / 4).first ?? 255 < 20 && row.dropFirst(width * 3 / 4).first ?? 0 > 235)
    }

    private static func camera(_ pattern: String, _ size: String) -> String {
        "gst:videotestsrc is-live=true pattern=\(pattern) ! video/x-raw,format=I420,\(size),framerate=30/1"
    }

    /// How bright an image, or a movie's last second, is at a quarter and at three quarters of its width.
    private func brightness(_ file: String, isMovie: Bool = false) async throws -> (left: UInt8, right: UInt8) {
        let raw = try await Tool.succeed(
            "ffmpeg",
            ["-nostdin", "-v", "error"] + (isMovie ? ["-sseof", "-0.5"] : [])
                + ["-i", file, "-vf", "scale=64:16", "-frames:v", "1", "-pix_fmt", "gray", "-f", "rawvideo", "-"])
        let row = [UInt8](raw.output).dropFirst(8 * 64).prefix(64).map { $0 }
        try #require(row.count == 64)
        return (row[16], row[48])
    }

    @Test func `one of several cameras is photographed alone, and another one takes its place`() async throws {
        let take = try BuiltCommand.rushes.start(
            [
                "record", "--camera", Self.camera("black", "width=320,height=240"), "--inset",
                Self.camera("white", "width=320,height=240"), "--layout", "side-by-side", "--microphone", "none",
                "--codec", "h264", "--json", "--progress", "none", "two.mov",
            ], environment: journal, folder: folder.path)
        let black = Self.camera("black", "width=160,height=120")
        var steps: [(wish: [String], answer: String)] = [
            (["snapshot", "pattern=white", "white.jpg"], "/white.jpg: 320×240"),
            (["snapshot", "pattern", "none.jpg"], "There is no photo: More than one camera is called 'pattern'"),
            (["switch", black, "pattern=white"], "The recording continues with \(black)."),
        ]
        var asked: String?
        for await line in take.lines {
            let event = try Event(line)
            guard event.state.phase == "running", event.state.mediaTime ?? 0 > 0.7 else { continue }
            if let asked, event.state.message?.contains(asked) != true { continue }
            guard !steps.isEmpty else {
                // A second of the new camera.
                let end = (event.state.mediaTime ?? 0) + 1
                for await line in take.lines where try Event(line).state.mediaTime ?? 0 >= end { break }
                #expect(try await control(event.id, "stop").status == 0)
                break
            }
            let step = steps.removeFirst()
            let result = try await BuiltCommand.rushes.run(
                ["control", event.id] + step.wish, environment: journal, folder: folder.path)
            // Whoever asks is told why there is none.
            let isRefused = step.answer.hasPrefix("There is no photo")
            #expect(result.status == (isRefused ? 1 : 0), "\(result)")
            #expect(!isRefused || result.errors.contains(step.answer), "\(result)")
            asked = step.answer
        }
        let result = try await take.result(within: .seconds(60))
        #expect(result.status == 0 && steps.isEmpty, "\(result)")
        try await FFmpeg.decode(folder.file("two.mov"))
        let photo = try await brightness(folder.file("white.jpg"))
        #expect(photo.left > 230 && photo.right > 230, "\(photo)")
        let last = try await brightness(folder.file("two.mov"), isMovie: true)
        #expect(last.left < 25 && last.right < 25, "\(last)")
    }

    @Test func `a moving photo has the seconds around it in a movie of its name`() async throws {
        let camera = try NumberedFrames.camera(seconds: 60, rate: 30, in: folder)
        let take = try BuiltCommand.rushes.start(
            [
                "record", "--camera", camera, "--microphone", "test", "--codec", "h264", "--replay", "5s", "--json",
                "--progress", "none", "take.mov",
            ], environment: journal, folder: folder.path)
        var isAsked = false
        for await line in take.lines {
            let event = try Event(line)
            guard event.state.phase == "running", event.state.mediaTime ?? 0 > 3 else { continue }
            if !isAsked {
                isAsked = true
                let asked = try await control(event.id, "snapshot", "--moving", "goal.jpg")
                #expect(asked.status == 0, "\(asked)")
            }
            if event.state.message?.hasPrefix("Saved ") == true {
                #expect(try await control(event.id, "stop").status == 0)
                break
            }
        }
        let result = try await take.result(within: .seconds(60))
        #expect(result.status == 0 && result.errors.contains("/goal.mov: "), "\(result)")
        try await FFmpeg.decode(folder.file("goal.mov"))
        let still = try #require(try await NumberedFrames.numbers(in: folder.file("goal.jpg")).first)
        let around = try await NumberedFrames.numbers(in: folder.file("goal.mov"))
        // The numbers are times, whichever of them a busy machine's encoder dropped.
        let (first, last) = (try #require(around.first), try #require(around.last))
        #expect(still - first >= 44 && last - still >= 39, "\(still) in \(around)")
        #expect(try await FFProbe.inspect(folder.file("goal.mov")).audio.count == 1)
        let short = try await BuiltCommand.rushes.run(["control", "1", "stop", "--moving"], environment: journal)
        #expect(short.status == 64 && short.errors.contains("--moving is for snapshot"), "\(short)")
    }

    @Test(.requiresMounts) func `photos that fill the disk end before the recording does, and each is whole or told`()
        async throws
    {
        let rushes = try BuiltCommand.rushes.path
        let state = folder.file("state")
        let ask = """
            until [ -e take.mov ]; do sleep 0.1; done
            export XDG_STATE_HOME="\(state)"
            until [ -n "$id" ]; do
                id=$("\(rushes)" activities --json | sed -n 's/.*"id":"\\([^"]*\\)".*/\\1/p' | head -n 1)
            done
            "\(rushes)" control "$id" snapshot 100 shot.png
            until grep "of 100 photos" ../told; do sleep 0.1; done
            "\(rushes)" control "$id" stop
            """
        let result = try await SmallDisk.run(
            [
                "sh", "-c", #"exec "$@" 2>../told"#, "sh", "env", "XDG_STATE_HOME=\(state)", rushes, "record",
                "--camera", Self.camera("snow", "width=640,height=480"), "--microphone", "none", "--codec", "h264",
                "--bitrate", "1M", "--min-free", "4M", "--duration", "600", "--progress", "none", "take.mov",
            ], size: "24M", meanwhile: ask, isCommand: false, in: folder, limit: .seconds(700))
        let said = try String(contentsOfFile: folder.file("told"), encoding: .utf8)
        #expect(result.status == 0 && !said.contains("time limit reached"), "\(said)")
        let told = try #require(
            said.firstMatch(
                of: /There are (\d+) of 100 photos: The disk is too full for .*shot.png; free some space\./),
            "\(said)")
        let photos = try SmallDisk.contents(folder).filter { $0.hasSuffix(".png") }
        #expect(photos.count == Int(told.1), "\(photos)")
        for photo in photos { try await FFmpeg.decode(SmallDisk.left(photo, in: folder)) }
        #expect(try SmallDisk.contents(folder).allSatisfy { !$0.hasPrefix(".") })
        try await FFmpeg.decode(SmallDisk.left("take.mov", in: folder))
    }

    @Test(arguments: [
        (["1234", "snapshot", "a.gif"], "A snapshot is a .jpg or .png file; give 'a.gif' such an ending."),
        (["1234", "snapshot", "0"], "1 to 100 snapshots are taken at once; give such a number."),
        (["1234", "snapshot", "a.jpg", "b.jpg"], "How many snapshots are taken is a number before the file"),
    ])
    func `what makes no sense is refused`(words: [String], answer: String) async throws {
        let result = try await BuiltCommand.rushes.run(["control"] + words, environment: journal)
        #expect(result.status == 64 && result.errors.contains(answer), "\(result)")
    }
}
