import Foundation
import TestSupport
import Testing

/// `rushes record --trigger`: movies that begin and end by themselves.
@Suite(.timeLimit(.minutes(25)), .turn) struct TriggerCommandTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test func `something that moves is a movie, with what was before it, and then the next one is waited for`()
        async throws
    {
        // A black room, through which a ball flies for two seconds. It begins as the camera is opened, before anything is recorded.
        let parts = [("black", 300), ("ball", 60), ("black", 600)].map { pattern, frames in
            "videotestsrc pattern=\(pattern) num-buffers=\(frames) ! video/x-raw,format=I420,width=320,height=180,framerate=30/1 ! c."
        }
        let camera = "gst:\(parts.joined(separator: " ")) concat name=c ! identity sync=true"
        let take = try BuiltCommand.rushes.start(
            [
                "record", "--camera", camera, "--microphone", "none", "--codec", "h264", "--trigger", "motion",
                "--pre-roll", "2s",
                "--post-roll", "1s", "--json", "--progress", "none", "clip-%02d.mov",
            ], environment: ["XDG_STATE_HOME": folder.path], folder: folder.path)
        var hasEnded = false
        for await line in take.lines {
            let event = try Event(line)
            if event.state.phase == "finished" { hasEnded = true }
            if hasEnded, event.state.phase == "waiting" {
                take.signal(SIGINT)
                break
            }
        }
        let result = try await take.result(within: .seconds(60))
        #expect(result.status == 0 && result.errors.contains("Motion starts it"), "\(result)")
        #expect(!FileManager.default.fileExists(atPath: folder.file("clip-02.mov")))
        let path = folder.file("clip-01.mov")
        try await FFmpeg.decode(path)
        let raw = try await Tool.succeed(
            "ffmpeg",
            [
                "-nostdin", "-v", "error", "-i", path, "-fps_mode", "passthrough", "-vf", "scale=32:18,format=gray",
                "-f", "rawvideo", "-",
            ]
        ).output
        let frames = stride(from: 0, to: raw.count, by: 32 * 18).map {
            raw[$0..<min(raw.count, $0 + 32 * 18)].max() ?? 0
        }
        let times = try await FFProbe.packets("v:0", of: path).compactMap(\.ptsTime?.value).sorted()
        let lit = zip(times, frames).filter { $1 > 60 }.map(\.0)
        let (first, last) = (try #require(lit.first), try #require(lit.last))
        // Two seconds before, from the key frame before those, at most two more. What triggers is known within six tenths, and later
        // where the watching thread waits for a core.
        #expect((0.8...4.8).contains(first), "\(first)")
        #expect(abs(last - first - 2) < 0.3, "\(first) to \(last)")
        // The last of the ball is a few pixels that no longer count as motion.
        #expect((times.last ?? 0) - last > 0.7, "\(last) of \(times.last ?? 0)")
    }

    @Test func `where something moves all the time and each movie has a limit, nothing lies between two of them`()
        async throws
    {
        let take = try BuiltCommand.rushes.start(
            [
                "record", "--camera", "test:size=640x360,rate=30,pattern=ball", "--microphone", "test", "--codec",
                "h264",
                "--trigger", "motion", "--pre-roll", "1s", "--post-roll", "2s", "--duration", "3s", "--json",
                "--progress", "none", "clip-%02d.mov",
            ], environment: ["XDG_STATE_HOME": folder.path], folder: folder.path)
        var ended = 0
        for await line in take.lines {
            if try Event(line).event == "end" { ended += 1 }
            if ended == 3 { break }
        }
        take.signal(SIGINT)
        let result = try await take.result(within: .seconds(60))
        #expect(result.status == 0 && !result.errors.contains("Only "), "\(result)")
        var end: Double?
        for name in ["clip-01.mov", "clip-02.mov", "clip-03.mov"] {
            let begin = try await FFProbe.secondsOfTimeCode(folder.file(name))
            let length = try #require(try await FFProbe.inspect(folder.file(name)).video.first?.duration).value
            if let end {
                let overlap = (end - begin).remainder(dividingBy: 86_400)
                // A frame is where two time codes are rounded apart.
                #expect((-0.034...4.5).contains(overlap), "\(name): \(overlap)")
            }
            end = begin + length
        }
    }

    @Test func `all movies together stay within what may be kept`() async throws {
        let take = try BuiltCommand.rushes.start(
            [
                "record", "--camera", "test:size=640x360,rate=30,pattern=ball", "--microphone", "none", "--codec",
                "mjpeg", "--quality", "100", "--trigger", "motion", "--pre-roll", "1s", "--duration", "2s",
                "--split-every", "60s", "--keep", "2M", "--json", "--progress", "none", "clip-%02d.mov",
            ], environment: ["XDG_STATE_HOME": folder.path], folder: folder.path)
        var ended = 0
        for await line in take.lines {
            if try Event(line).event == "end" { ended += 1 }
            if ended == 8 || take.errors.contains("Deleted ") { break }
        }
        take.signal(SIGINT)
        let result = try await take.result(within: .seconds(60))
        #expect(result.status == 0, "\(result)")
        #expect(result.errors.contains("Deleted clip-01.mov, "), "\(result)")
        // The oldest one's number may be another's by now.
        #expect(!folder.contents.filter { $0.hasSuffix(".mov") }.isEmpty, "\(result)")
    }

    /// An encoder and its pipeline take 1.7 MB.
    @Test func `movies that follow each other are not kept in memory`() async throws {
        let take = try BuiltCommand.rushes.start(
            [
                "record", "--camera", "none", "--microphone", "test", "--trigger", "sound=-60", "--duration", "500ms",
                "--json", "--progress", "none", "voice-%03d.m4a",
            ], environment: ["XDG_STATE_HOME": folder.path], folder: folder.path)
        var (ended, memory) = (0, [Int]())
        for await line in take.lines where try Event(line).event == "end" {
            ended += 1
            if [5, 25].contains(ended) { memory.append(take.residentMemory) }
            if ended == 25 { break }
        }
        take.signal(SIGINT)
        let result = try await take.result(within: .seconds(60))
        #expect(result.status == 0, "\(result)")
        #expect(memory.count == 2 && memory[1] - memory[0] < 10 << 20, "\(memory)")
    }

    /// Two in one year, and the year is all that the name has.
    @Test func `a name that is taken gets a number, and nothing that moves is missed`() async throws {
        let parts = [("black", 240), ("ball", 45), ("black", 120), ("ball", 45), ("black", 600)].map {
            pattern, frames in
            "videotestsrc pattern=\(pattern) num-buffers=\(frames) ! video/x-raw,format=I420,width=320,height=180,framerate=30/1 ! c."
        }
        let camera = "gst:\(parts.joined(separator: " ")) concat name=c ! identity sync=true"
        let take = try BuiltCommand.rushes.start(
            [
                "record", "--camera", camera, "--microphone", "none", "--codec", "h264", "--trigger", "motion",
                "--pre-roll", "1s", "--post-roll", "1s", "--json", "--progress", "none", "clip %Y.mov",
            ], environment: ["XDG_STATE_HOME": folder.path], folder: folder.path)
        var ended = 0
        for await line in take.lines {
            let event = try Event(line)
            if event.state.phase == "finished" { ended += 1 }
            if ended == 2, event.state.phase == "waiting" {
                take.signal(SIGINT)
                break
            }
        }
        let result = try await take.result(within: .seconds(60))
        #expect(result.status == 0, "\(result)")
        let movies = folder.contents.filter { $0.hasSuffix(".mov") }.sorted()
        #expect(movies.count == 2 && movies.first?.hasSuffix("-002.mov") == true, "\(movies)")
        for movie in movies { try await FFmpeg.decode(folder.file(movie)) }
    }

    /// A log reader that hangs: standard error is a pipe that is full and stays so.
    @Test func `who does not read what is said keeps no movie from being recorded, and a signal ends it`() async throws
    {
        let script = """
            import fcntl, os, signal, subprocess, sys, time
            r, w = os.pipe()
            os.set_blocking(w, False)
            try:
                while True: os.write(w, b"x" * 4096)
            except BlockingIOError: pass
            try:
                while True: os.write(w, b"x")
            except BlockingIOError: pass
            os.set_blocking(w, True)
            command = subprocess.Popen(sys.argv[1:], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=w, text=True)
            ends = 0
            for line in command.stdout:
                if '"event":"end"' in line: ends += 1
                if ends == 3: break
            command.send_signal(signal.SIGINT)
            command.stdout.read()
            print(ends, command.wait(60))
            """
        let result = try await Tool.run(
            "python3",
            [
                "-c", script, try BuiltCommand.rushes.path, "record", "--camera", "none", "--microphone", "test",
                "--trigger",
                "sound=-60", "--duration", "500ms", "--json", "--progress", "plain", "clip-%02d.wav",
            ], limit: .seconds(120), environment: ["XDG_STATE_HOME": folder.path], folder: folder.path)
        #expect(result.text == "3 0\n", "\(result)")
        #expect(folder.contents.filter { $0.hasSuffix(".wav") }.count >= 3, "\(folder.contents)")
    }

    @Test func `what cannot be watched is refused`() async throws {
        for (options, words) in [
            (["--camera", "none", "--trigger", "motion"], "--trigger motion watches a camera"),
            (["--microphone", "none", "--trigger", "sound=-30dB"], "--trigger sound a microphone"),
            (["--post-roll", "3s"], "--post-roll goes with --trigger"),
            (["--trigger", "movement"], "--trigger"),
        ] {
            let result = try await BuiltCommand.rushes.run(["record"] + options + ["a.mov"], folder: folder.path)
            #expect(result.status == 64 && result.errors.contains(words), "\(result)")
        }
    }
}
