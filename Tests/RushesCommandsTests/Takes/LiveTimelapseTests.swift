import Foundation
import TestSupport
import Testing

/// `rushes timelapse --every`: shots from a camera.
@Suite(.timeLimit(.minutes(25)), .turn) struct LiveTimelapseTests {
    private static let camera = ["--camera", "test:size=320x240", "--progress", "none"]

    @Test(arguments: ["a.mov", "a.mp4", "a.mkv"]) func `a movie of so many shots, at its own rate and without audio`(
        name: String
    ) async throws {
        let folder = try TemporaryFolder()
        let result = try await BuiltCommand.rushes.run(
            ["timelapse", name, "--every", "200ms", "--length", "0.4", "--rate", "25", "--json"] + Self.camera,
            folder: folder.path)
        #expect(result.status == 0, "\(result)")
        let report = try await FFProbe.inspect(folder.file(name))
        #expect(report.audio.isEmpty && report.video.first?.frameRate == 25)
        let packets = try await FFProbe.packets("v:0", of: folder.file(name))
        #expect(packets.count == 10)
        for (index, packet) in packets.enumerated() {
            #expect(abs((packet.ptsTime?.value ?? -1) - Double(index) / 25) < 0.001)
        }
        try await FFmpeg.decode(folder.file(name))
        let events = try Event.all(result.text)
        #expect(events.allSatisfy { $0.kind == "timelapse" })
        let last = try #require(events.last)
        #expect(last.event == "end" && last.state.phase == "finished" && last.state.completedItems == 10)
        #expect(last.state.fileIsGood == true && last.state.mediaTime == 0.4)
    }

    @Test func `a duration and a length say how often, and all slots are told as due`() async throws {
        let folder = try TemporaryFolder()
        let result = try await BuiltCommand.rushes.run(
            ["timelapse", "a.mov", "--duration", "2s", "--length", "0.2", "--rate", "50", "--json"] + Self.camera,
            folder: folder.path)
        #expect(result.status == 0, "\(result)")
        let last = try #require(try Event.all(result.text).last)
        #expect(last.state.totalItems == 10 && (last.state.completedItems ?? 0) >= 2, "\(result.text.suffix(900))")
        #expect((last.state.completedItems ?? 0) + (last.state.framesDropped ?? 0) == 10)
        #expect(try await FFProbe.packets("v:0", of: folder.file("a.mov")).count == last.state.completedItems)
    }

    /// With shots an hour apart: what was taken is in the file although no other follows, plays, and is gone on with.
    @Test(arguments: ["hevc", "prores"]) func `killed after its only shot it plays, and goes on in the same movie`(
        codec: String
    ) async throws {
        let folder = try TemporaryFolder()
        let file = folder.file("a.mov")
        let options = ["timelapse", "a.mov", "--every", "1h", "--codec", codec] + Self.camera
        let first = try BuiltCommand.rushes.start(options, folder: folder.path)
        try await Self.waits { (try? await FFProbe.packets("v:0", of: file).count) == 1 }
        first.signal(SIGKILL)
        _ = try await first.result(within: .seconds(60))
        #expect(try await FFProbe.packets("v:0", of: file).count == 1)
        let recovered = try await BuiltCommand.rushes.run(["recover", "a.mov"], folder: folder.path)
        #expect(recovered.status == 0, "\(recovered)")
        try await FFmpeg.decode(folder.file("a.recovered.mov"))
        // On its grid the next shot would be an hour away: seconds now, by the grid of the same beginning.
        let second = try await BuiltCommand.rushes.run(
            ["timelapse", "a.mov", "--every", "500ms", "--length", "0.1", "--codec", codec, "--resume"] + Self.camera,
            folder: folder.path)
        #expect(second.status == 0 && second.errors.contains("after the 1 shot"), "\(second)")
        #expect(second.errors.contains("a.mov has a shot every 3600 s so far, and one every 0.5 s"), "\(second)")
        let packets = try await FFProbe.packets("v:0", of: file)
        #expect(packets.count == 3 && folder.contents == ["a.mov", "a.recovered.mov"])
        #expect(zip(packets, 0...).allSatisfy { abs(($0.ptsTime?.value ?? -1) - Double($1) / 30) < 0.001 })
        try await FFmpeg.decode(file)
    }

    @Test func `it is paused, resumed and stopped from elsewhere, and has a thumbnail`() async throws {
        let folder = try TemporaryFolder()
        let command = try BuiltCommand.rushes.start(
            ["timelapse", "a.mov", "--every", "100ms", "--json"] + Self.camera, folder: folder.path)
        var (phases, thumbnails, asked): ([String], Set<String>, [String]) = ([], [], [])
        for await line in command.lines {
            let event = try Event(line)
            if phases.last != event.state.phase { phases.append(event.state.phase) }
            if let thumbnail = event.state.thumbnail, asked.isEmpty {
                #expect(FileManager.default.fileExists(atPath: thumbnail))
                thumbnails.insert(thumbnail)
            }
            func ask(_ request: String) async throws {
                asked.append(request)
                let answer = try await BuiltCommand.rushes.run(["control", event.id, request])
                #expect(answer.status == 0, "\(answer)")
            }
            if asked.isEmpty, !thumbnails.isEmpty { try await ask("pause") }
            if asked == ["pause"], event.state.phase == "paused" { try await ask("resume") }
            if asked.count == 2, event.state.phase == "running" { try await ask("stop") }
        }
        let result = try await command.result(within: .seconds(60))
        #expect(result.status == 0, "\(result)")
        #expect(phases == ["running", "paused", "running", "finishing", "finished"], "\(phases)")
        // It stays for whoever looks at what has ended.
        #expect(thumbnails.count == 1 && thumbnails.allSatisfy { FileManager.default.fileExists(atPath: $0) })
        try await FFmpeg.decode(folder.file("a.mov"))
    }

    /// Frames are dropped before they are decoded; the one in sixty that is taken is whole.
    @Test func `a camera that ends is opened again, and the grid is kept`() async throws {
        let folder = try TemporaryFolder()
        let result = try await BuiltCommand.rushes.run(
            ["timelapse", "a.mov", "--every", "500ms", "--duration", "8s", "--json", "--progress", "none", "--camera"]
                + ["gst:videotestsrc is-live=true num-buffers=60 ! video/x-raw,width=320,height=240,framerate=25/1"],
            folder: folder.path)
        #expect(result.status == 0, "\(result)")
        #expect(result.errors.contains("is lost (its stream ended)") && result.errors.contains("is back;"), "\(result)")
        let last = try #require(try Event.all(result.text).last)
        let (shots, missed) = (last.state.completedItems ?? 0, last.state.framesDropped ?? 0)
        #expect(shots + missed == 16 && shots >= 3 && missed >= 2, "\(shots) shots, \(missed) missed")
        #expect(try await FFProbe.packets("v:0", of: folder.file("a.mov")).count == shots)
        // From its last frame to the first that is kept it is gone for more than two seconds: a second to the first try, and one and a
        // half for its exposure. What is missing at the end is in no gap that is over.
        let gaps = result.errors.matches(of: #/(\d+) shots? (?:is|are) missing from when/#).compactMap { Int($0.1) }
        #expect(gaps.allSatisfy { $0 >= 4 } && gaps.reduce(0, +) <= missed, "\(gaps) \(missed)")
        #expect(shots <= 5 || !gaps.isEmpty, "\(result.errors)")
    }

    @Test func `of a length the shots that are left are known, with what is missed`() async throws {
        let folder = try TemporaryFolder()
        let result = try await BuiltCommand.rushes.run(
            ["timelapse", "a.mov", "--every", "200ms", "--length", "0.3", "--json"] + Self.camera, folder: folder.path)
        #expect(result.status == 0, "\(result)")
        let states = try Event.all(result.text).map(\.state)
        let running = states.filter { $0.phase == "running" && $0.remaining != nil }
        for state in running {
            let (shots, missed) = (state.completedItems ?? 0, state.framesDropped ?? 0)
            #expect(state.totalItems == 9 + missed, "\(state)")
            #expect(abs((state.remaining ?? 0) - Double(9 - shots) * 0.2) < 0.001, "\(state)")
        }
        #expect(!running.isEmpty && states.last?.totalItems == 9 + (states.last?.framesDropped ?? 0), "\(result)")
    }

    @Test func `what is gone on with has the rest of its duration, and none where that is over`() async throws {
        let folder = try TemporaryFolder()
        let options = ["timelapse", "a.mov", "--every", "1s", "--json"] + Self.camera
        let first = try await BuiltCommand.rushes.run(options + ["--length", "0.1"], folder: folder.path)
        #expect(first.status == 0, "\(first)")
        let before = try Data(contentsOf: URL(filePath: folder.file("a.mov")))
        for (limit, words) in [("--duration 2s", "are over; leave the"), ("--length 0.1", "give a longer one")] {
            let over = try await BuiltCommand.rushes.run(
                options + ["--resume"] + limit.split(separator: " ").map(String.init), folder: folder.path)
            #expect(over.status == 64 && over.errors.contains(words), "\(over)")
            #expect(try Data(contentsOf: URL(filePath: folder.file("a.mov"))) == before)
        }
        let command = try BuiltCommand.rushes.start(
            options + ["--resume", "--duration", "1h"], folder: folder.path)
        var rest: Event.State?
        for await line in command.lines {
            let state = try Event(line).state
            guard rest == nil, let remaining = state.remaining, remaining > 0 else { continue }
            rest = state
            command.signal(SIGINT)
        }
        _ = try await command.result(within: .seconds(60))
        // Three seconds with shots, and those in between.
        #expect((rest?.remaining ?? 3600) <= 3597 && (rest?.totalItems ?? 3603) <= 3600, "\(rest as Any)")
    }

    @Test(.requires(tool: "ffmpeg", package: "ffmpeg"))
    func `another program's movie is not gone on with, and nothing is said of shots that are none`() async throws {
        let folder = try TemporaryFolder()
        _ = try await Tool.succeed(
            "ffmpeg",
            ["-nostdin", "-v", "error", "-f", "lavfi", "-i", "testsrc2=s=160x120:d=1", "-pix_fmt", "yuv420p"]
                + [folder.file("a.mov")])
        let options = ["timelapse", "a.mov", "--every", "500ms", "--resume", "--progress", "none"] + Self.camera
        let first = try await BuiltCommand.rushes.run(options + ["--duration", "1"], folder: folder.path)
        #expect(first.status == 0 && first.errors.contains("a.mov stays as it is (it was not recorded by"), "\(first)")
        // Hours in which it is not now, whichever they are.
        let hour = Calendar.current.component(.hour, from: Date())
        let others = [6, 7].map { String(format: "%02d:00", (hour + $0) % 24) }.joined(separator: "-")
        let command = try BuiltCommand.rushes.start(options + ["--json", "--between", others], folder: folder.path)
        for await line in command.lines where try Event(line).event == "start" { command.signal(SIGINT) }
        let none = try await command.result(within: .seconds(60))
        #expect(none.status == 1 && none.errors.contains("No shot was added to a-002.mov, which is as it was."))
        #expect(!none.errors.contains("0 shots"), "\(none)")
    }

    @Test func `dark shots are left out, and a night has none`() async throws {
        let folder = try TemporaryFolder()
        let (now, zone) = (Date(), TimeZone.current)
        let hour = (Int(now.timeIntervalSince1970) + zone.secondsFromGMT(for: now)) / 3600 % 24
        let far = "\((hour + 11) % 24):00-\((hour + 13) % 24):00"
        for (name, options) in [
            ("dark.mov", ["--camera", "test:pattern=black,size=320x240", "--min-luma", "5"]),
            ("night.mov", Self.camera + ["--between", far]),
        ] {
            let result = try await BuiltCommand.rushes.run(
                ["timelapse", name, "--every", "200ms", "--duration", "1s", "--progress", "none", "--json"] + options,
                folder: folder.path)
            #expect(
                result.status == 1 && result.errors.contains("No shot was taken, so there is no file."), "\(result)")
            // On a busy machine a slot may have no frame at all; at night none is due.
            let missed = try Event.all(result.text).last?.state.framesDropped
            #expect(name == "dark.mov" ? result.text.contains("too dark") : missed == 0, "\(result)")
        }
        #expect(folder.contents.isEmpty)
        let bright = try await BuiltCommand.rushes.run(
            ["timelapse", "a.mov", "--every", "100ms", "--length", "0.1", "--min-luma", "5", "--daily", "--camera"]
                + ["test:pattern=white,size=320x240", "--location", "-33.8688+151.2093/"],
            folder: folder.path)
        #expect(bright.status == 0, "\(bright)")
        let name = try #require(folder.contents.first)
        #expect(
            folder.contents.count == 1 && name.wholeMatch(of: #/a-\d{4}-\d\d-\d\d\.mov/#) != nil, "\(folder.contents)")
        #expect(try await FFProbe.packets("v:0", of: folder.file(name)).count == 3)
    }

    /// Shots eleven seconds apart, the camera closed in between.
    @Test func `standing by, the camera is closed between shots and the grid is kept`() async throws {
        let folder = try TemporaryFolder()
        let result = try await BuiltCommand.rushes.run(
            ["timelapse", "a.mov", "--every", "11s", "--duration", "23s", "--standby", "--json"] + Self.camera,
            folder: folder.path)
        #expect(result.status == 0, "\(result)")
        let events = try Event.all(result.text)
        let last = try #require(events.last)
        let told = events.map {
            "\($0.state.elapsed): \($0.state.completedItems ?? -1), \($0.state.framesDropped ?? -1)"
        }
        // A slot that a busy machine missed is told.
        let (shots, missed) = (last.state.completedItems ?? 0, last.state.framesDropped ?? 0)
        #expect(
            shots >= 2 && shots + missed == 3,
            "\(result.errors)\n\(told.joined(separator: "\n"))")
    }

    /// What a camera with controls does is shown in the virtual machine (scripts/test-v4l2).
    @Test func `a camera without controls is shot as it is, and that is told`() async throws {
        let folder = try TemporaryFolder()
        let result = try await BuiltCommand.rushes.run(
            ["timelapse", "a.mov", "--every", "200ms", "--duration", "3s", "--lock-exposure"] + Self.camera,
            folder: folder.path)
        #expect(result.status == 0, "\(result)")
        let words = "has no control to lock its exposure with"
        #expect(result.errors.components(separatedBy: words).count == 2, "\(result)")
    }

    @Test func `the light of what was shot is evened out afterwards, frame for frame`() async throws {
        let folder = try TemporaryFolder()
        let shot = try await BuiltCommand.rushes.run(
            ["timelapse", "a.mov", "--every", "100ms", "--length", "0.4s", "--rate", "25"] + Self.camera,
            folder: folder.path)
        #expect(shot.status == 0, "\(shot)")
        let even = try await BuiltCommand.rushes.run(
            [
                "timelapse", "b.mov", "--from-video", "a.mov", "--speed", "1x", "--deflicker", "--progress", "none",
                "--codec",
                "h264",
            ], folder: folder.path)
        #expect(even.status == 0, "\(even)")
        let times = try await FFProbe.packets("v:0", of: folder.file("b.mov")).compactMap(\.ptsTime?.value).sorted()
        #expect(
            times.count == 10 && zip(times, times.dropFirst()).allSatisfy { abs($1 - $0 - 0.04) < 0.001 }, "\(times)")
    }

    @Test func `what cannot be is refused in one sentence`() async throws {
        let camera = ["--camera", "test:size=320x240,rate=25"]
        for (options, status, words) in [
            (["a.mov", "--every", "20ms"] + camera, Int32(64), "gives a frame every 40 ms"),
            (["a.mov", "--every", "0"] + camera, 64, "--every is at least"),
            (["a.mov", "--camera", "test"], 64, "--every 2s"),
            (["a.mov", "--every", "2s", "--from-video", "b.mov"], 64, "leave them out"),
            (["a.mov", "--every", "2s", "--speed", "60x"] + camera, 64, "--speed"),
            (["a.mov", "--every", "2s", "--camera", "none"], 64, "--camera none"),
            (["a.mov", "--every", "2s", "--codec", "copy"] + camera, 64, "leave copy out"),
            (["a.mov", "--every", "2s", "--preset", "copy"] + camera, 64, "leave copy out"),
            (["a.mov", "--every", "2s", "--preset", "none"] + camera, 64, "There is no preset “none”"),
            (["a.mp4", "--every", "2s", "--preset", "prores-lt"] + camera, 64, "MP4 cannot hold ProRes"),
            (["a.mov", "--every", "2s", "--verify"] + camera, 64, "--verify is for videos and photos"),
            (["a.mov", "--every", "2s", "--fast-start"] + camera, 64, "--fast-start is for videos and photos"),
            (["a.mov", "--from-video", "b.mov", "--speed", "9x", "--min-free", "9T"], 64, "--min-free is for cameras"),
            (["a.mov", "--every", "2s", "--resume", "--overwrite"] + camera, 64, "--resume"),
            (["a.mov", "--every", "2s", "--between", "6-8"] + camera, 64, "--between is two times"),
            (["a.mov", "--every", "2s", "--between", "daylight"] + camera, 64, "--location"),
            (["a.mov", "--every", "2s", "--location", "Paris"] + camera, 64, "ISO 6709"),
            (["a.mov", "--every", "2s", "--min-luma", "101"] + camera, 64, "--min-luma"),
            (["a.mov", "--every", "2s", "--blend", "4"] + camera, 64, "--blend"),
            (["none/a.mov", "--every", "2s"] + camera, 1, "none does not exist"),
        ] {
            try await Refusal.expect(["timelapse"] + options, status: status, saying: [words])
        }
    }

    /// Waits for what nothing announces.
    private static func waits(_ isSo: () async -> Bool) async throws {
        let deadline = ContinuousClock.now + .seconds(60)
        while ContinuousClock.now < deadline {
            if await isSo() { return }
            try await Task.sleep(for: .milliseconds(50))
        }
    }
}
