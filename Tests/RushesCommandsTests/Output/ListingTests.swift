import Foundation
import TestSupport
import Testing

/// What `encoders`, `devices` and `info` print, for programs and for people.
@Suite(.timeLimit(.minutes(25)), .turn) struct ListingTests {
    @Test func `encoders --json is one object a line with the contract's names`() async throws {
        struct Line: Decodable {
            var codec: String
            var profiles: [String]
            var element: String
            var hardware: Bool
            var available: Bool
            var package: String
        }
        let result = try await BuiltCommand.rushes.run(["encoders", "--json"])
        #expect(result.status == 0 && result.errors.isEmpty, "\(result)")
        let lines = try result.text.split(separator: "\n").map {
            try JSONDecoder().decode(Line.self, from: Data($0.utf8))
        }
        for codec in ["hevc", "prores", "h264", "av1", "vp9", "mjpeg", "aac", "opus", "flac", "pcm", "gif"] {
            #expect(lines.contains { $0.codec == codec && $0.available }, "\(codec)")
        }
        // What Rushes brings itself is known in its own process only.
        for line in lines where line.available && line.package != "rushes" && line.element != "libavfilter" {
            #expect(try await Tool.run("gst-inspect-1.0", ["--exists", line.element]).status == 0, "\(line.element)")
        }
        #expect(lines.allSatisfy { !$0.package.isEmpty })
        // The table for people has the same rows.
        let table = try await BuiltCommand.rushes.run(["encoders"]).text.split(separator: "\n")
        #expect(lines.allSatisfy { line in table.contains { $0.contains(" \(line.element) ") } })
    }

    @Test func `devices names the test sources and, without servers, how to get others`() async throws {
        let nowhere: [String: String?] = ["PULSE_SERVER": "/nonexistent", "PIPEWIRE_RUNTIME_DIR": "/nonexistent"]
        let result = try await BuiltCommand.rushes.run(["devices"], environment: nowhere)
        #expect(result.status == 0, "\(result)")
        #expect(result.text.contains("Test pattern"))
        for line in result.errors.split(separator: "\n") {
            #expect(line.hasPrefix("rushes: No ") && line.hasSuffix("."), "\(line)")
        }
        let json = try await BuiltCommand.rushes.run(["devices", "--json"], environment: nowhere)
        for line in json.text.split(separator: "\n") {
            let facts = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any] ?? [:]
            #expect(Set(facts.keys) == ["id", "name", "kind", "backend", "default", "path", "formats"])
        }
    }

    @Test func `a device's name that a terminal would obey is not printed as it is`() async throws {
        let servers = try await Servers.start(.pulseAudio)
        let name = "sink_properties=device.description=\"a\u{1b}[2Jb\""
        _ = try await Tool.succeed(
            "pactl", ["load-module", "module-null-sink", "sink_name=odd", name], environment: servers.environment)
        let result = try await BuiltCommand.rushes.run(["devices"], servers: servers)
        #expect(result.text.contains("a\\u{1b}[2Jb") && !result.text.contains("\u{1b}"), "\(result)")
        try await servers.stop()
    }

    @Test func `devices that are watched for a reader end with it`() async throws {
        let nowhere: [String: String?] = ["PULSE_SERVER": "/nonexistent", "PIPEWIRE_RUNTIME_DIR": "/nonexistent"]
        let result = try await Tool.run(
            "sh", ["-c", #""$1" devices --watch | head -n 1"#, "sh", try BuiltCommand.rushes.path],
            limit: .seconds(60), environment: nowhere)
        #expect(result.status == 0 && result.text == "Cameras\n", "\(result)")
    }

    @Test func `info tells a person what ffprobe tells`() async throws {
        let folder = try TemporaryFolder()
        let file = try await Takes.record(
            "take.mov", in: folder,
            [
                "--duration", "1", "--codec", "hevc", "--title", "A day", "--make", "Acme", "--rotation", "90",
                "--channels", "1",
            ])
        let result = try await BuiltCommand.rushes.run(["info", file])
        #expect(result.status == 0 && result.errors.isEmpty, "\(result)")
        for words in [
            "MOV", "0:01.0", "hevc Main (hvc1)", "320×240", "shown 240×320 turned 90°", " frames at ", "8 bit 4:2:0",
            "aac, mono, 48 kHz",
            "title    A day", "camera   Acme",
        ] {
            #expect(result.text.contains(words), "\(words) in \(result.text)")
        }
    }

    @Test func `what is in an AVI is told by the names that ffprobe has for it`() async throws {
        let folder = try TemporaryFolder()
        _ = try await Tool.succeed(
            "ffmpeg",
            [
                "-nostdin", "-v", "error", "-f", "lavfi", "-i", "testsrc2=size=160x120:rate=25:duration=1", "-f",
                "lavfi",
                "-i", "sine=duration=1", "-c:v", "mpeg4", "-c:a", "libmp3lame", folder.file("clip.avi"),
            ])
        let result = try await BuiltCommand.rushes.run(["info", folder.file("clip.avi")])
        #expect(result.text.contains("video    mpeg4") && result.text.contains("audio    mp3"), "\(result)")
    }

    @Test func `a title cannot steer the terminal, and each fact has a line`() async throws {
        let folder = try TemporaryFolder()
        let movie = try await MovieFixture.finished.make("two\nlines.mp4", in: folder)
        _ = try await BuiltCommand.rushes.run(["tag", movie, "--title", "a\u{1B}[2Jb\nc"])
        let result = try await BuiltCommand.rushes.run(["info", movie])
        #expect(result.text.contains(#"title    a\u{1b}[2Jb\nc"#), "\(result)")
        #expect(result.text.contains(#"two\nlines.mp4: MP4"#) && !result.text.contains("\u{1B}"), "\(result)")
    }

    @Test(arguments: [["info", Checkout.clip], ["--help"], ["--version"], ["record", "--help"], ["help", "record"]])
    func `an answer that a full disk does not take is a failure`(arguments: [String]) async throws {
        let result = try await Tool.run(
            "bash", ["-c", #""$0" "$@" >/dev/full"#, try BuiltCommand.rushes.path] + arguments, limit: .seconds(120))
        Refusal.expect(result, status: 1, saying: ["Standard output cannot be written", "No space left"])
    }

    @Test func `events that a full disk does not take are a failure`() async throws {
        let folder = try TemporaryFolder()
        let result = try await Tool.run(
            "bash",
            ["-c", #""$0" record "$@" --json --duration 0.5 take.mov >/dev/full"#, try BuiltCommand.rushes.path]
                + Takes.small, limit: .seconds(120), folder: folder.path)
        #expect(result.status == 1 && result.errors.contains("Standard output cannot be written"), "\(result)")
        try await FFmpeg.decode(folder.file("take.mov"))
    }

    @Test func `a clip of somebody else's camera is told as ffprobe tells it`() async throws {
        let result = try await BuiltCommand.rushes.run(["info", "--json", Checkout.clip])
        let facts = try #require(try JSONSerialization.jsonObject(with: result.output) as? [String: Any])
        let video = try #require((facts["video"] as? [[String: Any]])?.first)
        let report = try await FFProbe.inspect(Checkout.clip)
        let stream = try #require(report.video.first)
        #expect(video["codec"] as? String == stream.codecName)
        #expect(video["frameCount"] as? Int == stream.nbFrames.map { Int($0.value) })
        #expect(video["width"] as? Int == stream.width)
        #expect(abs((facts["duration"] as? Double ?? 0) - (report.format.duration?.value ?? 0)) < 0.05)
        #expect(((facts["audio"] as? [[String: Any]])?.first?["channels"] as? Int) == report.audio.first?.channels)
    }
}
