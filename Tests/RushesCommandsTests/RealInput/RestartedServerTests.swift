import Foundation
import TestSupport
import Testing

/// A sound server that ends and is started again while its microphone is recorded beside a camera.
@Suite(.timeLimit(.minutes(25)), .turn, .requiresPulseAudio) struct RestartedServerTests {
    @Test func `a restarted server's microphone is recorded again`() async throws {
        let (servers, folder) = (try await Servers.start(.pulseAudio), try TemporaryFolder())
        let (tone, cookie) = (folder.file("tone.wav"), try #require(servers.environment["PULSE_COOKIE"] ?? nil))
        _ = try await Tool.succeed("ffmpeg", ["-v", "error", "-f", "lavfi", "-i", "sine=660:duration=60", tone])
        let take = try BuiltCommand.rushes.start(
            [
                "record", "--camera", "test:pattern=ball,size=160x120,rate=10", "--codec", "h264", "--microphone",
                "mic0",
                "--audio", "flac", "--json", "--progress", "none", "take.mkv",
            ], servers: servers, folder: folder.path)
        /// Waits until it is told, or, as another message may follow at once, for twenty seconds of the movie.
        func told(_ words: String) async throws -> Event? {
            var first: Double?
            for await line in take.lines {
                let event = try Event(line)
                if event.state.message?.contains(words) == true { return event }
                guard let time = event.state.mediaTime else { continue }
                first = first ?? time
                if time > (first ?? time) + 20 { return event }
            }
            return nil
        }
        for await line in take.lines where try Event(line).state.mediaTime ?? 0 > 1 { break }
        kill(try #require(servers.pid("PULSEAUDIO_PID")), SIGKILL)
        #expect(try await told("Test Microphone is lost (its sound server has ended)") != nil)
        let place = (cookie as NSString).deletingLastPathComponent
        let again = try RunningCommand(
            "pulseaudio",
            [
                "-n", "--daemonize=no", "--use-pid-file=no", "--system=no", "--exit-idle-time=-1", "--realtime=no",
                "--disable-shm=yes", "-F", "\(place)/server.pa",
            ],
            environment: [
                "HOME": place, "XDG_RUNTIME_DIR": place, "PULSE_RUNTIME_PATH": place, "PULSE_STATE_PATH": place,
                "PULSE_COOKIE": cookie, "PULSE_SERVER": nil, "DBUS_SESSION_BUS_ADDRESS": nil, "DISPLAY": nil,
            ])
        defer { again.signal(SIGTERM) }
        #expect(try await told("Test Microphone is back and is being recorded again.") != nil)
        let player = try RunningCommand("paplay", ["--device=speaker0", tone], environment: servers.environment)
        defer { player.signal(SIGTERM) }
        try await servers.waitUntilPlaying()
        // By what is told from now on, not by what waits to be read.
        let now = Date().timeIntervalSince1970
        var end: Double?
        for await line in take.lines {
            let event = try Event(line)
            guard event.timestamp >= now, let time = event.state.mediaTime else { continue }
            if time > end ?? .infinity { break }
            end = end ?? time + 2
        }
        take.signal(SIGINT)
        let result = try await take.result(within: .seconds(60))
        #expect(result.status == 3 && result.errors.contains("and came back at "), "\(result)")
        let file = folder.file("take.mkv")
        try await FFmpeg.decode(file)
        let audio = try await FFmpeg.audio(of: file, rate: 48_000)
        let heard = ToneAnalysis(Array(audio.suffix(24_000)), rate: 48_000)
        #expect(abs(heard.frequency - 660) < 6 && heard.level > 0.02, "\(heard)")
    }
}
